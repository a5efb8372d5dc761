/// One of a player's sixteen pads, or a key of its keyboard.
///
/// A key is hit, released, recorded and stepped like a pad. A key is therefore a pad with a number
/// of its own. Only the sixteen pads have a kit's sounds and pad settings.
///
/// Thread: any. Real-time safe.
@frozen
public struct Pad: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// 1…16 for a pad; 17 plus the note for a key.
  public let number: UInt8

  /// - Returns: nil unless `number` is 1…16.
  @inlinable public init?(_ number: Int) {
    guard number >= 1, number <= Pad.count else { return nil }
    self.number = UInt8(number)
  }

  /// - Parameter note: MIDI's number: 60 is the middle C.
  /// - Returns: nil unless `note` is 0…127.
  @inlinable public init?(key note: Int) {
    guard note >= 0, note < Pad.keyCount else { return nil }
    number = UInt8(note + Pad.count + 1)
  }

  /// A pad or a key, by its number in journals and scores.
  /// - Returns: nil unless `number` is 1…144.
  @inlinable public init?(place number: Int) {
    guard number >= 1, number <= Pad.placeCount else { return nil }
    self.number = UInt8(number)
  }

  @inlinable init(index: Int) { number = UInt8(index + 1) }

  @inlinable public static var count: Int { 16 }
  @inlinable public static var keyCount: Int { 128 }
  /// Pads and keys together.
  @inlinable public static var placeCount: Int { count + keyCount }
  /// The sixteen pads.
  public static let all: [Pad] = (0..<count).map(Pad.init(index:))

  /// Counted from 0.
  @inlinable public var index: Int { Int(number) - 1 }

  @inlinable public var isKey: Bool { Int(number) > Pad.count }

  /// The key's note, 0…127; nil for one of the sixteen pads.
  @inlinable public var note: Int? { isKey ? Int(number) - Pad.count - 1 : nil }

  @inlinable public static func < (a: Pad, b: Pad) -> Bool { a.number < b.number }
}

/// How hard a pad was hit: above 0, at most 1.
@frozen
public struct Velocity: Hashable, BitwiseCopyable, Sendable {
  public let value: Float

  /// - Returns: nil for 0 and below, which mean a release, and for NaN. Values above 1 count as 1.
  @inlinable public init?(_ value: Float) {
    guard value > 0 else { return nil }
    self.value = value > 1 ? 1 : value
  }

  @inlinable public static var full: Velocity { Velocity(1)! }
  /// The smallest velocity that is not a release.
  @inlinable public static var softest: Velocity { Velocity(.leastNonzeroMagnitude)! }
}
