import JamCore
import Testing

@testable import JamStore

/// What is found in the library's list, and in which order.
@Suite struct LibraryTests {
  private let catalogue: Catalogue
  private let main = Catalogue.Searcher(room: "main", player: "ann")

  init() throws { catalogue = try Catalogue(inMemory: ()) }

  private func item(
    _ kind: LibraryKind, _ id: String, _ name: String, theme: String = "", category: String = "", bpm: Double = 0,
    author: String = "", more: String = "", room: String = "", owner: String = ""
  ) -> Catalogue.LibraryItem {
    var item = Catalogue.LibraryItem(kind, id: id, name: name)
    (item.theme, item.category, item.bpm, item.author) = (theme, category, bpm, author)
    (item.more, item.room, item.owner) = (more, room, owner)
    return item
  }

  private func find(_ words: String, by searcher: Catalogue.Searcher? = nil) throws -> [String] {
    try catalogue.search(LibraryQuery(words), by: searcher ?? main).map(\.id)
  }

  private func use(_ kind: LibraryKind, _ id: String, _ count: Int) throws {
    try catalogue.count([Catalogue.UsedItem(kind: kind, id: id): count], at: 1)
  }

  @Test("everything is found by each of its texts, by the beginning of a word, in any case and without accents")
  func texts() throws {
    try catalogue.list(
      item(.block, "b", "Frühling für Élise", theme: "bossa", category: "kick snare", author: "Zoë", more: "hidden"))
    for words in [
      "frühling", "fruhling", "FRÜHLING", "elis", "é", "bossa", "snar", "zoe", "hidd", "elise fruh bossa zoë",
      "Fru\u{308}hling", "theme:bos", "category:kick", "author:ZOE", "name:elise",
    ] {
      #expect(try find(words) == ["b"], "\(words)")
    }
    for words in ["rühling", "elise rock", "theme:elise", "author:bossa", "name:bossa"] {
      #expect(try find(words) == [], "\(words)")
    }
  }

  @Test(
    "what people type is never a command to the index",
    arguments: [
      "\"", "\"\"", "kick\"", "\"kick", "kick*", "*", "NEAR", "NEAR(kick snare)", "kick NEAR snare", "AND", "kick AND",
      "OR OR", "NOT kick", "-kick", "^kick", "name:", "{name theme}:kick", "nosuch:kick", "(", ")", "'", "';--",
      "kick\u{0}", "\u{0}", "\u{1b}[31m", "%", "_", "\\", "😀", "\u{202e}kick", "item_text", "+", "kick + snare", ":",
      "::", "a:b:c",
    ])
  func quoting(words: String) throws {
    try catalogue.list(item(.sound, "starter/1", "Kick", category: "kick"))
    let found = try find(words)
    let bare = words.unicodeScalars.allSatisfy { !$0.properties.isAlphabetic }
    #expect(bare ? found == ["starter/1"] : found.count <= 1)
    // The database is whole, and answers.
    #expect(try find("kick") == ["starter/1"])
  }

  @Test("long words, and very many, are cut or refused and never end anything")
  func long() throws {
    try catalogue.list(item(.kit, "k", "Kick"))
    #expect(throws: LibraryQuery.Problem.tooLong) { try find(String(repeating: "k", count: 10_000)) }
    #expect(try find(String(repeating: "k", count: SearchItem.mostBytes)) == [])
    #expect(try find(String(repeating: "k ", count: SearchItem.mostBytes / 2)) == ["k"])
  }

  @Test("how well it matches counts first, then how often it was used")
  func ranking() throws {
    try catalogue.list(item(.kit, "house", "House", theme: "electronic"))
    try catalogue.list(item(.block, "house four", "House four", theme: "house"))
    try catalogue.list(item(.block, "house bass", "House bass", theme: "house"))
    try catalogue.list(item(.block, "warehouse", "Deep house", theme: "house"))
    try catalogue.list(item(.block, "wood", "Woodblock", theme: "house"))
    try catalogue.list(item(.sound, "own/1", "Housekeeping"))
    try use(.block, "house bass", 3)
    try use(.block, "house four", 2)
    try use(.block, "wood", 1_000)
    try use(.sound, "own/1", 500)
    // Its very name, names that begin with the word, with it in them, with a word that begins so, and then all others.
    #expect(try find("house") == ["house", "house bass", "house four", "warehouse", "own/1", "wood"])
    try use(.block, "house four", 2)
    #expect(try find("house") == ["house", "house four", "house bass", "warehouse", "own/1", "wood"])
    // Without words, what is used most.
    #expect(try find("").prefix(3) == ["wood", "own/1", "house four"])
    #expect(try catalogue.search(LibraryQuery("house bass"), by: main).first?.uses == 3)
  }

  @Test(
    "filters by kind and tempo",
    arguments: [
      ("kind:kit", ["k"]), ("kind:BLOCKS", ["slow", "fast"]), ("tempo:120", ["slow"]), ("tempo:100-121", ["slow"]),
      ("tempo:174-110", ["slow", "fast"]), ("tempo:121-", ["fast"]), ("beat tempo:170-180", ["fast"]),
      ("kind:", ["k", "slow", "fast"]), ("tempo:", ["k", "slow", "fast"]), ("kind:sound", []),
    ])
  func filters(words: String, ids: [String]) throws {
    try catalogue.list(item(.kit, "k", "Kit"))
    try catalogue.list(item(.block, "slow", "Beat one", bpm: 119.7))
    try catalogue.list(item(.block, "fast", "Beat two", bpm: 174))
    #expect(try find(words) == ids)
  }

  @Test(
    "a filter that says nothing is refused as it was written",
    arguments: [
      "kind:song", "tempo:fast", "tempo:120-x", "tempo:-1", "tempo:nan", "tempo:inf", "tempo:1e99", "tempo:0x10p999999",
    ])
  func badFilter(words: String) {
    #expect(throws: LibraryQuery.Problem.badFilter(words)) { try LibraryQuery("kick \(words)") }
  }

  @Test("a private block is found by its owner in its room alone, a shared one everywhere")
  func privacy() throws {
    try catalogue.list(item(.block, "main/ann/mine", "mine", room: "main", owner: "ann"))
    try catalogue.list(item(.block, "cellar/bob/ours", "ours", room: "cellar"))
    #expect(try find("mine") == ["main/ann/mine"] && find("") == ["main/ann/mine", "cellar/bob/ours"])
    for searcher in [("main", "bob"), ("cellar", "ann"), ("main", nil)] {
      let searcher = Catalogue.Searcher(room: searcher.0, player: searcher.1)
      #expect(try find("mine", by: searcher) == [] && find("ours", by: searcher) == ["cellar/bob/ours"])
      #expect(try find("", by: searcher) == ["cellar/bob/ours"])
    }
    // Shared from now on.
    try catalogue.list(item(.block, "main/ann/mine", "mine", room: "main"))
    #expect(try find("mine", by: .init(room: "cellar")) == ["main/ann/mine"])
  }

  @Test("a list takes the place of the one before, item by item, and uses outlast it")
  func listing() throws {
    try catalogue.list([item(.kit, "a", "Alpha"), item(.kit, "b", "Beta")], asAllOf: [.kit, .sound], in: "")
    try catalogue.list(item(.block, "main/ann/x", "Alpha block", room: "main"))
    try use(.kit, "a", 7)
    try catalogue.list([item(.kit, "b", "Beta")], asAllOf: [.kit, .sound], in: "")
    #expect(try find("alpha") == ["main/ann/x"] && find("beta") == ["b"])
    try catalogue.list([item(.kit, "a", "Alpha")], asAllOf: [.kit, .sound], in: "")
    #expect(try catalogue.search(LibraryQuery("kind:kit"), by: main).map(\.uses) == [7])
    try catalogue.unlist(.block, "main/ann/x", in: "main")
    #expect(try find("block") == [])
    #expect(try find("alpha") == ["a"])
  }

  @Test("a sound of several names is found by each, and is one hit")
  func names() throws {
    try catalogue.list(item(.sound, "own/1", "bark", room: "main"))
    try catalogue.list(item(.sound, "own/1", "barking dog", room: "main"))
    try catalogue.list(item(.sound, "own/1", "bark", room: "cellar"))
    #expect(try find("bark") == ["own/1"] && find("dog") == ["own/1"] && find("") == ["own/1"])
    try catalogue.unlist(.sound, "own/1", in: "main", named: "barking dog")
    #expect(try find("dog") == [] && find("bark") == ["own/1"])
    #expect(try catalogue.rooms(with: .sound).sorted() == ["cellar", "main"])
  }

  @Test("a search answers fifty hits, the best ones")
  func many() throws {
    let items = (0..<400).map { item(.sound, "own/\($0)", "Kick \($0)") }
    try catalogue.list(items, asAllOf: [.sound], in: "")
    try use(.sound, "own/333", 2)
    let found = try find("kick")
    #expect(found.count == SearchItem.most && found.first == "own/333" && Set(found).count == found.count)
    #expect(try find("").count == SearchItem.most)
  }
}
