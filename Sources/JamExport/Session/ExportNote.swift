/// One note of a track.
public struct ExportNote: Hashable, Sendable {
  /// Frames since the beginning of the session. Notes that begin outside the session are left out.
  public var frame: Int
  /// Frames; less than one tick of the file becomes one tick.
  public var length: Int
  /// 0…127; a higher one is left out.
  public var key: UInt8
  /// 1…127; others become the nearest.
  public var velocity: UInt8
  /// 0…15; others become 15. General MIDI's drums are on 9.
  public var channel: UInt8

  public init(frame: Int, length: Int, key: UInt8, velocity: UInt8, channel: UInt8 = 9) {
    self.frame = frame
    self.length = length
    self.key = key
    self.velocity = velocity
    self.channel = channel
  }
}
