internal import JamCore

extension AddressTable {
  /// Building blocks, and the lanes on which players put blocks in rows.
  static let blockRows: [AddressEntry] = [
    .list(
      "/blocks", "Answers one `/blocks/item` for each: your own, what was shared, the ready-made ones.", .listBlocks),
    .call(
      "/blocks/of", [.name("owner")], .player, "Answers one `/blocks/item` for each that a player saved; for hosts."
    ) {
      $0.name(0).map { .command(.listBlocksOf($0)) }
    } write: {
      if case .listBlocksOf(let owner) = $0 { ([], [], [.string(owner.text)]) } else { nil }
    },
    .call(
      "/block/save",
      [
        .text("name"), .count("layer", 0...Limits.standard.layersPerLoop).optional,
        .count("from", Limits.bars).optional,
        .count("bars", Limits.bars).optional,
      ], .player,
      "Keeps a layer of your loop, or all that sounds of it (0), as a block: from a bar on, so many bars, or all."
    ) { arguments in
      .command(
        .saveBlock(
          arguments.text(0) ?? "", layer: arguments.integer(1) ?? 0, from: arguments.integer(2) ?? 1,
          bars: arguments.integer(3)))
    } write: {
      guard case .saveBlock(let name, let layer, let from, let bars) = $0 else { return nil }
      let numbers = [layer, from] + (bars.map { [$0] } ?? [])
      return ([], [], [.string(name)] + numbers.map { .int32(Int32($0)) })
    },
    named("/block/share", "Everybody in the room has it, and everybody in any room finds it by `/search`.") {
      .shareBlock($0)
    } name: {
      if case .shareBlock(let name) = $0 { name } else { nil }
    },
    .call(
      "/block/delete", [.text("name"), .name("owner").optional], .player,
      "Takes a block of yours away, or as a host anybody's; lanes that it lies on keep it."
    ) {
      .command(.deleteBlock($0.text(0) ?? "", of: $0.name(1)))
    } write: {
      guard case .deleteBlock(let name, let owner) = $0 else { return nil }
      return ([], [], [.string(name)] + (owner.map { [.string($0.text)] } ?? []))
    },
    named("/block/hits", "Answers one `/block/hit` for each of its hits.") {
      .listHits($0)
    } name: {
      if case .listHits(let name) = $0 { name } else { nil }
    },
    named("/block/preview", "It goes round on your cue alone; an empty name ends that.") {
      .previewBlock($0)
    } name: {
      if case .previewBlock(let name) = $0 { name } else { nil }
    },
    .call("/block/copy", [.text("name"), .text("copy")], .player, "A block of your own with the same hits.") {
      .command(.copyBlock($0.text(0) ?? "", to: $0.text(1) ?? ""))
    } write: {
      if case .copyBlock(let name, let copy) = $0 { ([], [], [.string(name), .string(copy)]) } else { nil }
    },
    .call(
      "/block/step",
      [
        .text("name"), places, .integer("step", 1...1_024), ArgumentSpec("velocity", .velocity),
      ], .player,
      """
      A sixteenth of a block of yours, as your pad sounds now; 0 clears it. Lanes that it lies on follow. A \
      key's number is 17 more than its note.
      """
    ) { arguments in
      guard let pad = arguments.integer(1).flatMap({ Pad(place: $0) }) else { return nil }
      let edit = StruckEdit.blockStep(arguments.text(0) ?? "", pad, arguments.integer(2) ?? 1)
      return arguments.command(edit, 3).map { .command($0) }
    } write: {
      guard case .setBlockStep(let name, let pad, let step, let velocity) = $0 else { return nil }
      return ([], [], [.string(name), .int32(Int32(pad.number)), .int32(Int32(step)), .float(velocity)])
    },
    .setting(pair: { .laneSlot($0, $1) }),
    action(.play, "From the next bar line on once, block after block; what loops plays on to its end."),
    action(.loop, "The same, round and round; what plays once goes on."),
    action(.stop, "On the next bar line."),
    action(.clear, "Takes all its blocks away, at once."),
    .call(
      "/lane/<n>/focus", [.count("slot", 0...Limits.standard.slotsPerLane)], .player,
      "One block alone goes round on your cue; 0 ends that."
    ) {
      .command(.focus(lane: $0.numbers.0, slot: $0.integer(0) ?? 0))
    } write: {
      if case .focus(let lane, let slot) = $0 { ([lane], [], [.int32(Int32(slot))]) } else { nil }
    },
    .call(
      "/lane/<n>/move",
      [
        .count("from", 1...Limits.standard.slotsPerLane), .count("to", 1...Limits.standard.slotsPerLane),
        .count("lane", 1...Limits.standard.lanesPerPlayer).optional,
      ], .player,
      """
      Takes a slot's block to another slot; those between move up. To a slot of another lane it replaces \
      what lies there.
      """
    ) {
      .command(
        .moveSlot(lane: $0.numbers.0, from: $0.integer(0) ?? 1, to: $0.integer(1) ?? 1, toLane: $0.integer(2)))
    } write: {
      guard case .moveSlot(let lane, let from, let to, let other) = $0 else { return nil }
      return ([lane], [], ([from, to] + (other.map { [$0] } ?? [])).map { .int32(Int32($0)) })
    },
    .call(
      "/lane/<n>/swap",
      [.count("slot", 1...Limits.standard.slotsPerLane), .count("other", 1...Limits.standard.slotsPerLane)], .player,
      "Two slots change places."
    ) {
      .command(.swapSlots(lane: $0.numbers.0, $0.integer(0) ?? 1, $0.integer(1) ?? 1))
    } write: {
      if case .swapSlots(let lane, let a, let b) = $0 {
        ([lane], [], [.int32(Int32(a)), .int32(Int32(b))])
      } else {
        nil
      }
    },
    .setting { .laneState($0) },
    .setting { .lanePlaying($0) },
    .setting { .laneFocus($0) },
    .call(
      "/loop/define",
      [
        .count("pad", 1...Pad.placeCount), .text("sound"), .float("velocity", 0...1), .integer("turn", 0...1_000_000),
      ] + voicingArguments, .player,
      """
      In scores alone: a hit of a block, which `/loop/hit` sounds by its `/seq`; a key's number is 17 more \
      than its note.
      """,
      define
    ) {
      guard case .define(let voicing, let velocity, let turn) = $0 else { return nil }
      let hit: [OSCArgument] = [
        .int32(Int32(voicing.pad.number)), .string("\(voicing.sample)"), .float(velocity.value), .int32(Int32(turn)),
      ]
      return ([], [], hit + PadSetting.ofVoicings.flatMap { voicing.settings[$0].arguments })
    },
  ]

  static let blockSentRows: [AddressEntry] = [
    .sent(
      "/blocks/item", .blockItem,
      [.text("name"), .text("theme"), .float("beats"), .text("owner"), ArgumentSpec("shared", .bool)],
      "Answer to `/blocks`, or a new one's announcement; the theme is a ready-made one's, the owner a player's."
    ) {
      guard case .blockItem(let block) = $0 else { return nil }
      return [
        .string(block.name), .string(block.theme), .float(Float(block.length.value)), .string(block.owner?.text ?? ""),
        .int32(block.isShared ? 1 : 0),
      ]
    },
    .sent("/blocks/gone", .blockGone, [.text("name")], "A block was deleted.") {
      if case .blockGone(let name) = $0 { [.string(name)] } else { nil }
    },
    .sent(
      "/block/hit", .blockHit,
      [
        .text("block"), .integer("pad", 0...Double(Pad.placeCount)), .float("beat"), .float("velocity"),
        .float("length", unit: "beats"), .text("category"),
      ],
      """
      Answer to `/block/hits`: the pad is 0 where your kit has nothing for it, a key's 17 more than its \
      note, the length 0 where it rings out. The category is the hit's own, whichever pad plays \
      it; a synthesiser's is empty.
      """
    ) {
      guard case .blockHit(let block, let pad, let beat, let velocity, let length, let kind) = $0 else {
        return nil
      }
      return [
        .string(block), .int32(Int32(pad?.number ?? 0)), .float(beat), .float(velocity.value), .float(length),
        .string(kind),
      ]
    },
  ]

  static func named(
    _ address: String, _ summary: String, _ command: @escaping @Sendable (String) -> Command,
    name: @escaping @Sendable (Command) -> String?
  ) -> AddressEntry {
    .call(address, [.text("name")], .player, summary) {
      .command(command($0.text(0) ?? ""))
    } write: {
      name($0).map { ([], [], [.string($0)]) }
    }
  }

  private static func action(_ action: LaneAction, _ summary: String) -> AddressEntry {
    .trigger("/lane/<n>/\(action.rawValue)", .player, summary) {
      .lane($0.numbers.0, action)
    } write: {
      if case .lane(let lane, action) = $0 { ([lane], [], []) } else { nil }
    }.lit { .lane($0, action) }
  }

  /// The settings of a hit. Settings that were added later are optional.
  private static let voicingArguments = PadSetting.ofVoicings.enumerated().map { place, setting in
    let argument = ArgumentSpec(Setting.pad(setting, Pad.all[0]).row)
    return place < PadSetting.countInEveryScore ? argument : argument.optional
  }

  @Sendable private static func define(_ arguments: WireArguments) throws(WireError) -> Request? {
    guard let pad = arguments.integer(0).flatMap({ Pad(place: $0) }), let text = arguments.text(1),
      let sample = SampleID(text), let velocity = arguments.float(2).flatMap({ Velocity($0) }),
      let turn = arguments.integer(3)
    else { return nil }
    var settings = PadSettings()
    for (place, setting) in PadSetting.ofVoicings.enumerated() {
      // An older score has fewer settings.
      guard let value = arguments.settingValue(4 + place) else { continue }
      settings[setting] = value
    }
    return .command(.define(Voicing(pad: pad, sample: sample, settings: settings), velocity, turn: turn))
  }
}
