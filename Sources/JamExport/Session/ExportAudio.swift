/// A sound file that belongs to a track, at 48 kHz.
public struct ExportAudio: Hashable, Sendable {
  /// Relative to the folder of the export, with `/` between the parts: `stems/Ada.wav`.
  public var path: String
  /// The length in frames.
  public var frames: Int
  /// 1 or more.
  public var channels: Int
  /// The frame of the session at which the file begins.
  public var frame: Int

  public init(path: String, frames: Int, channels: Int = 2, frame: Int = 0) {
    self.path = path
    self.frames = frames
    self.channels = channels
    self.frame = frame
  }
}
