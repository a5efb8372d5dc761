internal import JamCore

/// The room's journal, take, project and recording, its edits, and its counts.
struct Session: Equatable, Sendable {
  /// Whether what happens in the room is kept.
  var journal = JournalReport(.off)
  /// The take that is being recorded, and whether somebody started it; empty while it is quiet.
  var take = ""
  var isTakeStarted = false
  /// What the room's music is called.
  var project = OpenProject()
  /// What was done to that last, and by whom.
  var projectDeed = ProjectDeed.none
  var projectPlayer = ""
  /// One is being read, or waits for its bar line: no other is opened meanwhile.
  var isOpeningProject = false
  /// The one that waits for its bar line.
  var opening: WaitingProject?
  /// Where the sound goes that is being recorded; nil while none is.
  var recording: SoundPlace?
  /// Counts since the room began.
  var tally = Tally()
  /// The edits of what is the whole room's.
  var history = RoomHistory()
}
