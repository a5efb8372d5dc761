/// What something that was played can be written as, by how the file's name ends.
public enum ExportForm: String, CaseIterable, Hashable, Sendable {
  /// With markers, tempo and the time at which it was played.
  case wav
  case flac
  case opus
  case midi = "mid"
  /// As it was played: `bandshell render` plays it.
  case score
  /// A label track for Audacity.
  case labels = "labels.txt"
  /// A WAV file for each player, or whatever else the mix is divided by.
  case stems = "stems.zip"
  case dawproject
  /// A project for Reaper, with its stems.
  case rpp = "rpp.zip"
}

/// How far a file is that is made of a take, or of a project's loops.
public struct ExportState: Hashable, Sendable {
  public enum Stage: String, Hashable, Sendable, CaseIterable {
    case waiting, making, ready, failed, cancelled
  }

  /// Where it is asked for, behind the server's or the room's address: `takes/2026-11-23-193012.stems.zip?by=pad`.
  public var address: String
  public var stage: Stage
  /// 0…1.
  public var part: Float
  /// Why there is none.
  public var reason: String

  public init(address: String, stage: Stage, part: Float, reason: String = "") {
    self.address = address
    self.stage = stage
    self.part = part
    self.reason = reason
  }
}
