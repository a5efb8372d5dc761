/// The rows of all settings.
extension Setting {
  public var row: SettingRow {
    switch self {
    case .pad(let setting, _): setting.settingRow
    case .padSample, .padName, .padSeconds, .padCategory, .padLit, .padPending, .padPlays: padRow
    case .kit, .kitFollow, .kitName, .gain, .mute, .metronome, .metronomeGain, .repeatRate, .repeatsAll, .quantize,
      .quantizeStrength,
      .velocityMax, .timing, .timingChosen, .latency, .host, .role, .tempoVote:
      playerRow
    case .patch(let setting): setting.settingRow
    case .effect(let setting): setting.settingRow
    case .duckPlayer:
      SettingRow(
        "/duck/player", "name", .text, .player,
        """
        Whose kicks or pad ducks your channel, where `/duck/source` is `kick` or `pad`: a player's name; \
        empty is anybody's.
        """,
        undo: .player)
    case .roomEffect(let setting): setting.settingRow
    case .instrument, .bend, .sustain, .padLayout, .keyOctave, .keySnap: keysRow
    case .chordSize, .chordInversion, .chordSpread, .chordLead, .chordName, .progression, .progressionOn,
      .progressionChord:
      chordRow
    case .arpMode, .arpRate, .arpOctaves, .arpGate, .arpLatch, .arpVelocity, .arpSwing: arpRow
    case .loopBars, .countIn, .loopQuantize, .loopQuantizeStrength, .loopState, .loopLayers, .layerMute, .layerGain,
      .step, .steps, .padSteps, .laneSlot,
      .laneState, .lanePlaying, .laneFocus:
      loopRow
    case .groove, .grooveParts, .grooveName, .groovePlayer: grooveRow
    case .roleOf, .admitted, .takenBack, .channelGain, .channelMute, .channelSolo, .seatOf: channelRow
    case .mixGain:
      SettingRow(
        "/mix/<name>/gain", "gain", .decibels, .player,
        """
        How loud that player is in your own streams (`player=` in a stream's address). Nobody else \
        hears it, and it is kept by name.
        """)
    case .mixMute:
      .toggle("/mix/<name>/mute", .player, "That player is silent in your own streams.")
    case .seatName, .seatTaken: seatRow
    case .ofSeat(_, let setting): setting.row.atSeat
    case .masterGain, .leveller, .pitch, .modulation, .tempo, .signature, .playing, .metronomeSpeakers, .tempoMode,
      .tempoSource,
      .swing, .keyRoot, .scale, .scaleNotes, .recording, .lock, .door, .buildUpRoll,
      .buildUpRiser, .buildUpImpact,
      .buildUpSilence, .buildUpHold,
      .buildUpPad:
      roomRow
    case .holder, .pinned: roomRow
    case .sceneName, .scene, .sceneLaunched, .sceneWaiting: sceneRow
    case .light(let light): light.settingRow
    case .soundingTempo:
      SettingRow(
        "/bpm", "bpm", .float(Tempo.range, unit: "bpm"), .room,
        "The tempo as it sounds, also within a build-up.",
        access: .read)
    case .buildUpBars:
      SettingRow(
        "/buildup/bars", "bars", .count(0...Limits.bars.upperBound), .room,
        "Bars until the drop, the present one too; 0 while there is no build-up, or it holds.",
        access: .read)
    }
  }

  private var padRow: SettingRow {
    switch self {
    case .padSample:
      SettingRow(
        "/pad/<n>/sample", "id", .text, .pad,
        """
        Its sound: any kit's pad, as `starter/3`, or one that was brought along, by its name or as `own/…`; \
        an empty text empties the pad; the settings stay, but for the stretch and the beats.
        """,
        undo: .player, isOfKit: true)
    case .padName:
      SettingRow("/pad/<n>/name", "name", .text, .pad, "What the pad's sound is called.", access: .read, isOfKit: true)
    case .padSeconds:
      SettingRow(
        "/pad/<n>/seconds", "seconds", .float(nil, unit: "s"), .pad, "How long it is, as it is stretched.",
        access: .read, isOfKit: true)
    case .padCategory:
      SettingRow(
        "/pad/<n>/category", "category", .text, .pad, "What kind of sound it is.", access: .read, isOfKit: true)
    case .padLit: SettingRow("/pad/<n>/lit", "on", .bool, .pad, "Whether it sounds.", access: .read)
    case .padPlays:
      SettingRow(
        "/pad/<n>/plays", "name", .text, .pad,
        """
        The note or the chord that it plays where `/pads/layout` makes a keyboard of the pads; empty is the \
        kit's sound.
        """,
        access: .read)
    default: SettingRow("/pad/<n>/pending", "on", .bool, .pad, "Whether a quantised hit waits.", access: .read)
    }
  }

  private var playerRow: SettingRow {
    switch self {
    case .kit: SettingRow("/kit", "kit", .text, .player, "Choose a kit by id or index.", undo: .player, isOfKit: true)
    case .kitName: SettingRow("/kit/name", "name", .text, .player, "The kit's name.", access: .read, isOfKit: true)
    case .gain: SettingRow("/gain", "gain", .decibels, .player, "The player's own channel.")
    case .mute: .toggle("/mute", .player, "The player's own channel is silent.")
    case .kitFollow:
      .toggle(
        "/kit/follow", .player,
        """
        The kit's sounds that have a key are in the room's, now and whenever the room or you choose another; \
        pads that you move by hand stay.
        """
      )
    case .metronome: .toggle("/metronome", .player, "The click in the player's own streams.")
    case .metronomeGain: SettingRow("/metronome/gain", "gain", .decibels, .player, "The click's level.")
    case .repeatRate:
      SettingRow("/repeat", "rate", .grid, .player, "The roll rate of pads in mode `repeat`.")
    case .repeatsAll:
      .toggle(
        "/repeat/all", .player, "Every pad of yours rolls at that rate while it is held, notes of a keyboard too.")
    case .quantize:
      SettingRow(
        "/quantize", "grid", .grid, .player,
        "The lines that hits wait for; one that is late by less than a third of a step sounds at once.")
    case .quantizeStrength:
      SettingRow(
        "/quantize/strength", "strength", .float(0...1), .player, "How far a hit moves to its line: 1 is all the way.")
    case .velocityMax:
      SettingRow(
        "/velocity/max", "max", .float(VelocityScale.numbers), .player,
        """
        The number that is full velocity at your pads: 1, or 127 from the first int above 1 or float \
        from 2 on. Set by hand it is for all your numbers.
        """
      )
    case .timing:
      SettingRow(
        "/timing", "timing", .timing, .player,
        "When your hits count: now, where you heard the beat (`/heard`), or one loop later in time for everybody.")
    case .timingChosen:
      SettingRow(
        "/timing/chosen", "chosen", .bool, .player,
        "Whether `/timing` was sent: until then your timing is `live`, and `heard` from your first `/heard` on.",
        access: .read)
    case .latency:
      SettingRow(
        "/latency", "latency", .float(0...60_000, unit: "ms"), .player,
        "What you have measured from your tap to your ear: everybody sees it. 0 is unknown.")
    case .host:
      SettingRow(
        "/host", "word", .text, .session,
        "Become a host; the word is printed when the server starts. Without one it answers 1 to a host, else 0.")
    case .role:
      SettingRow(
        "/role", "role", .role, .session,
        "Your own: a `listener` hears and reads, and plays nothing. `host` is given by a host, or by `/host`.")
    default:
      SettingRow(
        "/tempo/vote", "bpm", .float(0...Tempo.range.upperBound, unit: "bpm"), .player,
        """
        A vote where the room is set to vote, \(Tempo.range.wholeWords); 0 takes it back. It counts as long \
        as you are here.
        """
      )
    }
  }

  private var keysRow: SettingRow {
    switch self {
    case .instrument:
      SettingRow(
        "/instrument", "instrument", .text, .player, "What your keys play: an instrument's id or name.", undo: .player)
    case .bend:
      SettingRow(
        "/bend", "bend", .float(-1...1), .player,
        "Bends all your notes, those that sound too, by as much of `/instrument/bend/range`.")
    case .padLayout:
      SettingRow(
        "/pads/layout", "layout", .choice(PadLayout.allCases.map(\.word)), .player,
        """
        What your sixteen pads play: the kit's `drums`, or notes of the room's key: rows a third or a fourth \
        apart, a row for each of four degrees, `chords`, or all notes.
        """,
        undo: .player)
    case .keyOctave:
      SettingRow(
        "/pads/octave", "octave", .integer(0...8), .player,
        "The octave of the lowest note of your pads, where they play notes; C4 is the middle C.", undo: .player)
    case .keySnap:
      SettingRow(
        "/key/snap", "on", .bool, .player, "Keys outside the room's scale play the nearest note in it.",
        access: .toggle,
        undo: .player)
    default:
      SettingRow(
        "/sustain", "on", .bool, .player, "The pedal: while it is down, keys that are let go of sound on.",
        access: .toggle)
    }
  }

  private var chordRow: SettingRow {
    switch self {
    case .chordSize:
      SettingRow(
        "/chord/size", "notes", .integer(0...5), .player,
        """
        Each key plays so many notes of the chord of the scale on it: 3 is a triad, 4 has the seventh, 0 is \
        the key alone.
        """,
        undo: .player)
    case .chordInversion:
      SettingRow(
        "/chord/inversion", "inversion", .integer(0...4), .player,
        "So many of the chord's notes go an octave up; one stays.",
        undo: .player)
    case .chordSpread:
      SettingRow(
        "/chord/spread", "spread", .choice(ChordSpread.allCases.map(\.rawValue)), .player, "How its notes lie.",
        undo: .player)
    case .chordLead:
      SettingRow(
        "/chord/lead", "on", .bool, .player, "Chords go the shortest way from the last one, instead.", access: .toggle,
        undo: .player)
    case .progression:
      SettingRow(
        "/progression", "chords", .text, .player,
        """
        Chords that your keys can play by themselves: a name of `/progressions`, or as they are typed: `I V \
        vi IV`, `Am F C G`, `ii7:2 V7:2 Imaj7`; empty is none. Degrees follow the room's key.
        """,
        undo: .player)
    case .progressionOn:
      SettingRow(
        "/progression/play", "on", .bool, .player,
        "It plays from the next bar line on, through the arpeggiator where that is on.", access: .toggle)
    case .progressionChord:
      SettingRow(
        "/progression/chord", "name", .text, .player, "The chord of it that sounds; empty while none does.",
        access: .read)
    default:
      SettingRow(
        "/chord/name", "name", .text, .player,
        """
        What of yours sounds, as musicians write it in the room's key, and its other names between spaces; \
        empty while nothing does.
        """,
        access: .read)
    }
  }

  private var arpRow: SettingRow {
    switch self {
    case .arpMode:
      SettingRow(
        "/arp/mode", "mode", .choice(ArpeggioMode.allCases.map(\.word)), .player,
        "The keys that you hold are played one by one on the room's grid, in this order.", undo: .player)
    case .arpRate:
      SettingRow("/arp/rate", "rate", .lines, .player, "The lines that they are played on.", undo: .player)
    case .arpOctaves:
      SettingRow(
        "/arp/octaves", "octaves", .count(Arpeggio.octaveRange), .player, "Through so many octaves.", undo: .player)
    case .arpGate:
      SettingRow("/arp/gate", "gate", .float(0.05...1), .player, "How much of a step each note sounds.", undo: .player)
    case .arpLatch:
      SettingRow(
        "/arp/latch", "on", .bool, .player, "It goes on when the keys are let go of, until others are pressed.",
        access: .toggle, undo: .player)
    case .arpSwing:
      SettingRow(
        "/arp/swing", "swing", .float(0...Double(GridLines.swingRange.upperBound)), .player,
        "How far it swings, as `/swing` says it, where the room swings less.", undo: .player)
    default:
      SettingRow(
        "/arp/velocity", "velocity", .float(0...1), .player, "How hard its notes are played; 0 is as the keys were.",
        undo: .player)
    }
  }

  private var loopRow: SettingRow {
    switch self {
    case .step(let pad, _) where pad.isKey:
      SettingRow(
        "/key/<n>/step/<step>", "velocity", .float(0...1), .player,
        "A sixteenth of the step grid with that note, as long as a step; 0 clears it.", undo: .player)
    case .loopBars:
      SettingRow("/loop/bars", "bars", .count(Limits.bars), .player, "How long a loop is that is recorded from now on.")
    case .countIn:
      SettingRow(
        "/loop/countin", "bars", .integer(0...4), .player,
        "So many whole bars before a pass of yours begins, with the click on wherever it is carried.")
    case .loopQuantize:
      SettingRow(
        "/loop/quantize", "grid", .grid, .player,
        """
        What your loop takes down comes nearer to this grid. You hear each hit at once, and in the loop \
        where it was moved.
        """
      )
    case .loopQuantizeStrength:
      SettingRow(
        "/loop/quantize/strength", "strength", .float(0...1), .player,
        "How much nearer: 1 is onto the line. It is 0.6 until it is set.")
    case .loopState:
      SettingRow(
        "/loop/state", "state", .text, .player, "`empty waiting recording overdubbing playing stopped`.", access: .read)
    case .loopLayers:
      SettingRow("/loop/layers", "layers", .integer(nil), .player, "How many layers it has.", access: .read)
    case .layerMute: .toggle("/layer/<n>/mute", .player, "The layer is silent.", undo: .player)
    case .layerGain:
      SettingRow("/layer/<n>/gain", "gain", .decibels, .player, "The layer's level.", undo: .player)
    case .step:
      SettingRow(
        "/step/<pad>/<step>", "velocity", .float(0...1), .player,
        "A sixteenth of the step grid, which goes round with the loop; 0 clears it, also of what was recorded there.",
        undo: .player)
    case .steps:
      SettingRow("/steps", "steps", .count(Limits.stepCounts), .player, "How many steps go round.", undo: .player)
    case .padSteps:
      SettingRow(
        "/steps/<pad>", "steps", .count(0...Limits.stepCounts.upperBound), .player,
        "Of one pad, or 0 for as many as all have.",
        undo: .player)
    case .laneSlot:
      SettingRow(
        "/lane/<n>/<slot>", "block", .text, .player,
        "Puts a block into a slot of a lane; an empty name takes it away.", undo: .player)
    case .laneState:
      SettingRow(
        "/lane/<n>/state", "state", .text, .player, "`empty stopped waiting playing looping`.", access: .read)
    case .lanePlaying:
      SettingRow(
        "/lane/<n>/playing", "slot", .integer(nil), .player, "The slot that plays; 0 is none.", access: .read)
    default:
      SettingRow(
        "/lane/<n>/focused", "slot", .integer(nil), .player, "The slot that is focused on; 0 is none.", access: .read)
    }
  }

  private var channelRow: SettingRow {
    switch self {
    case .roleOf:
      SettingRow(
        "/player/<name>/role", "role", .role, .host,
        "What a player may do; anybody reads it. Only a host lifts what a host made a listener.")
    case .admitted:
      SettingRow(
        "/player/<name>/admit", "in", .bool, .host,
        "Whether a player is let in, or waits at the door.", access: .read)
    case .takenBack:
      SettingRow(
        "/player/<name>/takeback", "on", .bool, .host, "A step of the room's history.",
        access: .read)
    case .channelGain:
      SettingRow("/player/<name>/gain", "gain", .decibels, .host, "A player's channel; anybody reads it.", undo: .room)
    case .seatOf:
      SettingRow(
        "/player/<name>/seat", "seat", .count(1...Limits.standard.playersPerRoom), .host,
        "The player's number on a mixer; `/seat/<n>/…` takes what `/player/<name>/…` does.",
        access: .read)
    case .channelMute: .toggle("/player/<name>/mute", .host, "Switches a player's channel off.", undo: .room)
    default: .toggle("/player/<name>/solo", .host, "Only soloed channels sound.", undo: .room)
    }
  }

  private var seatRow: SettingRow {
    switch self {
    case .seatName:
      SettingRow(
        "/seat/<n>/name", "name", .text, .room,
        "A mixer's label: who sits there; empty is nobody. Told to who asked for seats.",
        access: .read)
    default:
      SettingRow(
        "/seat/<n>/taken", "on", .bool, .room,
        "Whether somebody sits there. Told to who asked for seats.", access: .read)
    }
  }

  private var roomRow: SettingRow {
    switch self {
    case .masterGain: SettingRow("/master/gain", "gain", .decibels, .room, "The room's mix.", undo: .room)
    case .leveller:
      .toggle(
        "/master/leveller", .host,
        "The mix is turned down over seconds as more people play, and kept at −14 LUFS; all faders keep their meaning.",
        undo: .room)
    case .pitch:
      SettingRow(
        "/pitch", "pitch", .float(-12...12, unit: "semitones"), .room, "The whole room, higher or lower.", undo: .room)
    case .modulation:
      SettingRow(
        "/modulation", "modulation", .float(0...1), .room, "A resonant low-pass on the mix: 0 open, 1 closed.",
        undo: .room)
    case .tempo:
      SettingRow(
        "/tempo", "bpm", .float(Tempo.range, unit: "bpm"), .room,
        """
        Quarter notes per minute; a new value ends a build-up, and without one the answer during a build-up \
        is what that returns to.
        """,
        undo: .room)
    case .signature:
      SettingRow(
        "/signature", "beats per bar", .signature, .room,
        "Time signature, from the next bar; beat unit 1, 2, 4, 8, 16 or 32, the present one where it is left out.",
        undo: .room)
    case .playing:
      SettingRow(
        "/play", "on", .bool, .room, "Start the transport; sent with 1 while it runs, else 0.", access: .read)
    case .metronomeSpeakers:
      .toggle(
        "/metronome/speakers", .host, "The click on the server's loudspeakers too, where it has some.", undo: .room)
    case .tempoMode:
      SettingRow(
        "/tempo/mode", "mode", .tempoMode, .host,
        """
        `vote`: the tempo is the median of the votes from the next bar line on; `/tempo` and taps are votes, \
        but for a host's.
        """,
        undo: .room)
    case .tempoSource:
      SettingRow(
        "/tempo/source", "player", .text, .room, "Whose MIDI clock the tempo follows; empty while it follows none.",
        access: .read)
    case .swing:
      SettingRow(
        "/swing", "swing", .float(0...Double(GridLines.swingRange.upperBound)), .room,
        """
        Moves every second line of `1/8`, `1/16` and `1/32` later by swing × half a step: 0 is straight, \
        0.667 a triplet.
        """,
        undo: .room)
    case .keyRoot:
      SettingRow(
        "/key/root", "root", .choice(KeyRoot.allCases.map(\.word)), .room,
        "The first note of the key that the room plays in.",
        undo: .room)
    case .scale:
      SettingRow(
        "/scale", "scale", .choice(Scale.allCases.map(\.word)), .room,
        "The scale that the room plays in, on `/key/root`.",
        undo: .room)
    case .scaleNotes:
      SettingRow(
        "/scale/notes", "notes", .text, .room, "The scale's notes as they are written in the key: `D E F# G A B C#`.",
        access: .read)
    case .recording:
      SettingRow(
        "/sample/recording", "player", .text, .room, "Who records; empty while nobody does.", access: .read)
    case .lock:
      SettingRow(
        "/lock", "lock", .lock, .host, "What only hosts may change; anybody reads it.",
        undo: .room)
    case .door:
      .toggle(
        "/room/door", .host,
        "While it is on, those who join anew play to their own cue until a host lets them in.",
        undo: .room)
    case .holder(let control):
      SettingRow(
        control.setting.row.address + "/holder", "player", .text, .room,
        """
        Who moved it last; empty while it is at rest. It returns to rest a bar after that player \
        has left the room, but where `/room/pin` is on.
        """,
        access: .read)
    case .pinned:
      .toggle(
        "/room/pin", .host,
        "The room's pitch, filter and macros stay when the player who moved them leaves.",
        undo: .room)
    default: buildUpRow
    }
  }

  private var grooveRow: SettingRow {
    switch self {
    case .groove(let part):
      .toggle(
        "/groove/\(part.word)", .player,
        "The groove's \(part.word) sound, from the next bar line on and in step with the others.",
        undo: .player)
    case .grooveParts:
      SettingRow(
        "/groove/parts", "parts", .text, .player,
        "The parts of the groove, also those that rest; empty is no groove.", access: .read)
    case .groovePlayer:
      SettingRow(
        "/groove/player", "player", .text, .player,
        """
        The player whose groove it is: you, or one who has left and whose parts everybody steers. \
        Without parts: somebody here who plays a groove; empty is nobody.
        """, access: .read)
    default:
      SettingRow(
        "/groove/name", "name", .text, .player,
        "The progression that the groove plays; empty is no groove.", access: .read)
    }
  }

  private var sceneRow: SettingRow {
    switch self {
    case .sceneName:
      SettingRow("/scene/<n>/name", "name", .text, .room, "What the scene is called; empty is its number.", undo: .room)
    case .scene:
      SettingRow(
        "/scene/<n>/plays", "parts", .text, .room,
        """
        Who plays what in the scene: `ann loop layer2 lane1* pad7; bob mute` is ann's loop without its layer \
        2, her lane 1 round and round, her pad 7 muted, and bob muted. Who is in no part plays on. Empty is \
        no scene.
        """,
        undo: .room)
    case .sceneLaunched:
      SettingRow(
        "/scene/launched", "scene", .integer(nil), .room, "The scene that was launched last; 0 is none.", access: .read)
    default:
      SettingRow(
        "/scene/waiting", "scene", .integer(nil), .room, "The scene that waits for its bar line; 0 is none.",
        access: .read)
    }
  }

  private var buildUpRow: SettingRow {
    switch self {
    case .buildUpRoll:
      .toggle(
        "/buildup/roll", .room,
        "A roll: 1/4 for half of the bars, 1/8 for half of what is left, 1/16 for half of that, then 1/32.", undo: .room
      )
    case .buildUpRiser:
      .toggle("/buildup/riser", .room, "A high-pass and a pitch that rise, on the whole mix.", undo: .room)
    case .buildUpImpact:
      .toggle(
        "/buildup/impact", .room,
        "At the drop, the first impact of who ordered it; else the first cymbal, else the kick.", undo: .room)
    case .buildUpSilence: .toggle("/buildup/silence", .room, "No mix for the beat before the drop.", undo: .room)
    case .buildUpHold: .toggle("/buildup/hold", .room, "Keep the target tempo until `/buildup/drop`.", undo: .room)
    default:
      SettingRow(
        "/buildup/pad", "pad", .integer(0...Double(Pad.count)), .room,
        "What it rolls on, of who ordered it; 0 is the first snare.", undo: .room)
    }
  }
}

extension SettingKind {
  fileprivate static let grid = SettingKind.choice(Grid.allCases.map(\.word))
  /// The words of `grid` without `off`.
  fileprivate static let lines = SettingKind.choice(Grid.allCases.filter { $0 != .off }.map(\.word))
  fileprivate static let role = SettingKind.choice(Role.allCases.map(\.word))
  fileprivate static let timing = SettingKind.choice(Timing.allCases.map(\.word))
  fileprivate static let tempoMode = SettingKind.choice(TempoMode.allCases.map(\.word))
  fileprivate static let lock = SettingKind.choice(Lock.allCases.map(\.word))
}

extension ValueRow {
  fileprivate func settingRow(under prefix: String, _ scope: SettingScope, undo: SettingRow.Undo) -> SettingRow {
    SettingRow(
      prefix + path, argument, kind, scope, summary, access: kind == .bool ? .toggle : .set, undo: undo)
  }
}

extension PatchSetting {
  fileprivate var settingRow: SettingRow { PatchSetting.settingRows[rawValue] }
  private static let settingRows = allCases.map { $0.row.settingRow(under: "/instrument/", .player, undo: .player) }
}

extension EffectSetting {
  fileprivate var settingRow: SettingRow { EffectSetting.settingRows[Int(rawValue)] }
  private static let settingRows = allCases.map { $0.row.settingRow(under: "/", .player, undo: .player) }
}

extension RoomEffectSetting {
  fileprivate var settingRow: SettingRow { RoomEffectSetting.settingRows[Int(rawValue)] }
  private static let settingRows = allCases.map { $0.row.settingRow(under: "/", .room, undo: .room) }
}

extension PadSetting {
  fileprivate var settingRow: SettingRow { PadSetting.settingRows[rawValue] }

  private static let settingRows = allCases.map { setting in
    let row = setting.row
    return SettingRow(
      "/pad/<n>/\(row.path)", row.argument, row.kind, .pad, row.summary, access: row.kind == .bool ? .toggle : .set,
      undo: .player, isOfKit: true)
  }
}

extension VelocityScale {
  fileprivate static let numbers = Double(range.lowerBound)...Double(range.upperBound)
}
