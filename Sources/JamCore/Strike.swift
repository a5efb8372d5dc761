/// How hard a pad was hit, as a number that its sender put there: on the scale of its player, see `VelocityScale`.
///
/// Thread: any. Real-time safe.
@frozen
public struct Strike: Hashable, BitwiseCopyable, Sendable {
  /// Above 0.
  public let number: Float
  /// It came as an integer.
  public let isInteger: Bool

  /// - Returns: nil for 0 and below (that is a release) and for NaN.
  @inlinable public init?(_ number: Float, isInteger: Bool = false) {
    guard number > 0 else { return nil }
    self.number = number
    self.isInteger = isInteger
  }
}

/// What a player's numbers for hits are out of: 1, unless it sends MIDI's velocities or set another one.
///
/// A value type; whoever has one decides. Thread: any.
public struct VelocityScale: Hashable, Sendable {
  /// The number that is full velocity.
  public private(set) var full: Float = 1
  /// The player set it: it holds for all numbers, and nothing is recognised any more.
  public private(set) var isSet = false

  public static let range: ClosedRange<Float> = 1...65_535
  /// MIDI's highest velocity.
  public static let midi: Float = 127

  public init() {}

  /// As it was kept.
  public init(full: Float, isSet: Bool) {
    set(full)
    self.isSet = isSet
  }

  public mutating func set(_ number: Float) {
    full = min(max(number, VelocityScale.range.lowerBound), VelocityScale.range.upperBound)
    isSet = true
  }

  /// Recognises MIDI's velocities by an integer above 1: on a scale that ends at 1 it would say no
  /// more than 1 does. Pure Data and Max send them as floats.
  /// - Returns: whether the strike shows them, for the first time.
  public mutating func recognise(_ strike: Strike) -> Bool {
    guard !isSet, full == 1, strike.number >= VelocityScale.leastOfMIDI else { return false }
    full = VelocityScale.midi
    return true
  }

  /// Below it a float is a share of 1, be it a little more than 1: a fader's end, a pressure.
  private static let leastOfMIDI: Float = 2

  /// A float up to 1 stays what it is where the scale was only recognised: the buttons beside a MIDI device's pads send 1.0.
  public func velocity(of strike: Strike) -> Velocity {
    let isFraction = !isSet && !strike.isInteger && strike.number < VelocityScale.leastOfMIDI
    return Velocity(isFraction ? strike.number : strike.number / full) ?? .softest
  }
}
