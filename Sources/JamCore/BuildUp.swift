/// The stage of a build-up. Everybody in the room is told.
public enum BuildUpState: String, CaseIterable, Sendable {
  /// The build-up was ordered, and begins on the next bar line.
  case waiting
  /// The tempo moves towards the target.
  case running
  /// The tempo has reached the target, and stays there until the drop.
  case holding
  /// The drop was ordered: the old tempo returns on the next bar line.
  case dropping
  case none

  public var word: String { rawValue }
}

/// The stage, the target and the remaining bars of a build-up.
public struct BuildUpReport: Hashable, Sendable {
  public var state: BuildUpState
  /// The target tempo in beats per minute. Without a build-up this is the room's tempo.
  public var target: Float
  /// Bars until the drop; the current bar counts as one. While the build-up waits this is its whole
  /// length, and while it holds this is 0.
  public var barsLeft: Int

  public init(state: BuildUpState, target: Float, barsLeft: Int) {
    self.state = state
    self.target = target
    self.barsLeft = barsLeft
  }
}
