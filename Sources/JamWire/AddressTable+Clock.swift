internal import JamCore

extension AddressTable {
  /// The room's clock.
  static let clockRows: [AddressEntry] = [
    .setter(
      "/tempo", .float("bpm", 20...300, unit: "bpm"), .room,
      "Quarter notes per minute; a new value ends a build-up, and without one the answer during a build-up is what that returns to."
    ) { _ in .tempo },
    .trigger("/tempo/tap", .room, "Tap the tempo: the last 8 taps are averaged.", .tapTempo),
    .call(
      "/tempo/nudge", [.float("shift", -1_000...1_000, unit: "ms")], .room,
      "Moves the beat without a jump; positive is earlier. Nudges under way keep the beat within 5…1200 bpm; what goes beyond is refused."
    ) {
      $0.float(0).map { .command(.nudge($0)) }
    } write: {
      if case .nudge(let milliseconds) = $0 { ([], [], [.float(milliseconds)]) } else { nil }
    },
    AddressEntry(
      "/signature",
      [.integer("beats per bar", 1...32).optional, .integer("beat unit", 1...32).optional],
      .setter, .room,
      "Time signature, from the next bar; beat unit 1, 2, 4, 8, 16 or 32, the present one where it is left out.",
      build: { arguments throws(WireError) in
        guard let beats = arguments.integer(0) else { return .command(.read(.signature)) }
        guard let unit = arguments.integer(1) else {
          return .command(.set(.signature, .integer(Int32(clamping: beats))))
        }
        guard let signature = TimeSignature(beatsPerBar: beats, beatUnit: unit) else {
          throw .badSignature(beatsPerBar: beats, beatUnit: unit, address: arguments.address)
        }
        return .command(.set(.signature, .signature(signature)))
      }, setting: { _ in .signature }),
    AddressEntry(
      "/play", [], .trigger, .room, "Start the transport; sent with 1 while it runs, else 0.",
      build: { _ throws(WireError) in .command(.play) }, setting: { _ in .playing },
      write: { $0 == .play ? ([], [], []) : nil }),
    .trigger("/stop", .room, "Stop the transport, for everybody; pads always sound.", .stop),
    .sent("/stopped", .stopped, [.text("player")], "To everybody: who stopped the transport.") {
      if case .stopped(let player) = $0 { [.string(player.text)] } else { nil }
    },
    .setter(
      "/quantize", .choice("grid", Grid.allCases.map(\.word)), .player,
      "The lines that hits wait for; one that is late by less than a third of a step sounds at once."
    ) { _ in .quantize },
    .setter(
      "/quantize/strength", .float("strength", 0...1), .player, "How far a hit moves to its line: 1 is all the way."
    ) { _ in .quantizeStrength },
    .setter(
      "/swing", .float("swing", 0...0.75), .room,
      "Moves every second line of `1/8`, `1/16` and `1/32` later by swing × half a step: 0 is straight, 0.667 a triplet."
    ) { _ in .swing },
    .setter(
      "/repeat", .choice("rate", Grid.allCases.map(\.word)), .player, "The roll rate of pads in mode `repeat`."
    ) { _ in .repeatRate },
    .setter(
      "/timing", .choice("timing", Timing.allCases.map(\.word)), .player,
      "When your hits count: now, where you heard the beat (`/heard`), or one loop later in time for everybody."
    ) { _ in .timing },
    .readOnly(
      "/timing/chosen", ArgumentSpec("chosen", .bool), .player,
      "Whether `/timing` was sent: until then your timing is `live`, and `heard` from your first `/heard` on."
    ) { _ in .timingChosen },
    .call(
      "/heard", [ArgumentSpec("frame", .timestamp)], .player,
      "First in a bundle with hits and releases: the RTP timestamp that you were hearing, at most 2 s ago. `/frame` says which moment that is."
    ) { _ throws(WireError) in throw .heardOutOfPlace },
    .switch("/metronome", .player, "The click in the player's own streams.") { _ in .metronome },
    .setter("/metronome/gain", .float("gain", -60...12, unit: "dB"), .player, "The click's level.") { _ in
      .metronomeGain
    },
    .switch("/metronome/speakers", .host, "The click on the server's loudspeakers too, where it has some.") { _ in
      .metronomeSpeakers
    },
  ]
}
