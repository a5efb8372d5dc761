internal import JamCore

extension AddressTable {
  /// Each player has a kit of its own.
  static let padRows: [AddressEntry] = [
    .call(
      "/pad/<n>", [ArgumentSpec("velocity", .velocity, optional: true)], .pad,
      "Hit the pad; 0 is the release. Where an integer above 1 came, integers are MIDI's velocities, see `/velocity/max`.",
      access: .trigger
    ) {
      .command(hit($0.pad, $0, 0))
    } write: {
      switch $0 {
      case .hit(let pad, let velocity): ([Int(pad.number)], [], [.float(velocity.value)])
      case .strike(let pad, let strike):
        ([Int(pad.number)], [], [strike.isInteger ? .int32(Int32(saturating: strike.number)) : .float(strike.number)])
      case .release(let pad): ([Int(pad.number)], [], [.float(0)])
      default: nil
      }
    },
    .call(
      "/pad", [ArgumentSpec("n", .pad), ArgumentSpec("velocity", .velocity, optional: true)], .pad,
      "The same, with the pad's number as an argument.", access: .trigger
    ) { arguments in
      arguments.integer(0).flatMap { Pad($0) }.map { .command(hit($0, arguments, 1)) }
    },
    .setter(
      "/velocity/max", .float("max", VelocityScale.wireRange), .player,
      "The number that is full velocity at your pads: 1, or 127 from the first integer above 1 on. Set by hand it is for all your numbers."
    ) { _ in .velocityMax },
    .trigger("/pad/<n>/cancel", .pad, "Withdraw the hits of the pad that wait for their time.") {
      .cancel($0.pad)
    } write: {
      if case .cancel(let pad) = $0 { ([Int(pad.number)], [], []) } else { nil }
    },
    AddressEntry(
      "/kit", [ArgumentSpec("kit", .textOrIndex, optional: true)], .setter, .player, "Choose a kit by id or index.",
      build: { arguments throws(WireError) in
        if let index = arguments.integer(0) { return .command(.chooseKit(.index(index))) }
        if let id = arguments.text(0) { return .command(.chooseKit(.id(id))) }
        return .command(.read(.kit))
      }, setting: { _ in .kit },
      write: {
        switch $0 {
        case .chooseKit(.id(let id)): ([], [], [.string(id)])
        case .chooseKit(.index(let index)): ([], [], [.int32(Int32(clamping: index))])
        default: nil
        }
      }),
    .trigger("/kit/next", .player, "The kit after this one.", .chooseKit(.next)),
    .trigger("/kit/prev", .player, "The kit before this one.", .chooseKit(.previous)),
    .readOnly("/kit/name", .text("name"), .player, "The kit's name.") { _ in .kitName },
    .trigger("/kit/<id>", .player, "Choose that kit.") {
      .chooseKit(.id($0.texts.first ?? ""))
    } write: { _ in
      nil
    },
    .list("/kits", "Answers one `/kits/item` for each kit.", .listKits),
    .readOnly("/pad/<n>/name", .text("name"), .pad, "What the pad's sound is called.") { .padName(Pad($0)!) },
    .readOnly("/pad/<n>/seconds", .float("seconds", unit: "s"), .pad, "How long it is, as it is stretched.") {
      .padSeconds(Pad($0)!)
    },
    .readOnly("/pad/<n>/category", .text("category"), .pad, "What kind of sound it is.") { .padCategory(Pad($0)!) },
    .readOnly("/pad/<n>/lit", ArgumentSpec("on", .bool), .pad, "Whether it sounds.") { .padLit(Pad($0)!) },
    .readOnly("/pad/<n>/pending", ArgumentSpec("on", .bool), .pad, "Whether a quantised hit waits.") {
      .padPending(Pad($0)!)
    },
    .setter(
      "/pad/<n>/sample", .text("id"), .pad,
      "Its sound: any kit's pad, as `starter/3`, or one that was brought along, by its name or as `own/…`; the settings stay, but for the stretch."
    ) {
      .padSample(Pad($0)!)
    },
    .trigger("/pad/<n>/sample/next", .pad, "The next sound of its category, through all kits.") {
      .browseSample($0.pad, 1)
    } write: {
      if case .browseSample(let pad, 1) = $0 { ([Int(pad.number)], [], []) } else { nil }
    },
    .trigger("/pad/<n>/sample/prev", .pad, "The one before it.") {
      .browseSample($0.pad, -1)
    } write: {
      if case .browseSample(let pad, -1) = $0 { ([Int(pad.number)], [], []) } else { nil }
    },
    .call(
      "/samples", [.text("category").optional], .player,
      "Answers one `/samples/item` for each sound, of one category or all; `own` lists what was brought along.",
      access: .query
    ) {
      .command(.listSamples($0.text(0) ?? ""))
    } write: {
      if case .listSamples(let category) = $0 { ([], [], [.string(category)]) } else { nil }
    },
    .setter(
      "/pad/<n>/gain", .float("gain", -60...12, unit: "dB"), .pad,
      "The pad's level, for what sounds, too; −60 is silence."
    ) { .padGain(Pad($0)!) },
    .setter(
      "/pad/<n>/gain/random", .float("gain random", 0...12, unit: "dB"), .pad, "How far each hit strays from it."
    ) { .padGainRandom(Pad($0)!) },
    .setter(
      "/pad/<n>/pan", .float("pan", -1...1), .pad, "Left −1, right 1; for a loop that runs, too."
    ) { .padPan(Pad($0)!) },
    .setter("/pad/<n>/pan/random", .float("pan random", 0...1), .pad, "How far each hit strays from it.") {
      .padPanRandom(Pad($0)!)
    },
    .setter(
      "/pad/<n>/start", .float("start", PadSettings.milliseconds, unit: "ms"), .pad,
      "Where the sound begins, counted in the stretched sound, from the next hit on."
    ) {
      .padStart(Pad($0)!)
    },
    .setter(
      "/pad/<n>/decay", .float("decay", PadSettings.milliseconds, unit: "ms"), .pad,
      "After how long it fades, within 10 ms more; 0 is the whole sound. Not for mode `loop`."
    ) { .padDecay(Pad($0)!) },
    .setter(
      "/pad/<n>/transpose", .float("transpose", -24...24, unit: "semitones"), .pad,
      "Higher and shorter; for a loop that runs, too."
    ) { .padTranspose(Pad($0)!) },
    .setter(
      "/pad/<n>/transpose/random", .float("transpose random", 0...12, unit: "semitones"), .pad,
      "How far each hit strays from it."
    ) { .padTransposeRandom(Pad($0)!) },
    .setter("/pad/<n>/stretch", .float("stretch", 0.25...4), .pad, "So many times as long, at the same pitch.") {
      .padStretch(Pad($0)!)
    },
    .setter(
      "/pad/<n>/stretch/quality", .choice("quality", StretchQuality.allCases.map(\.rawValue)), .pad,
      "How carefully; `best` takes longer to come in."
    ) { .padStretchQuality(Pad($0)!) },
    .setter(
      "/pad/<n>/mode", .choice("mode", PadMode.allCases.map(\.rawValue)), .pad,
      "Plays to its end, sounds while held, goes round until the next press, whatever the mode is by then, or rolls while held."
    ) { .padMode(Pad($0)!) },
    .setter("/pad/<n>/voices", .integer("voices", 1...8), .pad, "Hits that sound at once; 1 cuts itself.") {
      .padVoices(Pad($0)!)
    },
    .setter("/pad/<n>/choke", .integer("choke", 0...8), .pad, "Pads of the same group cut each other off; 0 is none.") {
      .padChoke(Pad($0)!)
    },
    .switch("/pad/<n>/mute", .pad, "The pad is silent, with what sounds on it.") { .padMute(Pad($0)!) },
    .switch("/pad/<n>/solo", .pad, "Only the player's soloed pads sound, at once.") { .padSolo(Pad($0)!) },
    .trigger("/pad/<n>/reset", .pad, "The kit's own settings again.") {
      .resetPad($0.pad)
    } write: {
      if case .resetPad(let pad) = $0 { ([Int(pad.number)], [], []) } else { nil }
    },
    .setter("/gain", .float("gain", -60...12, unit: "dB"), .player, "The player's own channel.") { _ in .gain },
    .switch("/mute", .player, "The player's own channel is silent.") { _ in .mute },
    .setter("/pitch", .float("pitch", -12...12, unit: "semitones"), .room, "The whole room, higher or lower.") { _ in
      .pitch
    },
    .setter("/modulation", .float("modulation", 0...1), .room, "A resonant low-pass on the mix: 0 open, 1 closed.") {
      _ in
      .modulation
    },
    .setter("/master/gain", .float("gain", -60...12, unit: "dB"), .room, "The room's mix.") { _ in .masterGain },
  ]

  /// The hit or release that the velocity at `i` asks for; a button that has no number is hit in full.
  private static func hit(_ pad: Pad, _ arguments: WireArguments, _ i: Int) -> Command {
    guard let argument = arguments.raw(i), argument != .true, let number = argument.number else {
      return .hit(pad, .full)
    }
    if arguments.isOfScore { return Velocity(Float(number)).map { .hit(pad, $0) } ?? .release(pad) }
    return .press(pad, Float(number), isInteger: argument.isInteger)
  }
}

extension VelocityScale {
  fileprivate static let wireRange = Double(range.lowerBound)...Double(range.upperBound)
}
