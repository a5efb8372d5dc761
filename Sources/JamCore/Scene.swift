/// The loops, layers and lanes that play in a room, and the pads and channels that are muted.
/// Launching a scene restores these.
///
/// `/scene/<n>/plays` takes and returns a scene as text: players with semicolons between them, each
/// with its playing parts. In `ann loop layer2 lane1* pad7; bob mute`, ann's loop plays without its
/// second layer, her first lane repeats, her pad 7 is muted, and bob's channel is muted.
public struct Scene: Hashable, Sendable {
  public struct Part: Hashable, Sendable {
    public var player: PlayerName
    /// Whether the player's loop plays.
    public var loops = false
    /// Whether the player's own channel is muted.
    public var isMuted = false
    /// Muted layers of the player's loop, by their numbers from 1.
    public var mutedLayers: Set<Int> = []
    /// Lanes that play once or repeat, by their numbers from 1. All other lanes stop.
    public var lanes: [Int: LaneAction] = [:]
    public var mutedPads: Set<Pad> = []

    public init(player: PlayerName) { self.player = player }
  }

  /// One part for each player. A player without a part plays on unchanged.
  public var parts: [Part]

  public init(_ parts: [Part]) { self.parts = parts }
}

extension Scene {
  /// - Returns: nil where a word is unknown, a number is out of range, or the text names no player.
  public init?(_ text: String, limits: Limits = .standard) {
    parts = []
    for text in text.split(separator: ";") {
      let words = text.split(whereSeparator: \.isWhitespace)
      guard let name = words.first.flatMap({ PlayerName(String($0)) }), part(of: name) == nil else { return nil }
      var part = Part(player: name)
      for word in words.dropFirst() where !part.take(word, limits) { return nil }
      parts.append(part)
    }
    guard !parts.isEmpty, parts.count <= limits.playersPerRoom else { return nil }
  }

  public var text: String { parts.map(\.text).joined(separator: "; ") }

  public func part(of player: PlayerName) -> Part? { parts.first { $0.player == player } }

  public mutating func rename(_ old: PlayerName, to new: PlayerName) {
    for index in parts.indices where parts[index].player == old { parts[index].player = new }
  }
}

extension Scene.Part {
  fileprivate var text: String {
    var words = [player.text]
    if loops { words.append("loop") }
    if isMuted { words.append("mute") }
    words += mutedLayers.sorted().map { "layer\($0)" }
    words += lanes.sorted { $0.key < $1.key }.map { "lane\($0.key)\($0.value == .loop ? "*" : "")" }
    words += mutedPads.sorted().map { "pad\($0.number)" }
    return words.joined(separator: " ")
  }

  /// - Returns: false where the word is not a scene's word.
  fileprivate mutating func take(_ word: Substring, _ limits: Limits) -> Bool {
    switch word {
    case "loop": loops = true
    case "mute": isMuted = true
    case _ where word.hasPrefix("layer"):
      guard let number = Int(word.dropFirst(5)), (1...limits.layersPerLoop).contains(number) else { return false }
      mutedLayers.insert(number)
    case _ where word.hasPrefix("lane"):
      let goesRound = word.hasSuffix("*")
      guard let number = Int(word.dropFirst(4).dropLast(goesRound ? 1 : 0)),
        (1...limits.lanesPerPlayer).contains(number)
      else { return false }
      lanes[number] = goesRound ? .loop : .play
    case _ where word.hasPrefix("pad"):
      guard let pad = Int(word.dropFirst(3)).flatMap({ Pad($0) }) else { return false }
      mutedPads.insert(pad)
    default: return false
    }
    return true
  }
}
