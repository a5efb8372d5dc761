/// Beats per bar, and the note value of one counted beat.
///
/// Thread: any. Real-time safe.
@frozen
public struct TimeSignature: Hashable, BitwiseCopyable, Sendable {
  public let beatsPerBar: Int32
  /// 1, 2, 4, 8, 16 or 32: the counted beat is a whole note divided by this.
  public let beatUnit: Int32

  /// Beats per bar.
  public static let beatsRange = 1...32
  public static let beatUnits = [1, 2, 4, 8, 16, 32]

  /// - Returns: nil unless `beatsRange` holds `beatsPerBar` and `beatUnits` holds `beatUnit`.
  public init?(beatsPerBar: Int, beatUnit: Int) {
    guard TimeSignature.beatsRange.contains(beatsPerBar), TimeSignature.beatUnits.contains(beatUnit) else { return nil }
    self.beatsPerBar = Int32(beatsPerBar)
    self.beatUnit = Int32(beatUnit)
  }

  @usableFromInline init(unchecked beatsPerBar: Int32, _ beatUnit: Int32) {
    self.beatsPerBar = beatsPerBar
    self.beatUnit = beatUnit
  }

  public static let common = TimeSignature(unchecked: 4, 4)

  /// The length of one counted beat.
  @inlinable public var beatLength: Beats { Beats(microBeats: 4_000_000 / Int64(beatUnit)) }
  @inlinable public var barLength: Beats { Beats(microBeats: 4_000_000 / Int64(beatUnit) &* Int64(beatsPerBar)) }
}

/// A position in bars and beats, as people count it.
@frozen
public struct BarPosition: Hashable, BitwiseCopyable, Sendable {
  /// Counted from 1.
  public var bar: Int
  /// The counted beat in the bar, from 1.
  public var beat: Int
  /// The part of that beat that is over, 0 ..< 1.
  public var phase: Double

  @inlinable public init(bar: Int, beat: Int, phase: Double) {
    self.bar = bar
    self.beat = beat
    self.phase = phase
  }

  /// Beat and phase as one number from 1, as in `/hit` and `/receipt`.
  @inlinable public var beatNumber: Double { Double(beat) + phase }
}
