internal import JamCore

extension AddressTable {
  /// Each player has a loop of its own, on the room's beat.
  static let loopRows: [AddressEntry] =
    Setting.ofPasses.map { .setting($0) } + [
      .call(
        "/loop/countin/click", [ArgumentSpec("on", .bool)], .player,
        "In scores only: the click of a count-in, as it begins and ends."
      ) {
        $0.bool(0).map { .command(.countIn($0)) }
      } write: {
        if case .countIn(let isOn) = $0 { ([], [], [.int32(isOn ? 1 : 0)]) } else { nil }
      },
      recordRow,
      action(.overdub, "The same, pass after pass: each in which something is hit becomes a layer."),
      action(.play, "From its beginning, on the next bar line; a pass under way ends there."),
      action(.stop, "On the next bar line; a pass under way ends there."),
      action(.clear, "All layers go, on the next bar line."),
      catchRow,
      .setting(.loopState),
      .setting(.loopLayers),
      .setting { .layerMute($0) },
      .setting { .layerGain($0) },
      .trigger("/layer/<n>/delete", .player, "The layer goes.") {
        .deleteLayer($0.numbers.0)
      } write: {
        if case .deleteLayer(let number) = $0 { ([number], [], []) } else { nil }
      },
      .call(
        "/borrow", [.name("player"), .count("layer", 1...Limits.standard.layersPerLoop)], .player,
        """
        A copy of that layer of somebody becomes a layer of yours, and the other one rests until \
        you give it back.
        """
      ) { arguments in
        guard let name = arguments.name(0), let layer = arguments.integer(1) else { return nil }
        return .command(.borrow(name, layer: layer))
      } write: {
        guard case .borrow(let name, let layer) = $0 else { return nil }
        return ([], [], [.string(name.text), .int32(Int32(clamping: layer))])
      },
      .call(
        "/borrow/return", [.count("layer", 1...Limits.standard.layersPerLoop)], .player,
        "Gives back a layer of yours that is borrowed. Deleting it does, too, an undo, and leaving."
      ) { arguments in
        arguments.integer(0).map { .command(.returnLayer($0)) }
      } write: {
        guard case .returnLayer(let number) = $0 else { return nil }
        return ([], [], [.int32(Int32(clamping: number))])
      },
      .step(at: (1, 1)) { Pad($0)! },
      .setting(.steps),
      .setting { .padSteps(Pad($0)!) },
      .call(
        "/loop/hit",
        [
          .count("layer", 0...Limits.standard.layersPerLoop), .integer("hit", 0...4_294_967_295),
          .integer("hold", -1...2_147_483_647),
          .float("gain", Decibels.levels, unit: "dB"),
        ],
        .player,
        """
        In scores alone: a hit of that `/seq` sounds again at the gain of its layer, 0 being a lane, let go \
        of after so many frames; -1 is by hand.
        """
      ) { arguments in
        guard let layer = arguments.integer(0), let hit = arguments.integer(1), let hold = arguments.integer(2),
          let gain = arguments.float(3)
        else {
          return nil
        }
        return .command(.loopHit(layer: layer, hit: UInt32(clamping: hit), hold: Int32(clamping: hold), gain: gain))
      } write: {
        guard case .loopHit(let layer, let hit, let hold, let gain) = $0 else { return nil }
        return ([], [], [.int32(Int32(layer)), .int64(Int64(hit)), .int32(hold), .float(gain)])
      },
      .trigger("/loop/leave", .player, "In scores alone: the player left, and its loop plays on.", .leaveLoop),
      .trigger(
        "/undo", .player,
        """
        Takes back all hits that wait for the grid, else a pass under way, else your last edit: of pads, \
        loops, steps and lanes, or of what is the room's.
        """,
        .undo),
      .trigger("/redo", .player, "Does again what was taken back last.", .redo),
      .call(
        "/undo/group", [ArgumentSpec("on", .bool)], .player,
        "What you change between 1 and 0 is one edit, as a drag or a reset is: 256 changes at most, and half a minute."
      ) {
        $0.bool(0).map { .command(.groupEdits($0)) }
      } write: {
        if case .groupEdits(let isOn) = $0 { ([], [], [.int32(isOn ? 1 : 0)]) } else { nil }
      },
      .list("/undo/list", "Asks for `/undo/steps`. Topic `history` tells them whenever they have changed.", .listSteps),
      .list("/room/undo/list", "Asks for `/room/undo/steps`; the topic tells these, too.", .listRoomSteps),
      .sent(
        "/undo/steps", .ownSteps, steps,
        """
        What your `/undo` takes back and `/redo` does again, the next one first, a step on each line, \
        sixteen at most; and how many there are in all. A step of what is the room's begins with `room: `.
        """
      ) {
        if case .ownSteps(let steps) = $0 { steps.arguments } else { nil }
      },
      .sent("/room/undo/steps", .roomSteps, steps, "The same of what is the whole room's, whoever changed it.") {
        if case .roomSteps(let steps) = $0 { steps.arguments } else { nil }
      },
      .sent("/undone", .undone, [.text("what")], "What your `/undo` took back, in words for a display.") {
        if case .undone(let what) = $0 { [.string(what.text)] } else { nil }
      },
      .sent("/redone", .redone, [.text("what")], "What your `/redo` did again.") {
        if case .redone(let what) = $0 { [.string(what.text)] } else { nil }
      },
      .trigger(
        "/room/undo", .host,
        """
        Takes back the last edit of what is the whole room's: its tempo, signature, swing, levels, channels, \
        lock, build-up switches.
        """,
        .roomUndo),
      .trigger("/room/redo", .host, "Does that again.", .roomRedo),
      .sent(
        "/room/undone", .roomUndone, [.text("what"), .text("host")],
        "To everybody: what a host's `/room/undo` took back."
      ) {
        if case .roomUndone(let what, let host) = $0 { [.string(what.text), .string(host.text)] } else { nil }
      },
      .sent("/room/redone", .roomRedone, [.text("what"), .text("host")], "To everybody: what `/room/redo` did again.") {
        if case .roomRedone(let what, let host) = $0 { [.string(what.text), .string(host.text)] } else { nil }
      },
    ]

  private static let recordRow: AddressEntry =
    .call(
      "/loop/record",
      [.float("press").optional, .choice("from", ["next", "now"]).optional], .player,
      """
      From the next bar line on, one pass is taken down as a layer; then the loop plays. From \
      `now`: in silence your next hit is the loop's first beat; in a beat the pass begins on the \
      last bar line, with your hits since.
      """, access: .trigger
    ) { arguments in
      if let press = arguments.float(0), press <= 0 { return nil }
      return .command(arguments.text(1) == "now" ? .recordNow : .loop(.record))
    } write: {
      switch $0 {
      case .loop(.record): ([], [], [])
      case .recordNow: ([], [], [.float(1), .string("now")])
      default: nil
      }
    }.button.lit { _ in .loop(.record) }

  private static let catchRow: AddressEntry =
    .trigger(
      "/loop/catch", .player,
      """
      What you just played becomes a layer, though nothing was recorded; without a loop it \
      becomes one, of as many bars as hold it. Its light says that there is something to catch.
      """, .catchPlayed
    ).lit { _ in .catchPlayed }

  private static let steps: [ArgumentSpec] = [
    .text("undo"), .text("redo"), .integer("undo count"), .integer("redo count"),
  ]

  private static func action(_ action: LoopAction, _ summary: String) -> AddressEntry {
    .trigger("/loop/\(action.rawValue)", .player, summary, .loop(action)).lit { _ in .loop(action) }
  }
}
