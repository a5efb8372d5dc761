/// What a player may ask of a room. Every edge turns bytes into these; nothing behind an edge knows what OSC is.
public enum Command: Hashable, Sendable {
  // Pads.
  case hit(Pad, Velocity)
  /// The same with a number on the player's own scale.
  case strike(Pad, Strike)
  case release(Pad)
  /// Withdraws the pad's hits that have not sounded yet.
  case cancel(Pad)
  /// The kit's own settings again.
  case resetPad(Pad)
  /// Hear the pad, or any sound by its id, on the player's own cue alone.
  case preview(Pad)
  case previewSample(String)
  // Kits.
  case chooseKit(KitChoice)
  /// Transposes the sounds that have a key to this one, the shortest way; without a name they are as the kit has them.
  case tuneKit(String)
  case listKits
  /// Of one category; empty is all.
  case listSamples(String)
  /// The sound so many further among those of the pad's category: 1 is the next, −1 the previous.
  case browseSample(Pad, Int)
  /// Keeps the player's pads as a kit of that name.
  case saveKit(String)
  /// A host deletes a kit that was saved, or a sound that was brought along, by its name or id.
  case deleteKit(String)
  case deleteSample(String)
  // Sounds of one's own.
  /// From the server's input to the pad, until `stopRecording`.
  case record(Pad)
  case stopRecording
  /// The last bars to the pad: of the room's mix, or of one player.
  case grab(Pad, bars: Int, player: PlayerName?)
  // Keys: pressed and let go of as pads are.
  /// Where the finger lies on the key, 0…1, and how far it bends its note, in semitones.
  case keyHeight(Pad, Float)
  case keyBend(Pad, Float)
  /// The instrument so many places further.
  case browseInstruments(Int)
  case listInstruments
  case listProgressions
  case saveProgression(String)
  case deleteProgression(String)
  /// A chord of the player's progression, from 1, is pressed, or let go of without a strike.
  case pressChord(Int, Strike?)
  /// Hear an instrument on the player's own cue alone, by its id or name.
  case previewInstrument(String)
  /// In a score: the player's keys play this from here on. Indirect: every command would be as large.
  indirect case usePatch(Patch)
  // Clock.
  case tapTempo
  /// An outside clock's message.
  case midiClock(MIDIClock)
  /// Milliseconds, positive is earlier; −1,000…1,000.
  case nudge(Float)
  case play, stop
  // Loops.
  case loop(LoopAction)
  case deleteLayer(Int)
  /// The notes of somebody's loop; nil is one's own.
  case listNotes(PlayerName?)
  /// A note of a layer of one's own lies elsewhere, is louder, or goes.
  case changeNote(layer: Int, NoteChange)
  /// One more note, as the pad sounds now, so many quarter notes from the loop's beginning.
  case addNote(layer: Int, Pad, beat: Float, velocity: Float)
  /// In a score: a hit that was played under that number sounds again, on a layer, 0 being a lane, at its gain in dB, let go of after so many frames; 0 is never.
  case loopHit(layer: Int, hit: UInt32, hold: Int32, gain: Float)
  /// In a score: the player left, and its loop plays on.
  case leaveLoop
  case undo, redo
  /// A host takes back, or does again, an edit of what is the whole room's.
  case roomUndo, roomRedo
  /// What the player changes until the group ends is one edit.
  case groupEdits(Bool)
  /// The player's history, and the room's.
  case listSteps, listRoomSteps
  // Scenes, by their numbers from 1.
  /// What plays now becomes the scene.
  case keepScene(Int)
  /// From the next bar line on plays what played when the scene was kept.
  case launchScene(Int)
  // Blocks and lanes.
  case listBlocks
  /// What a player saved, for hosts.
  case listBlocksOf(PlayerName)
  /// The hits of a block.
  case listHits(String)
  /// A layer, or all where it is 0; from a bar, from 1, so many bars, or all of them.
  case saveBlock(String, layer: Int, from: Int, bars: Int?)
  case copyBlock(String, to: String)
  /// Everybody in the room has it from then on.
  case shareBlock(String)
  /// Of a player, for hosts; nil is one's own.
  case deleteBlock(String, of: PlayerName? = nil)
  /// A sixteenth of the block, from 1; velocity 0 clears it.
  case setBlockStep(String, Pad, step: Int, velocity: Float)
  /// One of these with a velocity above 1: it is on the player's scale, as a hit's is.
  indirect case struck(StruckEdit, Strike)
  /// It goes round on the player's cue alone; empty ends that.
  case previewBlock(String)
  case lane(Int, LaneAction)
  /// Slot 0 ends it.
  case focus(lane: Int, slot: Int)
  /// To a slot of the same lane, or of another.
  case moveSlot(lane: Int, from: Int, to: Int, toLane: Int? = nil)
  case swapSlots(lane: Int, Int, Int)
  /// In a score: a hit of a block, with its own number, for `loopHit`.
  /// Indirect: every command would be twice as large.
  indirect case define(Voicing, Velocity, turn: Int)
  /// Indirect: as above.
  indirect case project(ProjectCommand)
  indirect case take(TakeCommand)
  /// The words may hold filters; empty ones ask for what is used most.
  case search(String)
  /// What somebody left playing becomes the player's own.
  case takePart(PlayerName)
  /// From the next bar line to `bpm`, 20…300; nil is a quarter faster.
  case buildUp(bpm: Float?, bars: Int, TempoCurve)
  /// The build-up's end, on the next bar line or now.
  case drop, cancelBuildUp
  /// What a build-up did to the mix, as a score holds it: its riser on the way to 0…1 over so many frames, and the silence.
  case rise(Float, frames: Int)
  case hush(Bool)
  /// In a score: the click of the player's count-in is on, or over.
  case countIn(Bool)
  /// In a score: the pad's sound is made so many times as long from here on, to last its beats.
  case fit(Pad, Float)
  // Any setting.
  case set(Setting, SettingValue)
  /// A switch without a value.
  case toggle(Setting)
  case read(Setting)
  case readAll
  // People.
  case chat(String)
  case listChat
  /// All of the player's voices and holds end now.
  case panic
  case panicEverybody
  case becomeHost(String)
  case leave
  /// A host puts a player out for so long; nil is `Limits.kickSeconds`.
  case kick(PlayerName, seconds: Int? = nil)
  /// A host lets somebody back in who was put out, before the time is over.
  case admit(PlayerName)
}

extension Command {
  /// Whether it is the press of a pad or a key.
  public var isHit: Bool { hitPad != nil }

  /// The pad that it hits.
  public var hitPad: Pad? {
    switch self {
    case .hit(let pad, _), .strike(let pad, _): pad
    default: nil
    }
  }

  /// What a number sent to a pad asks for: 0 is the release.
  @inlinable public static func press(_ pad: Pad, _ number: Float, isInteger: Bool = false) -> Command {
    Strike(number, isInteger: isInteger).map { .strike(pad, $0) } ?? .release(pad)
  }

  /// Is heard as it comes: its timetag says when it was meant.
  public var isClock: Bool { if case .midiClock = self { true } else { false } }
}

/// What is to become of a player's loop on the next bar line.
public enum LoopAction: String, CaseIterable, Sendable {
  /// One pass is taken down as a layer; then the loop plays.
  case record
  /// Every pass in which something is hit becomes a layer.
  case overdub
  case play, stop
  /// All layers go.
  case clear

  /// Whether it takes something down.
  public var isPass: Bool { self == .record || self == .overdub }
}

/// What is to become of a player's lane, on the next bar line; `clear` at once.
public enum LaneAction: String, CaseIterable, Sendable {
  /// Once.
  case play
  /// Round and round.
  case loop
  case stop, clear
}

/// How a kit is chosen.
public enum KitChoice: Hashable, Sendable {
  case id(String)
  /// From 0, as in `/kits`.
  case index(Int)
  case next, previous
}

/// What a host may keep for hosts.
public enum Lock: String, CaseIterable, Sendable {
  case none, tempo, loops, kits, key

  public var word: String { rawValue }
}
