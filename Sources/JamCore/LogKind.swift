/// What can stand in the log. The raw value is a stable word that programs may compare.
public enum LogKind: String, CaseIterable, Sendable {
  // The process.
  case serverStarted = "server.started"
  /// Where its page and its controls are.
  case serverOpen = "server.open"
  case serverStopping = "server.stopping"
  case serverStopped = "server.stopped"
  case serverFailed = "server.failed"
  /// Something is left out or done otherwise, and the server works all the same.
  case serverWarning = "server.warning"
  case descriptorsLow = "descriptors.low"
  case descriptorsExhausted = "descriptors.exhausted"
  case buffersLate = "buffers.late"
  case logSuppressed = "log.suppressed"
  case logDropped = "log.dropped"

  // Rooms and people.
  case roomOpened = "room.opened"
  case roomClosed = "room.closed"
  case roomRefused = "room.refused"
  case playerJoined = "player.joined"
  case playerLeft = "player.left"
  case playerRenamed = "player.renamed"
  case playerKicked = "player.kicked"

  // Rights.
  case hostGranted = "host.granted"
  case guessWrong = "guess.wrong"
  case guessRefused = "guess.refused"

  // Load.
  case connectionRefused = "connection.refused"
  case senderFlooded = "sender.flooded"

  // What is kept.
  case uploadKept = "upload.kept"
  case uploadRefused = "upload.refused"
  case kitProblem = "kit.problem"
  case journalOpened = "journal.opened"
  case journalFailed = "journal.failed"
  /// The disk takes long to write it.
  case journalLate = "journal.late"
  /// It failed, and works again: nothing is missing.
  case journalKept = "journal.kept"
  /// The end of a journal was torn or overwritten: what stood there is lost.
  case journalDamaged = "journal.damaged"
  /// Something that was kept cannot be had any more.
  case journalProblem = "journal.problem"

  public var level: LogLevel {
    switch self {
    case .serverFailed: .error
    case .serverWarning, .descriptorsLow, .descriptorsExhausted, .buffersLate, .logSuppressed, .logDropped,
      .roomRefused, .guessWrong, .guessRefused, .connectionRefused, .senderFlooded, .uploadRefused, .kitProblem,
      .journalFailed, .journalLate, .journalDamaged, .journalProblem:
      .warning
    case .serverStarted, .serverOpen, .serverStopping, .serverStopped, .roomOpened, .roomClosed, .playerJoined,
      .playerLeft, .playerRenamed, .playerKicked, .hostGranted, .uploadKept,
      .journalKept:
      .info
    case .journalOpened: .debug
    }
  }

  /// Whether somebody outside can bring it about as often as they like: then it is written at a
  /// limited rate, and what is left out is counted.
  public var isLimited: Bool {
    switch self {
    case .serverStarted, .serverOpen, .serverStopping, .serverStopped, .serverFailed, .serverWarning, .logSuppressed,
      .logDropped, .descriptorsLow:
      false
    default: true
    }
  }
}
