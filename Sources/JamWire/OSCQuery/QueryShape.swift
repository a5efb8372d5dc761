internal import JamCore

/// The variable parts of the tree, as the values of a view show them.
struct QueryShape: Hashable, Sendable {
  /// Names in addresses. Those of kits and instruments may hold words of the table, such as `name`
  /// of `/kit/name`; a word of the table counts before a name.
  private(set) var players: Set<String> = []
  /// In a player's own view: the names in its mix.
  private(set) var mixed: Set<String> = []
  private(set) var kits: Set<String> = []
  private(set) var instruments: Set<String> = []
  /// The layers of the player's loop; the first is always there.
  private(set) var layers: Set<Int> = [1]
  /// The steps of each pad's row for which values are known; 0 where none are.
  private var padSteps = [Int](repeating: 0, count: Pad.count)
  /// The number of steps of each key that has some.
  private(set) var keySteps = [QueryShape.exampleKey: QueryShape.usualSteps]
  /// The seats in which somebody sits, by their own addresses and by those of players.
  private var taken: Set<Int> = []
  private var seatOfPlayer: [String: Int] = [:]

  /// The steps of a row for which no values are known: a bar of sixteenths.
  private static let usualSteps = 16
  /// The key whose steps are always shown, so that a client sees what a key has: the middle C.
  static let exampleKey = 60
  private static let heads = [
    "/player/", "/mix/", "/kit/", "/instrument/", "/layer/", "/seat/", "/step/", "/key/",
  ]

  /// Whether another value at a known address may change the shape.
  static func dependsOnValue(_ address: String) -> Bool {
    address.hasPrefix("/seat/") || address.hasPrefix("/player/")
  }

  /// Takes in a value.
  mutating func insert(_ address: String, _ arguments: [OSCArgument]) {
    guard QueryShape.heads.contains(where: { address.hasPrefix($0) }) else { return }
    let parts = address.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false)
    guard parts.count > 2, !parts.dropFirst().contains("") else { return }
    switch (parts[1], parts.count) {
    case ("player", 4):
      players.insert(String(parts[2]))
      if parts[3] == "seat" {
        seatOfPlayer[String(parts[2])] = arguments.first?.number.map { Int(saturating: $0) }
      }
    case ("mix", 4): mixed.insert(String(parts[2]))
    case ("kit", 3): kits.insert(String(parts[2]))
    case ("instrument", 3): instruments.insert(String(parts[2]))
    case ("layer", 4):
      if let layer = QueryShape.number(parts[2], in: 1...Limits.standard.layersPerLoop) {
        layers.insert(layer)
      }
    case ("seat", 4):
      guard let seat = QueryShape.number(parts[2], in: QueryShape.allSeats) else { return }
      switch parts[3] {
      case "taken": sit(arguments.first?.number ?? 0 > 0, in: seat)
      case "name": sit(arguments.first?.text?.isEmpty == false, in: seat)
      default: break
      }
    case ("step", 4):
      guard let pad = QueryShape.number(parts[2], in: 1...Pad.count),
        let step = QueryShape.number(parts[3], in: 1...Limits.standard.steps)
      else { return }
      padSteps[pad - 1] = max(padSteps[pad - 1], step)
    case ("key", 5) where parts[3] == "step":
      guard let key = QueryShape.number(parts[2], in: 0...(Pad.keyCount - 1)),
        let step = QueryShape.number(parts[4], in: 1...Limits.standard.steps)
      else { return }
      keySteps[key] = max(keySteps[key] ?? 0, step)
    default: break
    }
  }

  private mutating func sit(_ isTaken: Bool, in seat: Int) {
    if isTaken { taken.insert(seat) } else { taken.remove(seat) }
  }

  private static let allSeats = 1...Limits.standard.playersPerRoom

  /// The seats in which somebody sits, and the lowest free one. Sorted.
  var seats: [Int] {
    var seats = taken.union(seatOfPlayer.values)
    if let free = QueryShape.allSeats.first(where: { !seats.contains($0) }) { seats.insert(free) }
    return seats.filter { QueryShape.allSeats.contains($0) }.sorted()
  }

  /// The steps of the pad that are shown.
  func steps(ofPad pad: Int) -> Int {
    guard padSteps.indices.contains(pad - 1) else { return 0 }
    return padSteps[pad - 1] > 0 ? padSteps[pad - 1] : QueryShape.usualSteps
  }

  /// The number as an address spells it: without zeros or a sign in front.
  static func number(_ part: Substring, in range: ClosedRange<Int>) -> Int? {
    guard part.utf8.count <= 3, let number = Int(part), range.contains(number),
      String(number) == part
    else { return nil }
    return number
  }
}
