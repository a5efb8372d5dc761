internal import JamCore

extension AddressTable {
  /// The search of the server's library by words.
  static let searchRows: [AddressEntry] = [
    .call(
      "/search", [.text("words").optional], .player,
      """
      Answers one `/search/item` for each kit, block and sound that has all words, the best first, then \
      `/search/end`; without words what is used most.
      """,
      access: .query
    ) {
      .command(.search($0.text(0) ?? ""))
    } write: {
      if case .search(let words) = $0 { ([], [], [.string(words)]) } else { nil }
    }
  ]

  static let searchSentRows: [AddressEntry] = [
    .sent(
      "/search/item", .searchItem,
      [
        .text("kind"), .text("id"), .text("name"), .text("theme"), .text("category"), .float("bpm"), .text("author"),
        .integer("uses"), .float("beats"),
      ],
      """
      A hit of `/search`: the id goes to `/kit`, `/lane/<n>/<slot>` or `/pad/<n>/sample`; bpm and beats are \
      0 where it has none.
      """
    ) {
      guard case .searchItem(let item) = $0 else { return nil }
      return [
        .string(item.kind.rawValue), .string(item.id), .string(item.name), .string(item.theme), .string(item.category),
        .float(item.bpm), .string(item.author), .int32(Int32(clamping: item.uses)), .float(item.beats),
      ]
    },
    .sent(
      "/search/end", .searchEnd, [.text("words"), .integer("count")],
      "All hits of a search are told: its words as they were sent, and how many hits there are."
    ) {
      if case .searchEnd(let words, let count) = $0 { [.string(words), .int32(Int32(clamping: count))] } else { nil }
    },
  ]
}
