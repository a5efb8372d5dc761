internal import JamCore

extension AddressTable {
  /// The room's music as a project with a name.
  static let projectRows: [AddressEntry] = [
    .call(
      "/project/new", [.text("name"), .count("measures", Limits.bars).optional], .room,
      "An empty project of that name; loops of newcomers have so many bars. What was played before is kept."
    ) { arguments in
      .command(.project(.new(arguments.text(0) ?? "", measures: arguments.integer(1))))
    } write: {
      guard case .project(.new(let name, let measures)) = $0 else { return nil }
      return ([], [], [.string(name)] + (measures.map { [.int32(Int32($0))] } ?? []))
    },
    .call(
      "/project/save", [.text("label").optional], .room,
      "A version to come back to. Music without a name yet gets the room's."
    ) {
      .command(.project(.save(label: $0.text(0) ?? "")))
    } write: {
      guard case .project(.save(let label)) = $0 else { return nil }
      return ([], [], label.isEmpty ? [] : [.string(label)])
    },
    .call(
      "/project/open", [.text("name"), .integer("version", 1...1_000_000).optional], .room,
      "From the next bar line on the room plays it as it was last, or that version. What was played before is kept."
    ) { arguments in
      .command(.project(.open(arguments.text(0) ?? "", version: arguments.integer(1))))
    } write: {
      guard case .project(.open(let name, let version)) = $0 else { return nil }
      return ([], [], [.string(name)] + (version.map { [.int32(Int32($0))] } ?? []))
    },
    named("/project/copy", "The music as it is now gets this name too, and is played on under it.") {
      .copy($0)
    } name: {
      if case .copy(let name) = $0 { name } else { nil }
    },
    named("/project/name", "Another name for the project that the room plays.") {
      .rename($0)
    } name: {
      if case .rename(let name) = $0 { name } else { nil }
    },
    named("/project/delete", "A host deletes a project with its versions; where it is played, it is played on.") {
      .delete($0)
    } name: {
      if case .delete(let name) = $0 { name } else { nil }
    },
    .list("/projects", "Answers one `/projects/item` for each, the latest first.", .project(.list)),
    named("/project/versions", "Answers one `/project/version` for each, the latest first.") {
      .listVersions($0)
    } name: {
      if case .listVersions(let name) = $0 { name } else { nil }
    },
    .call(
      "/part/take", [.name("player")], .player,
      "What that player left playing becomes yours: pads, loop and lanes. `/undo` brings back your own."
    ) {
      $0.name(0).map { .command(.takePart($0)) }
    } write: {
      if case .takePart(let name) = $0 { ([], [], [.string(name.text)]) } else { nil }
    },
  ]

  static let projectSentRows: [AddressEntry] = [
    .sent(
      "/project/state", .project,
      [
        .text("name"), .integer("measures"), .integer("version"), .text("label"), .text("deed"), .text("player"),
      ],
      """
      Which project the room plays, with the version that was saved or opened last (0 is none), and what was \
      done last, by whom: `none` `new` `open` `save` `copy` `name` `delete`, `elsewhere` where another room \
      has opened it while this one was closed. Without a name the room's music has none yet.
      """
    ) {
      guard case .project(let report) = $0 else { return nil }
      return [
        .string(report.project.name), .int32(Int32(report.project.measures)),
        .int32(Int32(clamping: report.project.version)), .string(report.project.label), .string(report.deed.rawValue),
        .string(report.player),
      ]
    },
    .sent(
      "/projects/item", .projectItem,
      [
        .text("name"), .integer("measures"), .float("bpm"), .text("signature"), .text("players"), .integer("versions"),
        ArgumentSpec("changed", .long), .text("room"),
      ],
      """
      Answer to `/projects`: the players between commas, the last change in seconds since 1970, and the room \
      that plays it.
      """
    ) {
      guard case .projectItem(let item) = $0 else { return nil }
      return [
        .string(item.name), .int32(Int32(item.measures)), .float(item.bpm), .string(item.signature),
        .string(item.players.joined(separator: ", ")), .int32(Int32(clamping: item.versions)), .int64(item.changed),
        .string(item.room),
      ]
    },
    .sent(
      "/project/version", .projectVersion,
      [.text("project"), .integer("number"), .text("label"), ArgumentSpec("saved", .long)],
      "Answer to `/project/versions`: when it was saved, in seconds since 1970."
    ) {
      guard case .projectVersion(let version) = $0 else { return nil }
      return [
        .string(version.project), .int32(Int32(clamping: version.number)), .string(version.label),
        .int64(version.saved),
      ]
    },
    .sent("/projects/gone", .projectGone, [.text("name")], "A project was deleted, or has another name now.") {
      if case .projectGone(let name) = $0 { [.string(name)] } else { nil }
    },
  ]

  private static func named(
    _ address: String, _ summary: String, _ command: @escaping @Sendable (String) -> ProjectCommand,
    name: @escaping @Sendable (ProjectCommand) -> String?
  ) -> AddressEntry {
    .call(address, [.text("name")], .room, summary) {
      .command(.project(command($0.text(0) ?? "")))
    } write: {
      guard case .project(let command) = $0 else { return nil }
      return name(command).map { ([], [], [.string($0)]) }
    }
  }
}
