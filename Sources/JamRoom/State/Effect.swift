public import JamCore
public import JamEngine

/// The requests of a room's step to the world. `EffectCarrier` sends the engine its own; the
/// carrier's owner answers the rest.
///
/// Large and rare cases are indirect: all take the room of the largest, and each hit has five.
public enum Effect: Sendable {
  /// For the engine, stamped, with the sound that it reads: the sender counts it first.
  case engine(EngineCommand, reads: PlayableSound? = nil)
  /// For the log: the command as it took effect, beside the engine command of the same number.
  case log(LogEntry)
  /// The command of that number was applied at `frame`, later than the log says.
  case correctLog(sequence: UInt64, frame: Frames)
  /// The hit of that number never sounded: the log must not hold it.
  case withdrawLog(sequence: UInt64)
  case tell(Event, Audience)
  /// A kit is wanted that is not in memory; `RoomState.kitArrived` or `kitFailed` answers.
  case loadKit(id: String)
  /// An own sound that the room lacks is wanted; `ownSoundArrived` or `ownSoundMissing` answers.
  case loadOwnSound(hash: String)
  /// Sounds of blocks are wanted; `RoomState.soundsArrived` answers.
  case loadSounds(SoundsOrder)
  /// Keeps a block beyond the server's end, or removes it. Only a failure is answered, by
  /// `RoomState.blockNotKept`. Nobody is told if nobody here saved it.
  case keepBlock(Block, for: PlayerID?)
  case removeBlock(Block)
  /// The server's input is wanted as a sound, until `stopRecording`; `made` or `notMade` answers.
  case record(SoundPlace)
  case stopRecording
  /// Past bars are wanted as a sound; `made` or `notMade` answers.
  indirect case grab(GrabOrder)
  /// Pads are wanted as a kit; `kitSaved` or `kitNotSaved` answers.
  indirect case saveKit(KitOrder)
  /// Deletes a saved kit; `kitGone` or `kitNotDeleted` answers.
  case deleteKit(String, for: PlayerID)
  /// Something is wanted of the catalogue of projects; `projectAnswered` answers.
  indirect case project(ProjectOrder)
  /// Something is wanted of the takes; `takeAnswered` answers.
  indirect case take(TakeOrder)
  /// Something of the library is looked for; `searchAnswered` answers.
  indirect case search(SearchOrder)
  /// A block of another room is wanted; `blockCarried` answers.
  indirect case carryBlock(CarryOrder)
  /// Something of the library was used; nothing answers.
  indirect case used(LibraryUse)
  /// A project was read in, and nobody is left to play it.
  case projectNotTaken(String)
  /// A sound that was brought along is not kept in the room any more, under that name.
  case forgetSound(hash: String, name: String)
  /// Kits and sounds are taken from the library's lists, or put back; nothing answers.
  indirect case setTaken(TakenItems, Bool)
  /// A stretched sound is wanted; `RoomState.stretched` answers.
  case stretch(StretchOrder)
  /// An older tempo map that the engine may still read, until it reports this revision.
  case retireMap(TempoMapMemory, revision: UInt64)
  /// The people, as they are shown, have changed.
  case peopleChanged
  /// A player left the room; `kickedBy` is a host who put it out.
  case left(PlayerID, PlayerName, kickedBy: PlayerName?)
  /// Somebody is a host who was none: by the word, or by another host.
  case madeHost(PlayerName, by: PlayerName?)
}
