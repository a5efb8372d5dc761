/// The kinds of events in the log. The raw value is a stable word that programs may compare.
public enum LogKind: String, CaseIterable, Sendable {
  // The process.
  case serverStarted = "server.started"
  /// The addresses of the server's page and of its controls.
  case serverOpen = "server.open"
  /// The network knows the server under a name.
  case serverAnnounced = "server.announced"
  case serverStopping = "server.stopping"
  case serverStopped = "server.stopped"
  case serverFailed = "server.failed"
  /// The server left something out or did it differently, and still works.
  case serverWarning = "server.warning"
  case descriptorsLow = "descriptors.low"
  case descriptorsExhausted = "descriptors.exhausted"
  /// The machine's wall clock was set, or the machine slept.
  case clockStepped = "clock.stepped"
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
  /// A message over OSC that was answered by an error.
  case messageRefused = "message.refused"
  /// OSC came by UDP to the port of the page.
  case wrongPort = "osc.misdirected"

  // Stored files and journals.
  case uploadKept = "upload.kept"
  case uploadRefused = "upload.refused"
  case kitProblem = "kit.problem"
  case journalOpened = "journal.opened"
  case journalFailed = "journal.failed"
  /// The disk takes long to write the journal.
  case journalLate = "journal.late"
  /// The journal works again after a failure, and nothing is missing.
  case journalKept = "journal.kept"
  /// The end of a journal was torn or overwritten, and its content is lost.
  case journalDamaged = "journal.damaged"
  /// Something that was kept cannot be read any more.
  case journalProblem = "journal.problem"

  public var level: LogLevel {
    switch self {
    case .serverFailed: .error
    case .serverWarning, .descriptorsLow, .descriptorsExhausted, .clockStepped, .buffersLate, .logSuppressed,
      .logDropped, .roomRefused, .guessWrong, .guessRefused, .connectionRefused, .senderFlooded, .uploadRefused,
      .wrongPort,
      .kitProblem, .journalFailed, .journalLate, .journalDamaged, .journalProblem:
      .warning
    case .serverStarted, .serverOpen, .serverAnnounced, .serverStopping, .serverStopped,
      .roomOpened, .roomClosed, .playerJoined, .playerLeft, .playerRenamed, .playerKicked,
      .hostGranted, .uploadKept, .journalKept:
      .info
    case .journalOpened, .messageRefused: .debug
    }
  }

  /// Whether a person outside can cause the event at will. Such events are written at a limited
  /// rate, and the omitted ones are counted.
  public var isLimited: Bool {
    switch self {
    case .serverStarted, .serverOpen, .serverStopping, .serverStopped, .serverFailed, .serverWarning, .logSuppressed,
      .logDropped, .descriptorsLow, .clockStepped:
      false
    default: true
    }
  }
}
