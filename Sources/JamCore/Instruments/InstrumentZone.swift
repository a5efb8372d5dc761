/// Some keys of a sampled instrument, which play one recorded note at their own pitches.
///
/// Thread: any.
public struct InstrumentZone: Hashable, Sendable {
  /// The note that was recorded: its key plays it as it is.
  public var root: Int
  /// The lowest and the highest key, within `reach` of the root.
  public var low: Int
  public var high: Int
  /// Cents by which all of its keys are tuned up.
  public var tune: Float
  /// dB.
  public var gain: Float

  public init(root: Int, low: Int, high: Int, tune: Float = 0, gain: Float = 0) {
    self.root = root
    self.low = low
    self.high = high
    self.tune = tune
    self.gain = gain
  }

  /// As many as a kit has pads: what happens to a zone's sound happens as it does to a pad's.
  public static var most: Int { Pad.count }
  /// How many semitones a recorded note is moved at most.
  public static let reach = 24
  /// Of `tune`: with it no key is further away than a pad can be transposed.
  public static let tunes = -100.0...100

  /// Semitones by which `note` lies from the sound as it was recorded.
  public func transpose(to note: Int) -> Float {
    PadSetting.transpose.row.kind.bounded(Float(note - root) + tune / 100)
  }
}

extension Collection where Element == InstrumentZone, Index == Int {
  /// The pad that the key's zone is in memory; nil where no zone has the key.
  public func pad(of note: Int) -> Pad? {
    firstIndex { $0.low <= note && note <= $0.high }.flatMap { Pad($0 + 1) }
  }
}
