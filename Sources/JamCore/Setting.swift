/// A value that can be read, and mostly also set, by name. A pad's, a player's or the room's.
public enum Setting: Hashable, Sendable {
  // A player's pads.
  /// A `SampleID`.
  case padSample(Pad)
  case pad(PadSetting, Pad)
  case padName(Pad)
  case padSeconds(Pad)
  case padCategory(Pad)
  case padLit(Pad)
  case padPending(Pad)
  /// What the pad plays where pads are a keyboard: a note or a chord, as it is written in the room's key; empty is the kit's sound.
  case padPlays(Pad)
  // A player's own.
  /// Whether the kit's sounds that have a key stay in the room's.
  case kitFollow
  case kit, kitName, gain, mute, metronome, metronomeGain
  /// What the player's keys play: an instrument's id.
  case instrument
  case patch(PatchSetting)
  /// What the player's channel goes through, and what of it goes to the room's delay and reverb.
  case effect(EffectSetting)
  /// Whose kicks and pads duck the channel, where those do: a name; empty is anybody's.
  case duckPlayer
  /// How far the wheel bends all its notes, −1…1 of the patch's range, and whether its pedal is down.
  case bend, sustain
  /// What the player's pads play, a `PadLayout`'s word, and the octave of its lowest note.
  case padLayout, keyOctave
  /// Whether keys outside the room's scale play the nearest note in it.
  case keySnap
  /// How many notes of a chord of the scale a key plays: 0 is the key alone; how they lie; whether they go the shortest way from the last.
  case chordSize, chordInversion, chordSpread, chordLead
  /// The player's progression, as its name or as it was typed, whether it plays, and its chord that sounds.
  case progression, progressionOn, progressionChord
  /// What of the player's sounds, by name, and its other names between spaces.
  case chordName
  /// The player's arpeggiator: an `ArpeggioMode`'s word, a `Grid`'s, octaves, part of the step, latch, and a velocity; 0 is as played.
  case arpMode, arpRate, arpOctaves, arpGate, arpLatch, arpVelocity, arpSwing
  /// The rate at which pads of mode `repeat` roll: a `Grid`'s word.
  case repeatRate
  /// Whether every pad rolls while it is held, whatever its mode.
  case repeatsAll
  /// Bars that a loop has which is recorded from now on: 1…64.
  case loopBars
  /// Bars that are clicked before a pass is taken down, 0…4.
  case countIn
  /// The grid towards which a recording moves what was hit, a `Grid`'s word, and how far.
  case loopQuantize, loopQuantizeStrength
  /// `empty`, `playing` or `stopped`; `recording` and `overdubbing` while a pass is taken down, `waiting` for the bar line.
  case loopState
  /// How many layers the loop has.
  case loopLayers
  /// A layer's, by its number from 1.
  case layerMute(Int)
  case layerGain(Int)
  /// A step of a pad, from 1, and its velocity; 0 is empty.
  case step(Pad, Int)
  /// How many steps go round, 4…64: of all pads, and of one; 0 is as many as all have.
  case steps
  case padSteps(Pad)
  /// The name of the block in a slot of a lane, both from 1; empty where there is none.
  case laneSlot(Int, Int)
  /// A lane's `empty`, `stopped`, `waiting`, `playing` or `looping`, the slot that plays, and the slot that is focused on; 0 is none.
  case laneState(Int), lanePlaying(Int), laneFocus(Int)
  /// The grid that the player's hits wait for, a `Grid`'s word, and how far they move to it.
  case quantize, quantizeStrength
  /// The number that is full velocity where the player hits pads.
  case velocityMax
  /// How the player is in time: a `Timing`'s word.
  case timing
  /// Whether the player has chosen it.
  case timingChosen
  /// From the player's tap to its ear in ms, as its client measured it; 0 is unknown. Everybody is told.
  case latency
  /// Whether the player is a host.
  case host
  /// The player's own `Role`, a word, and anybody's by name.
  case role
  case roleOf(PlayerName)
  /// What the player asks for where the room votes on its tempo, in bpm; 0 is nothing.
  case tempoVote
  // A host's hand on a player's channel.
  case channelGain(PlayerName)
  case channelMute(PlayerName)
  case channelSolo(PlayerName)
  // The room's.
  case masterGain, leveller, pitch, modulation, tempo, signature, playing, metronomeSpeakers
  /// The room's delay and reverb, and what the whole mix goes through.
  case roomEffect(RoomEffectSetting)
  /// The parts of build-ups, and what they do at their end.
  case buildUpRoll, buildUpRiser, buildUpImpact, buildUpSilence, buildUpHold
  /// The pad that a build-up rolls on; 0 is the player's first snare.
  case buildUpPad
  /// A `TempoMode`'s word.
  case tempoMode
  /// Whose MIDI clock the tempo follows; empty while it follows none.
  case tempoSource
  /// How late the off-beats are: see `GridLines`.
  case swing
  /// What the room plays in: a `KeyRoot`'s and a `Scale`'s word, and the scale's notes between spaces.
  case keyRoot, scale, scaleNotes
  /// Who records a sound from the server's input; empty while nobody does.
  case recording
  /// What only hosts may change: a `Lock`'s word.
  case lock
  /// A scene, by its number from 1: what it is called, and the text of what plays in it (`Scene`); both empty where there is none.
  case sceneName(Int), scene(Int)
  /// The scene that was launched last, and the one that waits for its bar line; 0 is none.
  case sceneLaunched, sceneWaiting
}

/// What a setting holds.
public enum SettingValue: Hashable, Sendable {
  case float(Float)
  case integer(Int32)
  case bool(Bool)
  case text(String)
  case signature(TimeSignature)
}
