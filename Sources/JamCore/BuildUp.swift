/// What a build-up is doing, as everybody is told.
public enum BuildUpState: String, CaseIterable, Sendable {
  /// It was ordered and begins on the next bar line.
  case waiting
  /// The tempo is on its way.
  case running
  /// The target is reached and kept until the drop.
  case holding
  /// The drop was ordered: the old tempo comes on the next bar line.
  case dropping
  case none

  public var word: String { rawValue }
}

/// Where a build-up is.
public struct BuildUpReport: Hashable, Sendable {
  public var state: BuildUpState
  /// Beats per minute that it goes to; without a build-up the room's tempo.
  public var target: Float
  /// Until the drop, the bar that runs counting as one; while it waits, all of them, and 0 while it holds.
  public var barsLeft: Int

  public init(state: BuildUpState, target: Float, barsLeft: Int) {
    self.state = state
    self.target = target
    self.barsLeft = barsLeft
  }
}
