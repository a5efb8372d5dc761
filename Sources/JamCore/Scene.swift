/// Which loops, layers and lanes play in a room, and which pads and channels their players muted: what a launch brings back.
///
/// As text it is what `/scene/<n>/plays` takes and tells: players between semicolons, each with what plays of it.
/// `ann loop layer2 lane1* pad7; bob mute`: ann's loop plays without its second layer, her first lane goes round, her pad 7 is
/// muted, and so is bob's channel.
public struct Scene: Hashable, Sendable {
  public struct Part: Hashable, Sendable {
    public var player: PlayerName
    /// Whether its loop goes round.
    public var loops = false
    /// Of its own channel.
    public var isMuted = false
    /// Muted layers of its loop, by their numbers from 1.
    public var mutedLayers: Set<Int> = []
    /// Lanes that play or go round, by their numbers from 1; all others stand.
    public var lanes: [Int: LaneAction] = [:]
    public var mutedPads: Set<Pad> = []

    public init(player: PlayerName) { self.player = player }
  }

  /// One for each player; who is in none plays on as it does.
  public var parts: [Part]

  public init(_ parts: [Part]) { self.parts = parts }
}

extension Scene {
  /// - Returns: nil where a word is none, a number is out of range, or nobody plays in it.
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

  /// - Returns: false where it is no word of a scene.
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
