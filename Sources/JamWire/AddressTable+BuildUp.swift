internal import JamCore

extension AddressTable {
  /// Build-ups and the drop.
  static let buildUpRows: [AddressEntry] =
    [
      .call(
        "/buildup",
        [
          .float("bpm", Tempo.range, unit: "bpm").optional, .count("bars", Limits.bars).optional,
          .choice("curve", TempoCurve.allCases.map(\.word)).optional,
        ], .room,
        """
        From the next bar line to that tempo (a quarter faster) over the bars (8) by the curve (`ease`), then \
        the drop. A button's 1 is none of them.
        """
      ) { arguments in
        let curve = arguments.text(2).flatMap { TempoCurve(word: $0) } ?? .ease
        return .command(.buildUp(bpm: arguments.float(0), bars: arguments.integer(1) ?? 8, curve))
      } write: {
        guard case .buildUp(let bpm, let bars, let curve) = $0 else { return nil }
        return ([], [], [bpm.map { .float($0) } ?? .nil, .int32(Int32(clamping: bars)), .string(curve.word)])
      }.button.lit { _ in .buildUp },
      .trigger("/buildup/drop", .room, "The old tempo on the next bar line.", .drop).lit { _ in
        .drop
      },
      .trigger("/buildup/cancel", .room, "End the build-up now.", .cancelBuildUp),
    ] + Setting.ofBuildUps.map { .setting($0) } + [
      .setting(.buildUpBars),
      .call(
        "/buildup/rise", [.float("amount", 0...1), .integer("frames", 0...10_000_000)], .room,
        "In scores only: the riser that was heard, on its way."
      ) { arguments in
        guard let amount = arguments.float(0), let frames = arguments.integer(1) else { return nil }
        return .command(.rise(amount, frames: frames))
      } write: {
        if case .rise(let amount, let frames) = $0 {
          ([], [], [.float(amount), .int32(Int32(clamping: frames))])
        } else {
          nil
        }
      },
      .call(
        "/buildup/hush", [ArgumentSpec("on", .bool)], .room, "In scores only: the silence that was heard.",
      ) {
        $0.bool(0).map { .command(.hush($0)) }
      } write: {
        if case .hush(let isOn) = $0 { ([], [], [.int32(isOn ? 1 : 0)]) } else { nil }
      },
    ]

  static let buildUpSentRows: [AddressEntry] = [
    .sent(
      "/buildup/state", .buildUp,
      [.choice("state", BuildUpState.allCases.map(\.word)), .float("target", unit: "bpm"), .integer("bars left")],
      "At each change and each bar of a build-up: what it does, where to, and how many bars until the drop."
    ) {
      guard case .buildUp(let report) = $0 else { return nil }
      return [.string(report.state.word), .float(report.target), .int32(Int32(clamping: report.barsLeft))]
    },
    .sent(
      "/buildup/replaced", .buildUpReplaced, [.text("player"), .text("by")],
      "To both: from the next bar line on, the build-up of `by` takes the place of the one of `player`."
    ) {
      guard case .buildUpReplaced(let player, let by) = $0 else { return nil }
      return [.string(player.text), .string(by.text)]
    },
  ]
}
