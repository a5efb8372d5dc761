internal import JamCore

extension AddressTable {
  /// The room's clock.
  static let clockRows: [AddressEntry] =
    transportRows + Setting.ofTiming.map { .setting($0) } + heardRows + Setting.ofMetronome.map { .setting($0) }

  private static let transportRows: [AddressEntry] = [
    .setting(.tempo),
    .setting(.soundingTempo),
    .trigger("/tempo/tap", .room, "Tap the tempo: the last 8 taps are averaged.", .tapTempo),
    .call(
      "/tempo/nudge", [.float("shift", -1_000...1_000, unit: "ms")], .room,
      """
      Moves the beat without a jump; positive is earlier. Nudges under way keep the beat within \
      \(TempoMap.nudgedRange.wholeWords) bpm; what goes beyond is refused.
      """
    ) {
      $0.float(0).map { .command(.nudge($0)) }
    } write: {
      if case .nudge(let milliseconds) = $0 { ([], [], [.float(milliseconds)]) } else { nil }
    },
    AddressEntry(
      .signature, [.count("beats per bar", TimeSignature.beatsRange).optional, .integer("beat unit", 1...32).optional],
      .setter,
      build: { arguments throws(WireError) in
        guard let beats = arguments.integer(0) else { return .command(.read(.signature)) }
        guard let unit = arguments.integer(1) else {
          return .command(.set(.signature, .integer(Int32(clamping: beats))))
        }
        guard let signature = TimeSignature(beatsPerBar: beats, beatUnit: unit) else {
          throw .badSignature(beatsPerBar: beats, beatUnit: unit, address: arguments.address)
        }
        return .command(.set(.signature, .signature(signature)))
      }),
    AddressEntry(
      .playing, [], .trigger, build: { _ throws(WireError) in .command(.play) },
      write: { $0 == .play ? ([], [], []) : nil }),
    .trigger("/stop", .room, "Stop the transport, for everybody; pads always sound.", .stop),
    .sent("/stopped", .stopped, [.text("player")], "To everybody: who stopped the transport.") {
      if case .stopped(let player) = $0 { [.string(player.text)] } else { nil }
    },
  ]

  private static let heardRows: [AddressEntry] = [
    .call(
      "/heard", [ArgumentSpec("frame", .timestamp)], .player,
      """
      First in a bundle with hits and releases: the RTP timestamp that you were hearing, at most 2 s ago. \
      `/frame` says which moment that is.
      """
    ) { _ throws(WireError) in throw .heardOutOfPlace }
  ]
}
