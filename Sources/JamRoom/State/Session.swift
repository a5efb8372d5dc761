internal import JamCore

/// The room's journal, take, project and recording, its edits, and its counts.
struct Session: Equatable, Sendable {
  /// Whether what happens in the room is kept.
  var journal = JournalReport(.off)
  /// The take that is being recorded, and whether somebody started it; empty while it is quiet.
  var take = ""
  var isTakeStarted = false
  /// The room's project.
  var project = OpenProject()
  /// The last deed to it, and its player.
  var projectDeed = ProjectDeed.none
  var projectPlayer = ""
  /// One is being read, or waits for its bar line: no other is opened meanwhile.
  var isOpeningProject = false
  /// The one that waits for its bar line.
  var opening: WaitingProject?
  /// The place for the sound that is being recorded; nil while none is.
  var recording: SoundPlace?
  /// Counts since the room began.
  var tally = Tally()
  /// A layer was borrowed here, ever.
  var hasLoans = false
  /// The edits of the whole room.
  var history = RoomHistory()
}
