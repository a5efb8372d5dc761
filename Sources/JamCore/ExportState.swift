/// The forms in which a take or a project can be written. The raw value is the end of the file's
/// name.
public enum ExportForm: String, CaseIterable, Hashable, Sendable {
  /// With markers, the tempo and the time of the performance.
  case wav
  case flac
  case opus
  case midi = "mid"
  /// The log of the performance, which `bandshell render` plays.
  case score
  /// A label track for Audacity.
  case labels = "labels.txt"
  /// A zip with a WAV file for each player, or for each part of another division of the mix.
  case stems = "stems.zip"
  case dawproject
  /// A project for Reaper, with its stems.
  case rpp = "rpp.zip"
}

/// The progress of a file that is made from a take, or from a project's loops.
public struct ExportState: Hashable, Sendable {
  public enum Stage: String, Hashable, Sendable, CaseIterable {
    case waiting, making, ready, failed, cancelled
  }

  /// The file's address below the server's or the room's address, such as
  /// `takes/2026-11-23-193012.stems.zip?by=pad`.
  public var address: String
  public var stage: Stage
  /// The finished part, 0…1.
  public var part: Float
  /// Why there is no file.
  public var reason: String

  public init(address: String, stage: Stage, part: Float, reason: String = "") {
    self.address = address
    self.stage = stage
    self.part = part
    self.reason = reason
  }
}
