/// What a room tells. Every edge turns these into bytes.
public enum Event: Hashable, Sendable {
  /// A setting's value: the answer to a read, or feedback on a change. `of` names the player where it is a player's own.
  case value(Setting, SettingValue)
  /// The answer to a list, or a new one's announcement.
  case kitItem(index: Int, id: String, name: String, category: String, description: String)
  case sampleItem(id: SampleID, name: String, category: String)
  /// A host deleted it: a kit by its id, a sound by its id and name.
  case kitGone(String)
  case sampleGone(id: SampleID, name: String)
  /// The answer to a list of blocks, or a new one's announcement.
  case blockItem(Block)
  case blockGone(String)
  /// A hit of a block, from its beginning; the pad is nil where the player's kit has nothing for it, the length 0 where it rings out.
  case blockHit(block: String, pad: Pad?, beat: Float, velocity: Velocity, length: Float)
  /// Told at the beat.
  case beat(bar: Int, beat: Int, bpm: Float)
  /// The same, told one counted beat ahead, with the moment.
  case nextBeat(bar: Int, beat: Int, bpm: Float, at: HostTime)
  case position(bar: Int, beat: Int, phase: Float, bpm: Float)
  /// How far a player's loop has gone round, 0 ..< 1.
  case loopPosition(Float)
  case buildUp(BuildUpReport)
  case votes(VoteReport)
  /// Which project the room plays, and what was done to it last.
  indirect case project(ProjectReport)
  /// The answers to lists.
  indirect case projectItem(ProjectItem)
  indirect case projectVersion(ProjectVersion)
  case projectGone(String)
  /// The answer to a list, or what has changed of a take.
  indirect case takeItem(TakeItem)
  case takeGone(String)
  /// The take whose notes are played in the room; empty where none is.
  case takePlaying(String)
  /// The take that is being recorded now, by its id, and whether somebody started it; empty while it is quiet.
  case take(String, isStarted: Bool)
  /// A file is being made of a take, or of a project's loops.
  indirect case export(ExportState)
  /// A hit of a search, the best first, and the end of its hits: the words that were looked for, and how many hits there are.
  indirect case searchItem(SearchItem)
  case searchEnd(String, count: Int)
  /// Whether the room is kept.
  case journal(JournalReport)
  /// To both: a build-up that `by` ordered takes the place of the one of `player`.
  case buildUpReplaced(player: PlayerName, by: PlayerName)
  case hit(player: PlayerName, pad: Pad, velocity: Float, bar: Int, beat: Float)
  /// Somebody's key sounds, 0…127, and does so no more.
  case note(player: PlayerName, note: Int, velocity: Float, bar: Int, beat: Float)
  case noteOff(player: PlayerName, note: Int)
  /// The answer to a list.
  indirect case instrumentItem(Instrument)
  indirect case progressionItem(ShippedProgression)
  indirect case savedProgression(SavedProgression)
  case progressionGone(String)
  /// To the one who hit.
  case receipt(pad: Pad, bar: Int, beat: Float, shiftMilliseconds: Float)
  /// The hit sounded this much after the moment that its timetag named.
  case late(pad: Pad, milliseconds: Float)
  /// Peaks in dBFS; `player` is "master" for the mix.
  case meter(player: String, left: Float, right: Float)
  case clip(player: String)
  /// Of the mix, in LUFS over the last 0.4 s and 3 s, −120 for silence; what the limiter took away at most since the last one, in dB.
  case loudness(momentary: Float, shortTerm: Float, limited: Float)
  case chat(player: PlayerName, text: String)
  /// The answer to a list: what somebody said so many seconds ago.
  case chatItem(player: PlayerName, text: String, secondsAgo: Int)
  /// What somebody's loop does.
  indirect case playerLoop(LoopReport)
  /// The answer to a list of notes: a note, a layer, and the end with the loop's mark.
  indirect case loopNote(LoopNote)
  case loopLayer(LoopLayer)
  case loopNotesEnd(player: PlayerName, mark: Int32)
  /// From somebody's tap to its ear, as its client measured it.
  case playerLatency(player: PlayerName, milliseconds: Float)
  /// Somebody's connection ended, or is there again.
  case playerAway(player: PlayerName, isAway: Bool)
  /// To everybody: the transport stands still by this player's doing, or its clock's.
  case stopped(by: PlayerName)
  /// To the player: what its undo took back, and its redo did again.
  case undone(Undone), redone(Undone)
  /// To the player: its history has changed. To everybody: the room's has.
  indirect case ownSteps(HistorySteps)
  indirect case roomSteps(HistorySteps)
  /// To everybody: what a host took back, or did again, of what is the room's.
  case roomUndone(Undone, by: PlayerName), roomRedone(Undone, by: PlayerName)
  /// Nobody of that name is here any more.
  case playerGone(PlayerName)
  /// To a player whom a host put out of the room, for so many seconds.
  case kicked(by: PlayerName, seconds: Int = 0)
  /// Many answers at once, which may share packets.
  indirect case together([Event])
  /// What the asker should know once.
  case notice(Notice)
  /// A command that could not be carried out, and why.
  indirect case refused(Command, Refusal)
}

/// Which feedback a subscriber wants.
public struct Topics: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let state = Topics(rawValue: 1)
  public static let beat = Topics(rawValue: 2)
  public static let position = Topics(rawValue: 4)
  public static let hits = Topics(rawValue: 8)
  public static let meters = Topics(rawValue: 16)
  /// What undo would take back: told whenever it changes, to whom asks for it.
  public static let history = Topics(rawValue: 32)

  public static let standard: Topics = [.state, .beat, .position, .hits]
  public static let all: Topics = [.state, .beat, .position, .hits, .meters, .history]
  public static let words: [(word: String, topic: Topics)] = [
    ("state", .state), ("beat", .beat), ("position", .position), ("hits", .hits), ("meters", .meters),
    ("history", .history),
  ]
}

extension Event {
  /// The topic that carries this event; nil for answers, which go to the asker alone whatever it subscribed.
  public var topic: Topics? {
    switch self {
    case .value, .chat, .chatItem, .playerLoop, .loopNote, .loopLayer, .loopNotesEnd, .playerLatency, .playerAway,
      .playerGone, .kicked, .stopped, .undone,
      .redone, .roomUndone, .roomRedone, .buildUp, .buildUpReplaced, .votes, .journal, .project,
      .projectItem, .projectVersion, .projectGone, .takeItem, .takeGone, .takePlaying, .take, .export, .searchItem,
      .searchEnd, .instrumentItem, .progressionItem, .savedProgression, .progressionGone, .kitItem, .kitGone,
      .sampleItem,
      .sampleGone, .blockItem, .blockHit, .blockGone:
      .state
    case .ownSteps, .roomSteps: .history
    case .beat, .nextBeat: .beat
    case .position, .loopPosition: .position
    case .hit, .note, .noteOff, .receipt, .late: .hits
    case .meter, .clip, .loudness: .meters
    case .together, .refused, .notice: nil
    }
  }

  /// Told to the one who hit, wherever that was.
  public var answersHit: Bool {
    switch self {
    case .receipt, .late: true
    default: false
    }
  }
}
