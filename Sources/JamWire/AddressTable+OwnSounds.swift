internal import JamCore

extension AddressTable {
  /// A player's own sounds and kits.
  static let ownSoundRows: [AddressEntry] = [
    .call("/kit/save", [.text("name")], .player, "Keep the player's pads as a kit, for everybody and across restarts.")
    {
      $0.text(0).map { .command(.saveKit($0)) }
    } write: {
      if case .saveKit(let name) = $0 { ([], [], [.string(name)]) } else { nil }
    },
    .call("/kit/delete", [.text("id")], .player, "A host deletes a saved kit; whoever plays it keeps it.") {
      $0.text(0).map { .command(.deleteKit($0)) }
    } write: {
      if case .deleteKit(let id) = $0 { ([], [], [.string(id)]) } else { nil }
    },
    .call(
      "/sample/delete", [.text("sound")], .player,
      "A host deletes a sound that was brought along, by its name or its id; pads that have it keep it."
    ) {
      $0.text(0).map { .command(.deleteSample($0)) }
    } write: {
      if case .deleteSample(let sound) = $0 { ([], [], [.string(sound)]) } else { nil }
    },
    .call(
      "/sample/record", [ArgumentSpec("pad", .pad)], .player,
      "Record from the server's input to a pad, a minute at most."
    ) {
      $0.integer(0).flatMap { Pad($0) }.map { .command(.record($0)) }
    } write: {
      if case .record(let pad) = $0 { ([], [], [.int32(Int32(pad.number))]) } else { nil }
    },
    .trigger("/sample/stop", .player, "End the recording: it plays on its pad at once.", .stopRecording),
    .setting(.recording),
    .call(
      "/sample/grab",
      [ArgumentSpec("pad", .pad), .count("bars", Limits.bars), .name("player").optional], .player,
      "The last whole bars to a pad, cut on the bar line: of the room's mix, or of one player's part of it."
    ) { arguments in
      guard let pad = arguments.integer(0).flatMap({ Pad($0) }), let bars = arguments.integer(1) else { return nil }
      return .command(.grab(pad, bars: bars, player: arguments.name(2)))
    } write: {
      guard case .grab(let pad, let bars, let player) = $0 else { return nil }
      return ([], [], [.int32(Int32(pad.number)), .int32(Int32(bars))] + (player.map { [.string($0.text)] } ?? []))
    },
  ]
}
