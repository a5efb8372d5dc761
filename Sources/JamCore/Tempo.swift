/// A tempo in quarter notes per minute.
///
/// Thread: any. Real-time safe.
@frozen
public struct Tempo: Hashable, Comparable, BitwiseCopyable, Sendable {
  public let beatsPerMinute: Double

  /// - Parameter beatsPerMinute: 20…300; nil outside, and for NaN.
  public init?(beatsPerMinute: Double) {
    guard Tempo.range.contains(beatsPerMinute) else { return nil }
    self.beatsPerMinute = beatsPerMinute
  }

  /// The allowed tempo nearest to `beatsPerMinute`, which must not be NaN.
  @inlinable public init(clamping beatsPerMinute: Double) {
    self.beatsPerMinute = beatsPerMinute < 20 ? 20 : beatsPerMinute > 300 ? 300 : beatsPerMinute
  }

  public static let range: ClosedRange<Double> = 20...300
  public static let standard = Tempo(clamping: 120)

  @inlinable public var framesPerBeat: Double { 2_880_000 / beatsPerMinute }

  @inlinable public static func < (a: Tempo, b: Tempo) -> Bool { a.beatsPerMinute < b.beatsPerMinute }
}
