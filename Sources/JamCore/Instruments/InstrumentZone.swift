/// A range of keys of a sampled instrument. All keys of a zone play one recorded note, each at its
/// own pitch.
///
/// Thread: any.
public struct InstrumentZone: Hashable, Sendable {
  /// The recorded note. Its key plays the sound unchanged.
  public var root: Int
  /// The lowest and the highest key; both lie within `reach` of the root.
  public var low: Int
  public var high: Int
  /// Cents by which all keys of the zone are tuned up.
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

  /// A kit's number of pads, because a zone's sound goes through the same code as a pad's.
  public static var most: Int { Pad.count }
  /// The largest transposition of a recorded note, in semitones.
  public static let reach = 24
  /// The range of `tune`, in cents. With this range, no key needs a larger transposition than a pad
  /// can have.
  public static let tunes = -100.0...100

  /// Semitones from the recorded sound to `note`.
  public func transpose(to note: Int) -> Float {
    PadSetting.transpose.row.kind.bounded(Float(note - root) + tune / 100)
  }
}

extension Collection where Element == InstrumentZone, Index == Int {
  /// The pad that stands for the key's zone in memory; nil where no zone has the key.
  public func pad(of note: Int) -> Pad? {
    firstIndex { $0.low <= note && note <= $0.high }.flatMap { Pad($0 + 1) }
  }
}
