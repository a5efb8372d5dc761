/// The reason why a file was not written.
public enum ExportError: Error, Hashable, Sendable {
  public enum Action: String, Hashable, Sendable {
    case open, read, write, sync, close, rename
  }

  /// The system refused: the action, the file, and `errno`. A full disk is `ENOSPC`.
  case file(action: Action, path: String, code: Int32)
  /// A file became shorter while it was copied into an archive.
  case shortened(path: String)
  /// A path that would leave the folder of the export, or that an archive cannot hold.
  case badPath(String)
  /// An archive holds each path once.
  case duplicatePath(String)
  /// A WAV file has 1…65,535 channels.
  case badChannels(Int)
  /// `append` takes whole frames. The error holds the samples, and the channels that do not divide
  /// them.
  case partialFrame(samples: Int, channels: Int)
  /// The caller cancelled.
  case cancelled
}
