internal import JamCore

extension AddressTable {
  /// Sounds that only one player hears.
  static let cueRows: [AddressEntry] = [
    .trigger(
      "/pad/<n>/preview", .pad, "Hear the pad at full velocity on your own cue (`player=` in a stream's address) alone."
    ) {
      .preview($0.pad)
    } write: {
      if case .preview(let pad) = $0 { ([Int(pad.number)], [], []) } else { nil }
    },
    .call(
      "/sample/preview", [.text("id")], .player,
      "Hear any sound on your own cue, as `starter/3`; it ends the one before."
    ) {
      $0.text(0).map { .command(.previewSample($0)) }
    } write: {
      if case .previewSample(let id) = $0 { ([], [], [.string(id)]) } else { nil }
    },
  ]
}
