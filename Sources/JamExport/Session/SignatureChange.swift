/// A bar line from which a signature holds.
public struct SignatureChange: Hashable, Sendable {
  /// The bar line's place in quarter notes by the jam's own count (`TempoStretch.beat`). It may lie
  /// before the session: the signature that holds at frame 0 determines the first bar lines.
  public var beat: Double
  /// The bar that begins here, by the jam's own count.
  public var bar: Int
  /// 1…255.
  public var beatsPerBar: Int
  /// The counted beat is a whole note divided by this: a power of two, 1…128.
  public var beatUnit: Int

  public init(beat: Double, bar: Int, beatsPerBar: Int, beatUnit: Int) {
    self.beat = beat
    self.bar = bar
    self.beatsPerBar = beatsPerBar
    self.beatUnit = beatUnit
  }
}
