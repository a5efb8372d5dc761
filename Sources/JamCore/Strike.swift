/// How hard a pad was hit, as the number that its sender sent. The number is on its player's scale;
/// see `VelocityScale`.
///
/// Thread: any. Real-time safe.
@frozen
public struct Strike: Hashable, BitwiseCopyable, Sendable {
  /// Above 0.
  public let number: Float
  /// Whether the number came as an integer.
  public let isInteger: Bool

  /// - Returns: nil for 0 and below, which mean a release, and for NaN.
  @inlinable public init?(_ number: Float, isInteger: Bool = false) {
    guard number > 0 else { return nil }
    self.number = number
    self.isInteger = isInteger
  }
}

/// The number that means full velocity in a player's hits. It is 1, unless the player sends MIDI's
/// velocities or has set another number.
///
/// A value type: its owner decides on the thread.
/// Thread: any.
public struct VelocityScale: Hashable, Sendable {
  /// The number that means full velocity.
  public private(set) var full: Float = 1
  /// Whether the player set the scale. A set scale holds for all numbers, and MIDI's velocities are
  /// not recognised any more.
  public private(set) var isSet = false

  public static let range: ClosedRange<Float> = 1...65_535
  /// MIDI's highest velocity.
  public static let midi: Float = 127

  public init() {}

  /// Restores a kept scale.
  public init(full: Float, isSet: Bool) {
    set(full)
    self.isSet = isSet
  }

  public mutating func set(_ number: Float) {
    full = min(max(number, VelocityScale.range.lowerBound), VelocityScale.range.upperBound)
    isSet = true
  }

  /// Recognises MIDI's velocities by a number from 2 on: on a scale that ends at 1 such a number
  /// would mean no more than 1. Pure Data and Max send MIDI's velocities as floats.
  /// - Returns: whether this strike is the first one that shows MIDI's velocities.
  public mutating func recognise(_ strike: Strike) -> Bool {
    guard !isSet, full == 1, strike.number >= VelocityScale.leastOfMIDI else { return false }
    full = VelocityScale.midi
    return true
  }

  /// Below 2, a float counts as a part of 1, even where it is a little more than 1, as the end of a
  /// fader or a pressure may be.
  private static let leastOfMIDI: Float = 2

  /// Where the scale was only recognised, and not set, a float below 2 keeps its value: the buttons
  /// beside a MIDI device's pads send 1.0.
  public func velocity(of strike: Strike) -> Velocity {
    let isFraction = !isSet && !strike.isInteger && strike.number < VelocityScale.leastOfMIDI
    return Velocity(isFraction ? strike.number : strike.number / full) ?? .softest
  }
}
