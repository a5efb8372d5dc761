internal import JamCore

/// A player's orders under way, its history, and its wishes for the tempo.
struct Desk: Equatable, Sendable {
  /// A kit that was chosen and is still being read.
  var wantedKit: String?
  /// The pads that it will have.
  var wantedPads: [PadEdit] = []
  /// The kit that is being read is brought back, with `wantedPads`: no edit of the player's own.
  var isRestoring = false
  /// Commands for a chosen kit that is still being read.
  var waitingCommands: [WaitingCommand] = []
  /// A grab or a save of the player is under way: one of each at a time.
  var isGrabbing = false
  var isSaving = false
  /// Was told that blocks are not kept.
  var knowsWhatIsNotKept = false
  var history = History()
  /// The version of the history that was told last.
  var toldHistory = 0
  /// The chord name that the player was told last.
  var toldChord = ""
  /// The player's taps of the tempo, and which run of taps that is.
  var taps = TapAverage()
  var tapRun: UInt64 = 0
  /// In bpm; nil is none.
  var vote: Float?
  var reactions = ReactionPace()
}

extension Desk {
  static let rows: [Row<Desk>] = [
    Row(.chordName) { .text($0.toldChord) },
    Row(.tempoVote, kept: .ownRow) { .float($0.vote ?? 0) },
  ]
}

/// A command sent while the player's kit was being read.
struct WaitingCommand: Hashable, Sendable {
  var command: Command
  /// Whether it may be a host's.
  var hasRights = true
}
