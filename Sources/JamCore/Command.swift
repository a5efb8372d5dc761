/// A request of a player to a room. Every edge turns bytes into commands; nothing behind an edge
/// knows OSC.
public enum Command: Hashable, Sendable {
  // Pads.
  /// The last value is the number of a hit that its client sounds itself.
  case hit(Pad, Velocity, OwnHit = .none)
  /// A hit whose strength is a number on the player's own scale.
  case strike(Pad, Strike, OwnHit = .none)
  case release(Pad)
  /// Withdraws the pad's hits that have not sounded yet.
  case cancel(Pad)
  /// Restores the kit's own settings.
  case resetPad(Pad)
  /// Plays the pad, or any sound by its id, on the player's own cue alone.
  case preview(Pad)
  case previewSample(String)
  // Kits.
  case chooseKit(KitChoice)
  /// Transposes the sounds that have a key to this key, the shortest way. An empty name restores
  /// the kit's own keys.
  case tuneKit(String)
  case listKits
  /// The sounds of one category; an empty category lists all.
  case listSamples(String)
  /// Moves so many sounds on among the sounds of the pad's category: 1 is the next, −1 the
  /// previous.
  case browseSample(Pad, Int)
  /// Keeps the player's pads as a kit with that name.
  case saveKit(String)
  /// A host deletes a saved kit or an own sound, by its name or id.
  case deleteKit(String)
  case deleteSample(String)
  // A player's own sounds.
  /// Records from the server's input to the pad, until `stopRecording`.
  case record(Pad)
  case stopRecording
  /// Puts the last bars on the pad: those of one player, or with nil those of the room's mix.
  case grab(Pad, bars: Int, player: PlayerName?)
  // Keys are pressed and released as pads are.
  /// Where the finger lies on the key, 0…1, and how far the finger bends the note, in semitones.
  case keyHeight(Pad, Float)
  case keyBend(Pad, Float)
  /// Moves so many places on in the list of instruments.
  case browseInstruments(Int)
  case listInstruments
  case listProgressions
  case saveProgression(String)
  case deleteProgression(String)
  /// Presses a chord of the player's progression, counted from 1. Without a strike the chord is
  /// released.
  case pressChord(Int, Strike?)
  /// Only in a score: a chord begins that the player's progression plays, or that one press of the
  /// player plays. The text is its name.
  case chord(String)
  /// Plays an instrument on the player's own cue alone. The text is the instrument's id or name.
  case previewInstrument(String)
  /// Only in a score: the player's keys play this patch from here on. Indirect, because otherwise
  /// every command would be as large as a patch.
  indirect case usePatch(Patch)
  // Clock.
  case tapTempo
  /// A message of an outside clock.
  case midiClock(MIDIClock)
  /// Milliseconds, −1,000…1,000; positive is earlier.
  case nudge(Float)
  case play, stop
  // Loops.
  case loop(LoopAction)
  /// Records without waiting for a bar line: in silence from the player's next hit on, else from
  /// the last bar line on.
  case recordNow
  /// Makes a layer of what the player just played.
  case catchPlayed
  case deleteLayer(Int)
  /// A copy of another player's layer becomes a layer of the asker's; the other's layer rests until
  /// the asker gives it back. Layers count from 1.
  case borrow(PlayerName, layer: Int)
  case returnLayer(Int)
  /// The notes of a player's loop; nil is the asker's own loop.
  case listNotes(PlayerName?)
  /// Moves a note of a layer of the player's own loop, changes its strength, or removes it.
  case changeNote(layer: Int, NoteChange)
  /// Adds a note that sounds as the pad sounds now. `beat` counts quarter notes from the loop's
  /// beginning.
  case addNote(layer: Int, Pad, beat: Float, velocity: Float)
  /// Only in a score: the hit that was played under this number sounds again on a layer, at `gain`
  /// dB, and is released after `hold` frames. Layer 0 is a lane; `hold` 0 never releases.
  case loopHit(layer: Int, hit: UInt32, hold: Int32, gain: Float)
  /// Only in a score: the player left, and its loop plays on.
  case leaveLoop
  case undo, redo
  /// A host undoes or redoes an edit of something that belongs to the whole room.
  case roomUndo, roomRedo
  /// A host takes back all that a player recorded, set and saved here.
  case takeBackAll(PlayerName)
  /// All changes that the player makes until the group ends are one edit.
  case groupEdits(Bool)
  /// Lists the steps of the player's history, or of the room's.
  case listSteps, listRoomSteps
  // Scenes, numbered from 1.
  /// Keeps as the scene what the room plays now.
  case keepScene(Int)
  /// From the next bar line on, the room plays what it played when the scene was kept.
  case launchScene(Int)
  // Blocks and lanes.
  case listBlocks
  /// The blocks that a player saved. For hosts.
  case listBlocksOf(PlayerName)
  /// The hits of a block.
  case listHits(String)
  /// Saves a layer as a block; 0 saves all layers. `from` is the first bar, counted from 1; `bars`
  /// nil saves all bars.
  case saveBlock(String, layer: Int, from: Int, bars: Int?)
  case copyBlock(String, to: String)
  /// From now on everybody in the room has the block.
  case shareBlock(String)
  /// For hosts: deletes a block of that player; nil is the asker's own block.
  case deleteBlock(String, of: PlayerName? = nil)
  /// Sets a sixteenth of the block, counted from 1; velocity 0 clears the sixteenth.
  case setBlockStep(String, Pad, step: Int, velocity: Float)
  /// An edit in `StruckEdit` with a velocity above 1. The velocity is on the player's scale, as a
  /// hit's is.
  indirect case struck(StruckEdit, Strike)
  /// Repeats the block on the player's cue alone; an empty name ends that.
  case previewBlock(String)
  case lane(Int, LaneAction)
  /// Slot 0 ends the focus.
  case focus(lane: Int, slot: Int)
  /// Moves a slot within its lane, or to another lane.
  case moveSlot(lane: Int, from: Int, to: Int, toLane: Int? = nil)
  case swapSlots(lane: Int, Int, Int)
  /// Makes a groove for the player, or another one: drums, bass and chords on lanes.
  case groove(GrooveMood)
  /// The part of the groove rests, and the player records a layer in its place.
  case replaceGroove(GroovePart)
  /// Only in a score: a hit of a block, with a number of its own to which `loopHit` refers.
  /// Indirect, because otherwise every command would be twice as large.
  indirect case define(Voicing, Velocity, turn: Int)
  /// Indirect for the same reason as `define`.
  indirect case project(ProjectCommand)
  indirect case take(TakeCommand)
  /// The words may hold filters. Empty words ask for the items that are used most.
  case search(String)
  /// A player takes over the part that another player left playing.
  case takePart(PlayerName)
  /// Moves the tempo from the next bar line on to `bpm`, 20…300; nil is a quarter faster than now.
  case buildUp(bpm: Float?, bars: Int, TempoCurve)
  /// Ends the build-up: `drop` on the next bar line, `cancelBuildUp` now.
  case drop, cancelBuildUp
  /// Only in a score: how a build-up changes the mix. `rise` moves the riser to a level in 0…1
  /// within so many frames; `hush` is the silence.
  case rise(Float, frames: Int)
  case hush(Bool)
  /// Only in a score: the click of the player's count-in is on, or over.
  case countIn(Bool)
  /// Only in a score: from here on the pad's sound lasts so many times as long, to fill its beats.
  case fit(Pad, Float)
  // Any setting.
  case set(Setting, SettingValue)
  /// Changes a switch without naming a value.
  case toggle(Setting)
  /// The player hears everybody in its own streams as everybody does.
  case levelMix
  /// The effects of the player's channel are as a new player's; and those of the room, with its
  /// pitch and filter, as a new room's.
  case effectsOff, roomEffectsOff
  case read(Setting)
  case readAll
  // People.
  case chat(String)
  case listChat
  /// To everybody; the name is the player who is meant.
  case react(Reaction, to: PlayerName?)
  /// Ends all of the player's voices and holds now.
  case panic
  case panicEverybody
  case becomeHost(String)
  case leave
  /// A host puts a player out for so long; nil is `Limits.kickSeconds`.
  case kick(PlayerName, seconds: Int? = nil)
  /// A host lets a player back in before the kick's time is over.
  case admit(PlayerName)
}

extension Command {
  /// Whether the command presses a pad or a key.
  public var isHit: Bool { hitPad != nil }

  /// Whether the command presses a pad, a key or a chord.
  public var isPress: Bool {
    if case .pressChord(_, .some) = self { true } else { isHit }
  }

  /// The pad that the command hits.
  public var hitPad: Pad? {
    switch self {
    case .hit(let pad, _, _), .strike(let pad, _, _): pad
    default: nil
    }
  }

  /// The command for a number that is sent to a pad: 0 is the release.
  @inlinable public static func press(
    _ pad: Pad, _ number: Float, isInteger: Bool = false, _ own: OwnHit = .none
  ) -> Command {
    Strike(number, isInteger: isInteger).map { .strike(pad, $0, own) } ?? .release(pad)
  }

  /// Whether the command is a MIDI clock's message. The room receives such a message when it comes,
  /// and its timetag says when it was meant.
  public var isClock: Bool { if case .midiClock = self { true } else { false } }
}

/// A change of a player's loop on the next bar line.
public enum LoopAction: String, CaseIterable, Sendable {
  /// Records one pass as a layer; then the loop plays.
  case record
  /// Every pass in which the player hits something becomes a layer.
  case overdub
  case play, stop
  /// Deletes all layers.
  case clear

  /// Whether the action records.
  public var isPass: Bool { self == .record || self == .overdub }
}

/// A change of a player's lane on the next bar line; `clear` acts at once.
public enum LaneAction: String, CaseIterable, Sendable {
  /// Plays the lane once.
  case play
  /// Repeats the lane.
  case loop
  case stop, clear
}

/// How a player chooses a kit.
public enum KitChoice: Hashable, Sendable {
  case id(String)
  /// Counted from 0, as in `/kits`.
  case index(Int)
  case next, previous
}

/// The part of the room's settings that a host reserves for hosts.
public enum Lock: String, CaseIterable, Sendable {
  case none, tempo, loops, kits, key

  public var word: String { rawValue }
}
