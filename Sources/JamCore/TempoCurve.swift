/// How a ramp goes from one tempo to another: the share of the way as a function of the share of the beats.
@frozen
public enum TempoCurve: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  /// Beats per minute grow evenly with the beats.
  case linear
  /// Slow at both ends: 3p² − 2p³.
  case ease
  /// Most of it at the end: p³.
  case late

  /// The word in the protocol.
  public var word: String {
    switch self {
    case .linear: "linear"
    case .ease: "ease"
    case .late: "late"
    }
  }

  public init?(word: String) {
    guard let curve = TempoCurve.allCases.first(where: { $0.word == word }) else { return nil }
    self = curve
  }
}
