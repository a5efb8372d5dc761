/// The light of a control that triggers something: a lamp on a button.
///
/// A light has the address of its control (`Setting.light`), and one of the numbers of `Glow`.
public enum Light: Hashable, Sendable {
  case loop(LoopAction)
  /// Lanes and scenes count from 1.
  case lane(Int, LaneAction)
  case scene(Int)
  /// By the id.
  case kit(String), instrument(String)
  case buildUp, drop
  /// There is something to catch.
  case catchPlayed
  /// A take that somebody started.
  case take
  /// A groove of the player's.
  case groove
}

/// How bright a light is.
public enum Glow: UInt8, Hashable, Sendable {
  case off
  /// It was ordered, and waits for its bar line, or for sounds that are being read.
  case waiting
  case on

  /// The number that is told.
  public var number: Float {
    switch self {
    case .off: 0
    case .waiting: 0.5
    case .on: 1
    }
  }
}

extension Light {
  /// All lights of a player's loop, lanes and groove.
  public static func ofPlayer(_ limits: Limits) -> [Light] {
    let loop = LoopAction.allCases.map { Light.loop($0) }
    let lanes = Range(from: 1, to: limits.lanesPerPlayer + 1).flatMap { lane in
      LaneAction.allCases.map { Light.lane(lane, $0) }
    }
    return loop + lanes + [.catchPlayed, .groove]
  }

  public static let ofRoom: [Light] =
    Range(from: 1, to: Limits.standard.scenesPerRoom + 1).map { .scene($0) }
    + [.buildUp, .drop, .take]

  var settingRow: SettingRow {
    SettingRow(
      address, "light", .float(0...1), isOfRoom ? .room : .player,
      "Its light: 0 is off, 0.5 waits for its bar line, 1 is on.", access: .read)
  }

  private var address: String {
    switch self {
    case .loop(let action): "/loop/\(action.rawValue)"
    case .lane(_, let action): "/lane/<n>/\(action.rawValue)"
    case .scene: "/scene/<n>"
    case .kit: "/kit/<id>"
    case .instrument: "/instrument/<id>"
    case .buildUp: "/buildup"
    case .drop: "/buildup/drop"
    case .take: "/take/start"
    case .catchPlayed: "/loop/catch"
    case .groove: "/groove"
    }
  }

  /// Whether everybody in the room sees the same light.
  public var isOfRoom: Bool {
    switch self {
    case .loop, .lane, .kit, .instrument, .catchPlayed, .groove: false
    case .scene, .buildUp, .drop, .take: true
    }
  }
}
