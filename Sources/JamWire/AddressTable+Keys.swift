internal import JamCore

extension AddressTable {
  /// Each player has a keyboard of its own.
  static let keyRows: [AddressEntry] =
    [
      .call(
        "/key/<n>", [ArgumentSpec("velocity", .velocity, optional: true), .own], .pad,
        """
        Press the key of that note, 60 being the middle C; 0 is the release. Velocities and `own` \
        are as `/pad/<n>` takes them.
        """,
        access: .trigger
      ) { arguments in
        arguments.key.map { .command(hit($0, arguments, 0)) }
      } write: {
        switch $0 {
        case .hit(let pad, let velocity, let own):
          pad.note.map { ([$0], [], [.float(velocity.value)] + own.arguments) }
        case .strike(let pad, let strike, let own):
          pad.note.map { ([$0], [], [strike.argument] + own.arguments) }
        case .release(let pad): pad.note.map { ([$0], [], [.float(0)]) }
        default: nil
        }
      },
      .call(
        "/key", [ArgumentSpec("note", .integer(notes)), ArgumentSpec("velocity", .velocity, optional: true)], .pad,
        "The same, with the note as an argument.", access: .trigger
      ) { arguments in
        arguments.integer(0).flatMap { Pad(key: $0) }.map { .command(hit($0, arguments, 1)) }
      },
      .call(
        "/note",
        [
          ArgumentSpec("note", .integer(notes)),
          ArgumentSpec("velocity", .velocity, optional: true),
        ], .pad,
        "The same as `/key`: programs that turn MIDI into OSC send notes there.", access: .trigger
      ) { arguments in
        arguments.integer(0).flatMap { Pad(key: $0) }.map { .command(hit($0, arguments, 1)) }
      },
      .call(
        "/key/<n>/y", [.float("height", 0...1)], .player,
        """
        How high the finger lies on the key, while the note sounds; what that does is the instrument's. 0.5 \
        is at rest.
        """
      ) { arguments in
        arguments.key.flatMap { key in arguments.float(0).map { .command(.keyHeight(key, $0)) } }
      } write: {
        if case .keyHeight(let key, let height) = $0 { key.note.map { ([$0], [], [.float(height)]) } } else { nil }
      },
      .call(
        "/key/<n>/bend", [.float("bend", -48...48, unit: "semitones")], .player,
        "Bends that one note while it sounds."
      ) { arguments in
        arguments.key.flatMap { key in arguments.float(0).map { .command(.keyBend(key, $0)) } }
      } write: {
        if case .keyBend(let key, let bend) = $0 { key.note.map { ([$0], [], [.float(bend)]) } } else { nil }
      },
      .trigger("/key/<n>/cancel", .player, "Withdraw the presses of the key that wait for their time.") {
        .cancel($0.key ?? Pad.all[0])
      } write: {
        if case .cancel(let pad) = $0 { pad.note.map { ([$0], [], []) } } else { nil }
      },
      .step(at: (0, 1)) { Pad(key: $0) ?? Pad.all[0] },
    ] + Setting.ofPresses.map { .setting($0) } + [
      .call(
        "/progression/press",
        [
          ArgumentSpec("chord", .integer(1...Double(Progression.most))),
          ArgumentSpec("velocity", .velocity, optional: true),
        ], .player,
        "Press that chord of your progression, from 1; 0 is the release. It lies as the progression plays it.",
        access: .trigger
      ) { arguments in
        arguments.integer(0).flatMap { chord in
          switch hit(Pad.all[0], arguments, 1) {
          case .release: .command(.pressChord(Int(chord), nil))
          case .strike(_, let strike, _): .command(.pressChord(Int(chord), strike))
          case .hit(_, let velocity, _): .command(.pressChord(Int(chord), Strike(velocity.value)))
          default: nil
          }
        }
      } write: {
        guard case .pressChord(let chord, let strike) = $0 else { return nil }
        return ([], [], [.int32(Int32(clamping: chord)), strike?.argument ?? .float(0)])
      },
      .call(
        "/progression/sounds", [.text("chord")], .player,
        "In scores only: the name of a chord that one press or a progression plays."
      ) { arguments in
        arguments.text(0).map { .command(.chord($0)) }
      } write: {
        if case .chord(let name) = $0 { ([], [], [.string(name)]) } else { nil }
      },
      .list(
        "/progressions",
        "Answers one `/progressions/item` for each that comes with the program, and for each that was saved here.",
        .listProgressions),
      named("/progression/save", "Gives what you have chosen or typed a name, by which everybody in the room finds it.")
      {
        .saveProgression($0)
      } name: {
        if case .saveProgression(let name) = $0 { name } else { nil }
      },
      named("/progression/delete", "Takes one that you saved away, or as a host anybody's.") {
        .deleteProgression($0)
      } name: {
        if case .deleteProgression(let name) = $0 { name } else { nil }
      },
    ] + Setting.ofArpeggio.map { .setting($0) } + [
      .setting(.bend),
      .setting(.sustain),
      .setting(.instrument),
      .trigger("/instrument/next", .player, "The instrument after this one.", .browseInstruments(1)),
      .trigger("/instrument/prev", .player, "The instrument before this one.", .browseInstruments(-1)),
      .trigger("/instrument/<id>", .player, "Choose that instrument.") {
        .set(.instrument, .text($0.texts.first ?? ""))
      } write: { _ in
        nil
      },
      .call(
        "/instrument/preview", [.text("instrument")], .player,
        "Hear a chord of that instrument, by its id or name, on your own cue (`player=` in a stream's address) alone."
      ) {
        .command(.previewInstrument($0.text(0) ?? ""))
      } write: {
        if case .previewInstrument(let text) = $0 { ([], [], [.string(text)]) } else { nil }
      },
      .list("/instruments", "Answers one `/instruments/item` for each instrument.", .listInstruments),
      .call(
        "/instrument/patch", [.text("patch")], .player,
        "In scores alone: what the player's keys play from here on, with all that is set of it."
      ) {
        $0.text(0).flatMap { Patch($0) }.map { .command(.usePatch($0)) }
      } write: {
        if case .usePatch(let patch) = $0 { ([], [], [.string("\(patch)")]) } else { nil }
      },
    ] + PatchSetting.allCases.map { .setting(.patch($0)) }

  static let keySentRows: [AddressEntry] = [
    .sent(
      "/note", .note,
      [
        .text("player"), ArgumentSpec("note", .integer(notes)), .float("velocity", 0...1), .integer("bar"),
        .float("beat"),
      ],
      "Somebody's key sounds; where, the beat with its fraction. One that waits for its time is told then."
    ) {
      guard case .note(let player, let note, let velocity, let bar, let beat) = $0 else { return nil }
      return [
        .string(player.text), .int32(Int32(note)), .float(velocity), .int32(Int32(clamping: bar)), .float(beat),
      ]
    },
    .sent(
      "/note/off", .noteOff, [.text("player"), ArgumentSpec("note", .integer(notes))],
      "Somebody's key was let go of, whoever held it: a hand or a loop."
    ) {
      if case .noteOff(let player, let note) = $0 { [.string(player.text), .int32(Int32(note))] } else { nil }
    },
    .sent(
      "/key/receipt", .receipt,
      [ArgumentSpec("note", .integer(notes)), .integer("bar"), .float("beat"), .float("shift", unit: "ms")],
      "As `/receipt`, of a key."
    ) {
      guard case .receipt(let pad, let bar, let beat, let shift) = $0, let note = pad.note else { return nil }
      return [.int32(Int32(note)), .int32(Int32(clamping: bar)), .float(beat), .float(shift)]
    },
    .sent(
      "/key/late", .late, [ArgumentSpec("note", .integer(notes)), .float("late", unit: "ms")], "As `/late`, of a key."
    ) {
      guard case .late(let pad, let milliseconds) = $0, let note = pad.note else { return nil }
      return [.int32(Int32(note)), .float(milliseconds)]
    },
    .sent(
      "/progressions/item", .savedProgression, [.text("name"), .text("style"), .text("player"), .text("chords")],
      "The same of one that was saved in the room, as it is and as it becomes: its style is `saved`."
    ) {
      guard case .savedProgression(let saved) = $0 else { return nil }
      return [.string(saved.name), .string("saved"), .string(saved.player.text), .string(saved.text)]
    },
    .sent("/progressions/gone", .progressionGone, [.text("name")], "A progression was deleted.") {
      if case .progressionGone(let name) = $0 { [.string(name)] } else { nil }
    },
    .sent(
      "/progressions/item", .progressionItem, [.text("name"), .text("style"), .text("mood"), .text("chords")],
      "Answer to `/progressions`."
    ) {
      guard case .progressionItem(let item) = $0 else { return nil }
      return [
        .string(item.name), .string(item.style.word), .string(item.mood.word), .string(item.progression.text),
      ]
    },
    .sent(
      "/instruments/item", .instrumentItem,
      [.text("id"), .text("name"), .text("category"), .choice("kind", ["synth", "samples"])],
      "Answer to `/instruments`: a synthesiser's patch, or recorded sounds."
    ) {
      guard case .instrumentItem(let instrument) = $0 else { return nil }
      return [
        .string(instrument.id), .string(instrument.name), .string(instrument.category),
        .string(instrument.isSampled ? "samples" : "synth"),
      ]
    },
  ]

  private static let notes: ClosedRange<Double> = 0...Double(Pad.keyCount - 1)
}

extension WireArguments {
  /// The key in the address. Only rows with `/key/<n>` use it.
  var key: Pad? { Pad(key: numbers.0) }
}
