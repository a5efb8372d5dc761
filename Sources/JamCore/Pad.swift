/// A pad's number, 1…16.
///
/// Thread: any. Real-time safe.
@frozen
public struct Pad: Hashable, Comparable, BitwiseCopyable, Sendable {
  public let number: UInt8

  /// - Returns: nil unless `number` is 1…16.
  @inlinable public init?(_ number: Int) {
    guard number >= 1, number <= 16 else { return nil }
    self.number = UInt8(number)
  }

  @inlinable init(index: Int) { number = UInt8(index + 1) }

  @inlinable public static var count: Int { 16 }
  public static let all: [Pad] = (0..<count).map(Pad.init(index:))

  /// From 0.
  @inlinable public var index: Int { Int(number) - 1 }

  @inlinable public static func < (a: Pad, b: Pad) -> Bool { a.number < b.number }
}

/// How hard a pad was hit: above 0, at most 1.
@frozen
public struct Velocity: Hashable, BitwiseCopyable, Sendable {
  public let value: Float

  /// - Returns: nil for 0 and below (that is a release) and for NaN; above 1 counts as 1.
  @inlinable public init?(_ value: Float) {
    guard value > 0 else { return nil }
    self.value = value > 1 ? 1 : value
  }

  @inlinable public static var full: Velocity { Velocity(1)! }
  /// The least that is no release.
  @inlinable public static var softest: Velocity { Velocity(.leastNonzeroMagnitude)! }
}
