/// How a ramp moves from one tempo to another: the part of the tempo change as a function of the
/// part p of the beats.
@frozen
public enum TempoCurve: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  /// The tempo grows evenly with the beats.
  case linear
  /// Slow at both ends: 3p² − 2p³.
  case ease
  /// Mostly at the end: p³.
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
