internal import JamCore

extension AddressTable {
  /// Takes: stretches of the performance, which the server records by itself.
  static let takeRows: [AddressEntry] = [
    .trigger(
      "/take/start", .room, "A take begins with this bar, and goes on over any quiet until `/take/stop`.", .take(.start)
    ).lit { _ in .take },
    .trigger("/take/stop", .room, "The take that was started ends now.", .take(.stop)),
    .call(
      "/take/keep", [.count("bars", TakeItem.keptBars)], .room, "The bars just gone become a take."
    ) {
      $0.integer(0).map { .command(.take(.keep(bars: $0))) }
    } write: {
      if case .take(.keep(let bars)) = $0 { ([], [], [.int32(Int32(clamping: bars))]) } else { nil }
    },
    .call("/take/name", [.text("take"), .text("name")], .room, "Gives a take a name; an empty one takes it away.") {
      .command(.take(.rename($0.text(0) ?? "", $0.text(1) ?? "")))
    } write: {
      if case .take(.rename(let id, let name)) = $0 { ([], [], [.string(id), .string(name)]) } else { nil }
    },
    .call(
      "/take/star", [.text("take"), ArgumentSpec("on", .bool)], .room, "A take with a star is not forgotten."
    ) { arguments in
      arguments.bool(1).map { .command(.take(.star(arguments.text(0) ?? "", $0))) }
    } write: {
      if case .take(.star(let id, let isOn)) = $0 { ([], [], [.string(id), .int32(isOn ? 1 : 0)]) } else { nil }
    },
    .call(
      "/take/trim",
      [.text("take"), .integer("first", 1...1_000_000).optional, .integer("last", 1...1_000_000).optional], .room,
      "Only these of its bars are heard, counted from 1; without them all are again."
    ) { arguments in
      let (first, last) = (arguments.integer(1), arguments.integer(2))
      // The bounds are in order, because the smaller number is put first.
      let bars = first.map { min($0, last ?? $0)...max($0, last ?? $0) }
      return .command(.take(.trim(arguments.text(0) ?? "", bars: bars)))
    } write: {
      guard case .take(.trim(let id, let bars)) = $0 else { return nil }
      let range = bars.map {
        [OSCArgument.int32(Int32(clamping: $0.lowerBound)), .int32(Int32(clamping: $0.upperBound))]
      }
      return ([], [], [.string(id)] + (range ?? []))
    },
    .call("/take/delete", [.text("take")], .room, "A host deletes a take.") {
      .command(.take(.delete($0.text(0) ?? "")))
    } write: {
      if case .take(.delete(let id)) = $0 { ([], [], [.string(id)]) } else { nil }
    },
    .call(
      "/take/play", [.text("take")], .room,
      """
      Its notes are played in the room from the next bar line, on the pads of whoever has their players' \
      names, else on yours.
      """
    ) {
      .command(.take(.play($0.text(0) ?? "")))
    } write: {
      if case .take(.play(let id)) = $0 { ([], [], [.string(id)]) } else { nil }
    },
    .trigger("/take/play/stop", .room, "The take that is played in the room ends, for everybody.", .take(.endPlaying)),
    .call(
      "/take/export", [.text("take"), .text("file")], .room,
      """
      A file is made of a take, as `stems.zip?by=pad`: how its name ends, and what is asked of it. \
      `/export/state` tells how far it is.
      """
    ) {
      .command(.take(.export($0.text(0) ?? "", file: $0.text(1) ?? "")))
    } write: {
      if case .take(.export(let id, let file)) = $0 { ([], [], [.string(id), .string(file)]) } else { nil }
    },
    .call(
      "/project/export", [.text("project"), .text("file")], .room,
      "The same of a project's loops, once round; an empty name is what the room plays."
    ) {
      .command(.take(.exportProject($0.text(0) ?? "", file: $0.text(1) ?? "")))
    } write: {
      if case .take(.exportProject(let name, let file)) = $0 { ([], [], [.string(name), .string(file)]) } else { nil }
    },
    .call("/export/cancel", [.text("address")], .room, "A file that is being made is given up.") {
      .command(.take(.cancelExport($0.text(0) ?? "")))
    } write: {
      if case .take(.cancelExport(let address)) = $0 { ([], [], [.string(address)]) } else { nil }
    },
    .list("/takes", "Answers one `/takes/item` for each of the room's, the latest first.", .take(.list)),
  ]

  static let takeSentRows: [AddressEntry] = [
    .sent(
      "/take/state", .take, [.text("take"), ArgumentSpec("started", .bool)],
      "The take that is recorded now, and whether somebody started it by hand; an empty name while it is quiet."
    ) {
      if case .take(let id, let isStarted) = $0 { [.string(id), .int32(isStarted ? 1 : 0)] } else { nil }
    },
    .sent(
      "/takes/item", .takeItem,
      [
        .text("take"), .text("name"), ArgumentSpec("began", .long), .float("seconds"), .float("bpm"), .integer("bars"),
        .integer("first"), .integer("last"), .text("players"), .integer("hits"), ArgumentSpec("starred", .bool),
        ArgumentSpec("recording", .bool), ArgumentSpec("forgotten", .long),
      ],
      """
      Answer to `/takes`, or what has changed of a take: when it began, in seconds since 1970; how long what \
      is heard of it is; its bars, and the first and last that are heard; players between commas; when it is \
      forgotten, 0 is never.
      """
    ) {
      guard case .takeItem(let item) = $0 else { return nil }
      return [
        .string(item.id), .string(item.name), .int64(item.began), .float(Float(item.seconds)), .float(item.bpm),
        .int32(Int32(clamping: item.bars)), .int32(Int32(clamping: item.heard.lowerBound)),
        .int32(Int32(clamping: item.heard.upperBound)), .string(item.players.joined(separator: ", ")),
        .int32(Int32(clamping: item.hits)), .int32(item.isStarred ? 1 : 0), .int32(item.isRecording ? 1 : 0),
        .int64(item.forgotten),
      ]
    },
    .sent(
      "/take/playing", .takePlaying, [.text("take")],
      "The take whose notes are played in the room; empty where none is."
    ) {
      if case .takePlaying(let id) = $0 { [.string(id)] } else { nil }
    },
    .sent(
      "/export/state", .export,
      [
        .text("address"), .choice("stage", ExportState.Stage.allCases.map(\.rawValue)), .float("part"), .text("reason"),
      ],
      "How far a file is, 0…1; ready, it is to be had by HTTP at that address behind the room's."
    ) {
      guard case .export(let state) = $0 else { return nil }
      return [.string(state.address), .string(state.stage.rawValue), .float(state.part), .string(state.reason)]
    },
    .sent("/takes/gone", .takeGone, [.text("take")], "A take was deleted, or forgotten.") {
      if case .takeGone(let id) = $0 { [.string(id)] } else { nil }
    },
  ]
}
