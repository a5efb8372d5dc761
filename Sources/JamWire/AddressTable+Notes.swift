internal import JamCore

extension AddressTable {
  /// The number of a pad or a key.
  static let places = ArgumentSpec.count("pad", 1...Pad.placeCount)

  /// The notes of all loops, and the changes of a player's own notes.
  static let noteRows: [AddressEntry] = [
    .call(
      "/loop/notes", [.name("player").optional], .player,
      """
      Answers one `/loop/note` for each note of somebody's loop, or of your own, one `/loop/layer` for each \
      layer, then `/loop/notes/end`.
      """,
      access: .query
    ) {
      .command(.listNotes($0.name(0)))
    } write: {
      if case .listNotes(let name) = $0 { ([], [], name.map { [.string($0.text)] } ?? []) } else { nil }
    },
    .call(
      "/layer/<n>/note",
      [
        .integer("note", 0...4_294_967_295), .float("beat", 0...16_384, unit: "beats"),
        ArgumentSpec("velocity", .velocity), places.optional,
      ], .player,
      """
      A note of the layer, by its number: where it lies from the loop's beginning on, and how loud it is; 0 \
      takes it away. With a pad that one plays it, as it sounds now; a key's number is 17 more than its note.
      """
    ) { arguments in
      guard let note = arguments.integer(0), let beat = arguments.float(1) else { return nil }
      let pad = arguments.integer(3).flatMap { Pad(place: $0) }
      let edit = StruckEdit.note(layer: arguments.numbers.0, number: UInt32(clamping: note), beat: beat, pad: pad)
      return arguments.command(edit, 2).map { .command($0) }
    } write: {
      guard case .changeNote(let layer, let change) = $0 else { return nil }
      let pad = change.pad.map { [OSCArgument.int32(Int32($0.number))] } ?? []
      return ([layer], [], [.int64(Int64(change.number)), .float(change.beat), .float(change.velocity)] + pad)
    },
    .call(
      "/layer/<n>/add",
      [places, .float("beat", 0...16_384, unit: "beats"), ArgumentSpec("velocity", .velocity)], .player,
      "One more note of the layer, as your pad sounds now; a key's number is 17 more than its note."
    ) { arguments in
      guard let pad = arguments.integer(0).flatMap({ Pad(place: $0) }), let beat = arguments.float(1) else {
        return nil
      }
      return arguments.command(.addition(layer: arguments.numbers.0, pad, beat: beat), 2).map { .command($0) }
    } write: {
      guard case .addNote(let layer, let pad, let beat, let velocity) = $0 else { return nil }
      return ([layer], [], [.int32(Int32(pad.number)), .float(beat), .float(velocity)])
    },
    .sent(
      "/loop/note", .loopNote,
      [
        .text("player"), .integer("layer"), .integer("note", 0...4_294_967_295),
        .integer("pad", 1...Double(Pad.placeCount)), .float("beat", unit: "beats"), .float("velocity"),
        .float("length", unit: "beats"), .float("cycle", unit: "beats"), .text("category"),
      ],
      """
      Answer to `/loop/notes`: the beat counts from the loop's beginning, the length is 0 where it rings \
      out, and it comes again after the cycle. A key's pad is 17 more than its note. The category \
      is its sound's, as `kick`; a synthesiser's is empty.
      """
    ) {
      guard case .loopNote(let note) = $0 else { return nil }
      return [
        .string(note.player.text), .int32(Int32(clamping: note.layer)), .int64(Int64(note.number)),
        .int32(Int32(note.pad.number)), .float(note.beat), .float(note.velocity), .float(note.length),
        .float(note.cycle), .string(note.category),
      ]
    },
    .sent(
      "/loop/layer", .loopLayer,
      [
        .text("player"), .integer("layer"), ArgumentSpec("muted", .bool), .float("gain", unit: "dB"),
        ArgumentSpec("steps", .bool), .text("owner"), .text("borrower"),
      ],
      """
      Answer to `/loop/notes`: a layer, and whether it is the step grid's; of a borrowed one its \
      owner, of a lent one its borrower (`/borrow`).
      """
    ) {
      guard case .loopLayer(let layer) = $0 else { return nil }
      return [
        .string(layer.player.text), .int32(Int32(clamping: layer.number)), .int32(layer.isMuted ? 1 : 0),
        .float(layer.gain), .int32(layer.isSteps ? 1 : 0), .string(layer.owner?.text ?? ""),
        .string(layer.borrower?.text ?? ""),
      ]
    },
    .sent(
      "/loop/notes/end", .loopNotesEnd, [.text("player"), .integer("mark")],
      "Behind all notes and layers: the mark that `/player/loop` told with them."
    ) {
      guard case .loopNotesEnd(let player, let mark) = $0 else { return nil }
      return [.string(player.text), .int32(mark)]
    },
  ]
}
