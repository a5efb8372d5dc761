internal import JamCore

/// The variable parts of the tree, as a view's values show them.
struct QueryShape: Hashable, Sendable {
  /// Names in an address: players, kits, instruments. Sorted.
  var players: [String] = []
  var kits: [String] = []
  var instruments: [String] = []
  /// The layers of the player's loop; the first is always there.
  var layers: [Int] = [1]
  /// The seats in which somebody sits, and the lowest free one.
  var seats: [Int] = []
  /// The number of steps of each pad's row.
  var padSteps = [Int](repeating: 0, count: Pad.count)
  /// The number of steps of each key that has some.
  var keySteps: [Int: Int] = [:]

  /// The steps of a pad for which no values are known: a bar of sixteenths.
  private static let usualSteps = 16
  /// The key whose steps are always shown, so that a client sees what a key has: the middle C.
  private static let exampleKey = 60

  /// - Parameters:
  ///   - isWord: whether a path is one of the table's own words, such as `/kit/next`.
  ///   - isOfPlayer: whether a word is the last part of a `/player/<name>/…` row.
  init(_ view: QueryView, isWord: (String) -> Bool, isOfPlayer: (Substring) -> Bool) {
    var players: Set<String> = []
    var layers: Set<Int> = [1]
    var taken: Set<Int> = []
    var keySteps = [QueryShape.exampleKey: QueryShape.usualSteps]
    for (address, arguments) in view.values {
      let parts = address.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false)
      guard parts.count > 2 else { continue }
      switch (parts[1], parts.count) {
      case ("player", 4) where isOfPlayer(parts[3]): players.insert(String(parts[2]))
      case ("kit", 3) where !isWord(address): kits.append(String(parts[2]))
      case ("instrument", 3) where !isWord(address): instruments.append(String(parts[2]))
      case ("layer", 4):
        if let layer = QueryShape.number(parts[2], upTo: Limits.standard.layersPerLoop) { layers.insert(layer) }
      case ("seat", 4):
        guard let seat = QueryShape.number(parts[2], upTo: Limits.standard.playersPerRoom) else { continue }
        if QueryShape.isTaken(parts[3], arguments) { taken.insert(seat) }
      case ("step", 4):
        guard let pad = QueryShape.number(parts[2], upTo: Pad.count),
          let step = QueryShape.number(parts[3], upTo: Limits.standard.steps)
        else { continue }
        padSteps[pad - 1] = max(padSteps[pad - 1], step)
      case ("key", 5) where parts[3] == "step":
        guard let key = QueryShape.number(parts[2], upTo: Pad.keyCount - 1),
          let step = QueryShape.number(parts[4], upTo: Limits.standard.steps)
        else { continue }
        keySteps[key] = max(keySteps[key] ?? 0, step)
      default: break
      }
    }
    for name in players {
      guard case .int32(let seat)? = view.values["/player/\(name)/seat"]?.first else { continue }
      taken.insert(Int(seat))
    }
    let all = Range(from: 1, to: Limits.standard.playersPerRoom + 1)
    if let free = all.first(where: { !taken.contains($0) }) { taken.insert(free) }
    seats = taken.filter { all.contains($0) }.sorted()
    for pad in padSteps.indices where padSteps[pad] == 0 { padSteps[pad] = QueryShape.usualSteps }
    self.players = players.sorted()
    self.layers = layers.sorted()
    self.keySteps = keySteps
    kits.sort()
    instruments.sort()
  }

  private static func isTaken(_ word: Substring, _ arguments: [OSCArgument]) -> Bool {
    switch word {
    case "taken": arguments.first?.number ?? 0 > 0
    case "name": !(arguments.first?.text ?? "").isEmpty
    default: true
    }
  }

  /// The number as an address spells it: without zeros or a sign in front.
  static func number(_ part: Substring, upTo most: Int) -> Int? {
    guard part.utf8.count <= 3, let number = Int(part), number >= 0, number <= most, String(number) == part
    else { return nil }
    return number
  }
}
