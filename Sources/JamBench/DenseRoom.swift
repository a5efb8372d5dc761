internal import ArgumentParser
internal import JamCore
internal import JamWire

/// A live room with many loops, as the bench of rooms measures it.
///
/// The bench makes this value, and each process of players makes it again from its name. So both
/// know the same numbers.
enum DenseRoom: String, CaseIterable, ExpressibleByArgument {
  /// Eight players with loops of one bar and many layers. Layers of pads and of keys take turns.
  /// The grid moves the hits of all players onto the same eight lines of the bar.
  case lines
  /// A full room. Each player has a loop of four bars, and the hits of all loops are spread evenly.
  case crowd

  var players: Int { self == .lines ? 8 : 64 }
  var bars: Int { self == .lines ? 1 : 4 }
  /// The hits of each layer.
  var hits: Int { self == .lines ? 8 : 64 }
  /// The layers of each player at which the room is measured.
  var layers: [Int] { self == .lines ? [10, 18, 26, 64] : [8] }
  /// The processes in which the players are.
  var processes: Int { self == .lines ? 1 : 2 }

  /// The grid of the players, as `/quantize` takes it.
  var grid: String { self == .lines ? "1/16" : "off" }

  /// The tempo at which the loops are measured.
  static let bpm = 120.0
  /// The tempo at which the loops are recorded, since each layer takes a pass.
  static let recordingBPM = 300.0

  static func barMilliseconds(_ bpm: Double) -> Double { 4 * 60_000 / bpm }

  /// The length of a pass while the loops are recorded.
  var passMilliseconds: Double { Double(bars) * DenseRoom.barMilliseconds(DenseRoom.recordingBPM) }

  /// How many hits a second go round in a room with so many layers.
  func hitsPerSecond(layers: Int) -> Double {
    Double(players * layers * hits) * 1_000
      / (Double(bars) * DenseRoom.barMilliseconds(DenseRoom.bpm))
  }

  /// The messages of a player in one pass, with the moments of their timetags. A moment counts from
  /// the beginning of the pass.
  func pass(ofLayer layer: Int, by player: Int) -> [(milliseconds: Double, message: OSCMessage)] {
    let isKey = self == .lines && layer % 2 == 1
    let pad = self == .lines ? layer / 2 : layer
    let address =
      isKey ? "/key/\(DenseRoom.lowestKey + layer / 2 % 48)" : "/pad/\(1 + pad % Pad.count)"
    return (0..<hits).flatMap { hit in
      let time = passMilliseconds * (Double(hit) + share(layer, player)) / Double(hits)
      let start = self == .lines ? time - DenseRoom.millisecondsBeforeLine : time
      let velocity = 0.2 + 0.075 * Float(hit % 5)
      let press = (start, OSCMessage(address, .float(velocity)))
      guard isKey else { return [press] }
      return [press, (start + DenseRoom.keyMilliseconds, OSCMessage(address, .float(0)))]
    }
  }

  /// Where in its part of the pass a hit lies, 0..<1. Multiples of the golden ratio leave no two
  /// hands at one place, however many there are.
  private func share(_ layer: Int, _ player: Int) -> Double {
    guard self == .crowd else { return 0 }
    return (Double(layer * players + player) * 0.618_033_988_749_895).truncatingRemainder(
      dividingBy: 1)
  }

  private static let lowestKey = 36
  /// The grid moves a hit onto the next line. A hit less than a third of a step behind a line stays
  /// where it is.
  private static let millisecondsBeforeLine = 10.0
  /// How long a key is held while it is recorded.
  private static let keyMilliseconds = 20.0
}
