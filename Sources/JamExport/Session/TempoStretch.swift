/// A moment from which one tempo holds until the next stretch begins.
///
/// If the beats of two stretches imply another tempo than `beatsPerMinute`, the beats count,
/// because the clock of a jam is a map from beats to frames. There is one exception: beats that
/// stand still, go back or leap (the two tempos are more than a factor of two apart). Then the
/// files go on at `beatsPerMinute`, and all later beats move along.
public struct TempoStretch: Hashable, Sendable {
  /// Frames since the beginning of the session. The number is not whole where a beat begins between
  /// two frames.
  public var frame: Double
  /// Quarter notes, by the jam's own count.
  public var beat: Double
  /// Quarter notes in a minute: 5…500 in a jam. The writers take 1…5,000.
  public var beatsPerMinute: Double

  public init(frame: Double, beat: Double, beatsPerMinute: Double) {
    self.frame = frame
    self.beat = beat
    self.beatsPerMinute = beatsPerMinute
  }
}
