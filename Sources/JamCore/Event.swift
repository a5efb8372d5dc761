/// A message of a room to its listeners. Every edge turns events into bytes.
public enum Event: Hashable, Sendable {
  /// A setting's value: the answer to a read, or feedback on a change. For a player's own setting,
  /// the value names the player.
  case value(Setting, SettingValue)
  /// The answer to a list, or the announcement of a new item.
  case kitItem(index: Int, id: String, name: String, category: String, description: String)
  case sampleItem(id: SampleID, name: String, category: String)
  /// A host deleted a kit, named by its id, or a sound, named by its id and name.
  case kitGone(String)
  case sampleGone(id: SampleID, name: String)
  /// The answer to a list of blocks, or the announcement of a new block.
  case blockItem(Block)
  case blockGone(String)
  /// A hit of a block; `beat` counts from the block's beginning. The pad is nil where the player's
  /// kit has no fitting pad. The length is 0 where the sound rings out. The category is the one of
  /// the block, whichever pad plays the hit; empty where its sound has none.
  case blockHit(
    block: String, pad: Pad?, beat: Float, velocity: Velocity, length: Float, category: String)
  /// Sent at the beat.
  case beat(bar: Int, beat: Int, bpm: Float)
  /// The same facts, sent one counted beat ahead, with the moment of the beat.
  case nextBeat(bar: Int, beat: Int, bpm: Float, at: HostTime)
  case position(bar: Int, beat: Int, phase: Float, bpm: Float)
  /// How far a player's loop has gone round, 0 ..< 1.
  case loopPosition(Float)
  case buildUp(BuildUpReport)
  case votes(VoteReport)
  /// The project that the room plays, and the last change of the project.
  indirect case project(ProjectReport)
  /// The answers to lists.
  indirect case projectItem(ProjectItem)
  indirect case projectVersion(ProjectVersion)
  case projectGone(String)
  /// The answer to a list, or a change of a take.
  indirect case takeItem(TakeItem)
  case takeGone(String)
  /// The take whose notes play in the room; empty where none plays.
  case takePlaying(String)
  /// The id of the take that is being recorded, and whether a player started it. The id is empty
  /// while nothing is recorded.
  case take(String, isStarted: Bool)
  /// The progress of a file that is made from a take, or from a project's loops.
  indirect case export(ExportState)
  /// A hit of a search; the best hit comes first. `searchEnd` ends the hits, and holds the searched
  /// words and the number of hits.
  indirect case searchItem(SearchItem)
  case searchEnd(String, count: Int)
  /// Whether the room is kept.
  case journal(JournalReport)
  /// Sent to both players: a build-up that `by` ordered replaces the build-up of `player`.
  case buildUpReplaced(player: PlayerName, by: PlayerName)
  case hit(player: PlayerName, pad: Pad, velocity: Float, bar: Int, beat: Float)
  /// A key of a player, 0…127, begins to sound, and ends.
  case note(player: PlayerName, note: Int, velocity: Float, bar: Int, beat: Float)
  case noteOff(player: PlayerName, note: Int)
  /// The answer to a list.
  indirect case instrumentItem(Instrument)
  indirect case progressionItem(ShippedProgression)
  indirect case savedProgression(SavedProgression)
  case progressionGone(String)
  /// Sent to the player who hit.
  case receipt(pad: Pad, bar: Int, beat: Float, shiftMilliseconds: Float)
  /// The hit sounded this much after the moment in its timetag.
  case late(pad: Pad, milliseconds: Float)
  /// Peaks in dBFS; `player` is "master" for the mix.
  case meter(player: String, left: Float, right: Float)
  case clip(player: String)
  /// The mix, in LUFS over the last 0.4 s and 3 s; −120 is silence. `limited` is the largest
  /// reduction of the limiter since the last such event, in dB.
  case loudness(momentary: Float, shortTerm: Float, limited: Float)
  /// The leveller's gain in dB, 0 at most. Sent to players with a stream without own hits.
  case levellerGain(Float)
  case chat(player: PlayerName, text: String)
  /// The answer to a list: a player's words, and how many seconds ago they were said.
  case chatItem(player: PlayerName, text: String, secondsAgo: Int)
  /// A player's reaction; nil is to everybody.
  indirect case reacted(Reaction, by: PlayerName, to: PlayerName?)
  /// The state of a player's loop.
  indirect case playerLoop(LoopReport)
  /// The answers to a list of notes: a note, a layer, and the end with the loop's mark.
  indirect case loopNote(LoopNote)
  case loopLayer(LoopLayer)
  case loopNotesEnd(player: PlayerName, mark: Int32)
  /// The delay from a player's tap to its ear, as the player's client measured it.
  case playerLatency(player: PlayerName, milliseconds: Float)
  /// How well a player hears the room. Sent to the player and to hosts.
  case playerLight(player: PlayerName, PlayerLight)
  /// A player's connection ended, or is back.
  case playerAway(player: PlayerName, isAway: Bool)
  /// Sent to everybody: this player, or its clock, stopped the transport.
  case stopped(by: PlayerName)
  /// Sent to the player: the changes that its undo reverted, or that its redo made again.
  case undone(Undone), redone(Undone)
  /// Sent to the player when its own history changes, and to everybody when the room's history
  /// changes.
  indirect case ownSteps(HistorySteps)
  indirect case roomSteps(HistorySteps)
  /// Sent to everybody: a host undid, or redid, a change of something that belongs to the room.
  case roomUndone(Undone, by: PlayerName), roomRedone(Undone, by: PlayerName)
  /// The room has no player with that name any more.
  case playerGone(PlayerName)
  /// Sent to a player when a host puts the player out of the room for so many seconds.
  case kicked(by: PlayerName, seconds: Int = 0)
  /// Many answers at once. They may share packets.
  indirect case together([Event])
  /// A fact that the asker should learn once.
  case notice(Notice)
  /// A command that the room refused, and the reason.
  indirect case refused(Command, Refusal)
}

/// The kinds of feedback that a subscriber asks for.
public struct Topics: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let state = Topics(rawValue: 1)
  public static let beat = Topics(rawValue: 2)
  public static let position = Topics(rawValue: 4)
  public static let hits = Topics(rawValue: 8)
  public static let meters = Topics(rawValue: 16)
  /// The steps that undo would revert. Sent on every change to subscribers who ask for this topic.
  public static let history = Topics(rawValue: 32)

  /// The values alone of those who play and asked for nothing; nobody can ask for this topic.
  public static let lights = Topics(rawValue: 64)
  /// A mixer's values under the numbers of its faders. Sent to subscribers who ask for seats.
  public static let seats = Topics(rawValue: 128)

  /// The messages that others send, with their outcomes. Sent to subscribers who ask. They are no
  /// events of the room: the OSC edge tells them by itself.
  public static let monitor = Topics(rawValue: 256)

  public static let standard: Topics = [.state, .beat, .position, .hits]
  public static let all: Topics = [
    .state, .beat, .position, .hits, .meters, .history, .seats, .monitor,
  ]
  public static let words: [(word: String, topic: Topics)] = [
    ("state", .state), ("beat", .beat), ("position", .position), ("hits", .hits), ("meters", .meters),
    ("history", .history), ("seats", .seats), ("monitor", .monitor),
  ]
}

extension Event {
  /// The topic that carries this event. Nil is an answer, which goes only to the asker, whatever
  /// topics the asker subscribed to.
  public var topic: Topics? {
    switch self {
    case .value(let setting, _): setting.seat == nil ? .state : .seats
    case .reacted: .state
    case .chat, .chatItem, .playerLoop, .loopNote, .loopLayer, .loopNotesEnd, .playerLatency,
      .playerLight, .playerAway,
      .playerGone, .kicked, .stopped, .undone,
      .redone, .roomUndone, .roomRedone, .buildUp, .buildUpReplaced, .votes, .journal, .project,
      .projectItem, .projectVersion, .projectGone, .takeItem, .takeGone, .takePlaying, .take, .export, .searchItem,
      .searchEnd, .instrumentItem, .progressionItem, .savedProgression, .progressionGone, .kitItem, .kitGone,
      .sampleItem,
      .sampleGone, .blockItem, .blockHit, .blockGone, .levellerGain:
      .state
    case .ownSteps, .roomSteps: .history
    case .beat, .nextBeat: .beat
    case .position, .loopPosition: .position
    case .hit, .note, .noteOff, .receipt, .late: .hits
    case .meter, .clip, .loudness: .meters
    case .together, .refused, .notice: nil
    }
  }

  /// Whether the event answers a hit. It goes to the player who hit, whichever room the hit was in.
  public var answersHit: Bool {
    switch self {
    case .receipt, .late: true
    default: false
    }
  }
}
