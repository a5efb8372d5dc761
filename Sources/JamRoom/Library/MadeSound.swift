internal import JamKit

/// A sound that was made of what somebody brought along, and no room has taken yet.
///
/// Thread: any; immutable.
struct MadeSound: Sendable {
  var sound: OwnSound
  let finished: FinishedSound
}

/// The file of a sound that somebody is to decide on.
struct UndecidedFile {
  /// The number of deciders: the same sound may have been brought along several times.
  var deciders = 0
  /// It was not there before.
  var isNew = false
  var isTaken = false
}
