/// The number of a hit that its client sounds itself; none for every other hit.
///
/// The number replaces the hit's number in the log where chance and the turn of a pad's sounds are
/// decided, so that the client and the room choose the same.
/// Thread: any. Real-time safe.
@frozen
public struct OwnHit: Hashable, BitwiseCopyable, Sendable {
  /// 1…2,147,483,647; 0 is none.
  @usableFromInline let value: UInt32

  public static let none = OwnHit(value: 0)
  public static let range: ClosedRange<Int64> = 1...Int64(Int32.max)

  @inlinable init(value: UInt32) { self.value = value }

  /// - Returns: none for a number outside the range.
  public init(_ number: Int64) {
    value = OwnHit.range.contains(number) ? UInt32(clamping: number) : 0
  }

  /// Whether the client sounds the hit itself.
  @inlinable public var isOwn: Bool { value > 0 }

  /// The number that a message carries; 0 is none.
  public var number: Int32 { Int32(clamping: value) }

  /// The number from which chance is computed.
  /// - Parameter sequence: the hit's number in the log.
  @inlinable public func chance(else sequence: UInt64) -> UInt64 { isOwn ? UInt64(value) : sequence }

  /// The turn of the pad's sounds.
  /// - Parameter turn: the pad's own count of hits.
  @inlinable public func turn(else turn: Int) -> Int { isOwn ? Int(value) : turn }
}
