/// A value of a pad, a player or the room that can be read by name. Most settings can also be set.
public enum Setting: Hashable, Sendable {
  // A player's pads.
  /// The text of a `SampleID`.
  case padSample(Pad)
  case pad(PadSetting, Pad)
  case padName(Pad)
  case padSeconds(Pad)
  case padCategory(Pad)
  case padLit(Pad)
  case padPending(Pad)
  /// The note or chord that the pad plays where the pads are a keyboard, as written in the room's
  /// key. Empty means the kit's sound.
  case padPlays(Pad)
  // Settings of a player.
  /// Whether the kit's sounds that have a key follow the room's key.
  case kitFollow
  case kit, kitName, gain, mute, metronome, metronomeGain
  /// The id of the instrument for the player's keys.
  case instrument
  case patch(PatchSetting)
  /// The effects of the player's channel, and its sends to the room's delay and reverb.
  case effect(EffectSetting)
  /// The player whose kicks or pads duck the channel, where `/duck/source` is `kick` or `pad`: a
  /// name. Empty means any player.
  case duckPlayer
  /// How far the wheel bends all the player's notes, −1…1 of the patch's range; and whether the
  /// player's pedal is down.
  case bend, sustain
  /// The assignment of the player's pads (a `PadLayout`'s word), and the octave of the lowest note.
  case padLayout, keyOctave
  /// Whether keys outside the room's scale play the nearest note in it.
  case keySnap
  /// How many notes of a chord of the scale a key plays, where 0 is the key alone; the chord's
  /// inversion and spread; and whether each chord takes the shortest way from the one before.
  case chordSize, chordInversion, chordSpread, chordLead
  /// The player's progression, as its name or as the typed text; whether it plays; and the chord
  /// that sounds.
  case progression, progressionOn, progressionChord
  /// The name of the player's notes that sound, and further names with spaces between them.
  case chordName
  /// The player's arpeggiator: an `ArpeggioMode`'s word, a `Grid`'s word, octaves, the held part of
  /// the step, the latch, a velocity (0 is as played), and swing.
  case arpMode, arpRate, arpOctaves, arpGate, arpLatch, arpVelocity, arpSwing
  /// The rate at which pads of mode `repeat` repeat: a `Grid`'s word.
  case repeatRate
  /// Whether every pad repeats while it is held, in any mode.
  case repeatsAll
  /// The number of bars of a loop that is recorded from now on: 1…64.
  case loopBars
  /// Bars of clicks before a recording begins, 0…4.
  case countIn
  /// The grid towards which a recording moves hits (a `Grid`'s word), and how far.
  case loopQuantize, loopQuantizeStrength
  /// `empty`, `playing` or `stopped`; `recording` and `overdubbing` while a pass is recorded;
  /// `waiting` before the bar line.
  case loopState
  /// The number of layers of the loop.
  case loopLayers
  /// A layer's setting; layers count from 1.
  case layerMute(Int)
  case layerGain(Int)
  /// The velocity of a pad's step, counted from 1; 0 is an empty step.
  case step(Pad, Int)
  /// After how many steps the row repeats, 4…64: for all pads, and for one pad. For one pad, 0
  /// means the number of all pads.
  case steps
  case padSteps(Pad)
  /// The name of the block in a slot of a lane; both count from 1. Empty where the slot is empty.
  case laneSlot(Int, Int)
  /// A lane's `empty`, `stopped`, `waiting`, `playing` or `looping`; the slot that plays; and the
  /// focused slot. 0 is none.
  case laneState(Int), lanePlaying(Int), laneFocus(Int)
  /// Whether a part of the player's groove sounds or will from the next bar line on; the parts that
  /// are there, with spaces between them; the groove's progression; and its player's name. Empty is
  /// no groove.
  case groove(GroovePart), grooveParts, grooveName, groovePlayer
  /// The grid for which the player's hits wait (a `Grid`'s word), and how far the hits move towards
  /// it.
  case quantize, quantizeStrength
  /// The number that means full velocity in the player's hits.
  case velocityMax
  /// How the player keeps time with the room: a `Timing`'s word.
  case timing
  /// Whether the player has chosen its `timing`.
  case timingChosen
  /// The delay from the player's tap to its ear in ms, as its client measured it; 0 is unknown.
  /// Everybody is told.
  case latency
  /// Whether the player is a host.
  case host
  /// The `Role` of the player itself, as a word, and that of any player by name.
  case role
  case roleOf(PlayerName)
  /// Whether the player is in the room's music; otherwise it waits at the door.
  case admitted(PlayerName)
  /// That a host took back all of the player: a step of the room's history, and no value.
  case takenBack(PlayerName)
  /// The player's vote where the room votes on its tempo, in bpm; 0 is no vote.
  case tempoVote
  // A host's settings of a player's channel.
  case channelGain(PlayerName)
  case channelMute(PlayerName)
  case channelSolo(PlayerName)
  // A player's mix of its own, by the others' names: in its own streams alone.
  case mixGain(PlayerName)
  case mixMute(PlayerName)
  /// The player's seat: its number on a mixer.
  case seatOf(PlayerName)
  /// The name of the player in a seat, empty where nobody sits; and whether somebody sits there.
  case seatName(Int), seatTaken(Int)
  /// A setting of the channel of whoever sits there. The name in it is `PlayerName.anybody`.
  indirect case ofSeat(Int, Setting)
  // Settings of the room.
  case masterGain, leveller, pitch, modulation, tempo, signature, playing, metronomeSpeakers
  /// The room's delay and reverb, and the effects on the whole mix.
  case roomEffect(RoomEffectSetting)
  /// The parts of build-ups, and their behaviour at the end.
  case buildUpRoll, buildUpRiser, buildUpImpact, buildUpSilence, buildUpHold
  /// The pad that a build-up repeats; 0 is the player's first snare.
  case buildUpPad
  /// A `TempoMode`'s word.
  case tempoMode
  /// The player whose MIDI clock the tempo follows; empty where it follows none.
  case tempoSource
  /// How late the off-beats are; see `GridLines`.
  case swing
  /// The room's key: a `KeyRoot`'s word, a `Scale`'s word, and the scale's notes with spaces
  /// between them.
  case keyRoot, scale, scaleNotes
  /// The player who records a sound from the server's input; empty where none does.
  case recording
  /// The settings that are reserved for hosts: a `Lock`'s word.
  case lock
  /// Whether those who join anew wait at the door until a host lets them in.
  case door
  /// The player who moved the control last; empty while it is at rest.
  case holder(PlayedControl)
  /// Whether these controls stay where they are when their players leave.
  case pinned
  /// A scene, by its number from 1: its name, and its parts as text (`Scene`). Both are empty for
  /// an empty scene.
  case sceneName(Int), scene(Int)
  /// The scene that was launched last, and the scene that waits for its bar line; 0 is none.
  case sceneLaunched, sceneWaiting
  // Numbers for controllers.
  /// The light of a control that triggers something.
  case light(Light)
  /// The tempo as it sounds, also within a build-up; and the bars until the drop, 0 without a
  /// build-up.
  case soundingTempo, buildUpBars
}

/// Settings in the order in which the contract lists them, chapter by chapter.
extension Setting {
  public static let ofMix: [Setting] = [.gain, .mute, .pitch, .modulation, .masterGain, .leveller]
  /// The room's key is among them.
  public static let ofTiming: [Setting] = [
    .quantize, .quantizeStrength, .swing, .keyRoot, .scale, .scaleNotes, .repeatRate, .repeatsAll,
    .timing, .timingChosen,
  ]
  public static let ofMetronome: [Setting] = [.metronome, .metronomeGain, .metronomeSpeakers]
  public static let ofTempo: [Setting] = [.tempoMode, .tempoVote, .tempoSource]
  public static let ofPasses: [Setting] = [
    .loopBars, .countIn, .loopQuantize, .loopQuantizeStrength,
  ]
  /// The notes of a press of a pad or a key.
  public static let ofPresses: [Setting] = [
    .padLayout, .keyOctave, .keySnap, .chordSize, .chordInversion, .chordSpread, .chordLead,
    .chordName, .progression, .progressionOn, .progressionChord,
  ]
  public static let ofArpeggio: [Setting] = [
    .arpMode, .arpRate, .arpOctaves, .arpGate, .arpLatch, .arpVelocity, .arpSwing,
  ]
  public static let ofGrooves: [Setting] =
    GroovePart.allCases.map { .groove($0) } + [.grooveParts, .grooveName, .groovePlayer]
  public static let ofBuildUps: [Setting] = [
    .buildUpHold, .buildUpRoll, .buildUpPad, .buildUpRiser, .buildUpSilence, .buildUpImpact,
  ]
}

/// A value of a setting.
public enum SettingValue: Hashable, Sendable {
  case float(Float)
  case integer(Int32)
  case bool(Bool)
  case text(String)
  case signature(TimeSignature)
}
