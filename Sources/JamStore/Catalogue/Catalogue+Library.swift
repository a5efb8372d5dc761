public import JamCore

/// The library's index: kits, blocks and sounds that people can search for, and the number of uses
/// of each. The kits, blocks and sounds themselves are kept elsewhere.
extension Catalogue {
  /// An item that a search can find.
  public struct LibraryItem: Hashable, Sendable {
    public var kind: LibraryKind
    /// The id, as in `SearchItem`.
    public var id: String
    public var name: String
    public var theme = ""
    public var category = ""
    /// Beats a minute; 0 means that there is no tempo.
    public var bpm = 0.0
    public var author = ""
    public var beats = 0.0
    /// Words that a search finds, but that are not shown.
    public var more = ""
    /// The room that the item was made in; empty where it came with the server.
    public var room = ""
    /// The player who alone can find the item, in that room; empty means that everybody can.
    public var owner = ""

    public init(_ kind: LibraryKind, id: String, name: String) {
      self.kind = kind
      self.id = id
      self.name = name
    }
  }

  /// The player who searches, who finds public items and their own.
  public struct Searcher: Hashable, Sendable {
    public var room: String
    /// Nil is somebody without a name.
    public var player: String?

    public init(room: String, player: String? = nil) {
      self.room = room
      self.player = player
    }
  }

  /// An item that was used, as the counts know it.
  public struct UsedItem: Hashable, Sendable {
    public var kind: LibraryKind
    public var id: String

    public init(kind: LibraryKind, id: String) {
      self.kind = kind
      self.id = id
    }
  }

  /// Uses are kept in a table of their own, so that an item that is gone for a while keeps its
  /// uses.
  static let libraryTables = """
    CREATE TABLE item (
      id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, theme TEXT NOT NULL,
      category TEXT NOT NULL, bpm REAL NOT NULL, author TEXT NOT NULL, beats REAL NOT NULL, room TEXT NOT NULL,
      owner TEXT NOT NULL, UNIQUE (kind, key, room, name));
    CREATE INDEX item_room ON item (kind, room);
    CREATE VIRTUAL TABLE item_text USING fts5 (
      name, theme, category, author, more, tokenize = "unicode61 remove_diacritics 2", prefix = '1 2 3');
    CREATE TABLE item_use (
      kind TEXT NOT NULL, key TEXT NOT NULL, uses INTEGER NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (kind, key))
      WITHOUT ROWID;
    """

  // MARK: Writing

  /// Replaces all items of these kinds in a room by `items`.
  /// - Parameter room: nil replaces those of all rooms, and those that came with the server.
  public func list(_ items: [LibraryItem], asAllOf kinds: Set<LibraryKind>, in room: String?) throws(Problem) {
    try write { database throws(DatabaseError) in
      for kind in kinds.sorted(by: { $0.rawValue < $1.rawValue }) {
        let which = room == nil ? "kind = ?1" : "kind = ?1 AND room = ?2"
        let values = [.text(kind.rawValue)] + (room.map { [Database.Value.text($0)] } ?? [])
        _ = try database.rows("DELETE FROM item_text WHERE rowid IN (SELECT id FROM item WHERE \(which))", of: values)
        _ = try database.rows("DELETE FROM item WHERE \(which)", of: values)
      }
      for item in items { try Catalogue.put(item, database) }
    }
  }

  /// Lists an item. It replaces the item of the same kind, id, room and name.
  public func list(_ item: LibraryItem) throws(Problem) {
    // Most edits of a block change nothing in the list. The disk is then not written.
    let isListed: Bool = try with { database throws(DatabaseError) in
      .success(try Catalogue.isListed(item, database))
    }
    guard !isListed else { return }
    try write { database throws(DatabaseError) in try Catalogue.put(item, database) }
  }

  /// - Parameter name: one name of a sound that has several; nil removes all of them.
  public func unlist(_ kind: LibraryKind, _ id: String, in room: String, named name: String? = nil) throws(Problem) {
    try write { database throws(DatabaseError) in
      let which = "kind = ?1 AND key = ?2 AND room = ?3" + (name == nil ? "" : " AND name = ?4")
      let values = [.text(kind.rawValue), .text(id), .text(room)] + (name.map { [Database.Value.text($0)] } ?? [])
      _ = try database.rows("DELETE FROM item_text WHERE rowid IN (SELECT id FROM item WHERE \(which))", of: values)
      _ = try database.rows("DELETE FROM item WHERE \(which)", of: values)
    }
  }

  /// Counts uses. Where more than `mostUsed` items have counts, the least used ones are forgotten,
  /// of those the ones used longest ago first.
  /// - Parameter now: seconds since 1970.
  public func count(_ uses: [UsedItem: Int], at now: Int64) throws(Problem) {
    try write { database throws(DatabaseError) in
      for (item, count) in uses {
        try database.run(
          """
          INSERT INTO item_use (kind, key, uses, used) VALUES (?1, ?2, ?3, ?4)
          ON CONFLICT (kind, key) DO UPDATE SET uses = uses + ?3, used = ?4
          """, .text(item.kind.rawValue), .text(item.id), .integer(Int64(count)), .integer(now))
      }
      try database.run(
        """
        DELETE FROM item_use WHERE (kind, key) IN (
          SELECT kind, key FROM item_use ORDER BY uses, used
          LIMIT max(0, (SELECT count(*) FROM item_use) - \(Catalogue.mostUsed)))
        """)
    }
  }

  /// The most items whose uses are remembered.
  private static let mostUsed = 65_536

  private func write(_ body: (Database) throws(DatabaseError) -> Void) throws(Problem) {
    let _: Bool = try with { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        try body(database)
        return .success(true)
      }
    }
  }

  private static func isListed(_ item: LibraryItem, _ database: Database) throws(DatabaseError) -> Bool {
    let rows = try database.rows(
      """
      SELECT item.theme, item.category, bpm, item.author, beats, owner, more FROM item \
      JOIN item_text ON item_text.rowid = item.id
      WHERE kind = ? AND key = ? AND room = ? AND item.name = ?
      """, .text(item.kind.rawValue), .text(item.id), .text(item.room), .text(item.name))
    return rows.first == [
      .text(item.theme), .text(item.category), .number(item.bpm), .text(item.author), .number(item.beats),
      .text(item.owner), .text(item.more),
    ]
  }

  private static func put(_ item: LibraryItem, _ database: Database) throws(DatabaseError) {
    let key: [Database.Value] = [.text(item.kind.rawValue), .text(item.id), .text(item.room), .text(item.name)]
    let which = "kind = ?1 AND key = ?2 AND room = ?3 AND name = ?4"
    _ = try database.rows("DELETE FROM item_text WHERE rowid IN (SELECT id FROM item WHERE \(which))", of: key)
    _ = try database.rows("DELETE FROM item WHERE \(which)", of: key)
    try database.run(
      """
      INSERT INTO item (kind, key, name, theme, category, bpm, author, beats, room, owner)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .text(item.kind.rawValue), .text(item.id), .text(item.name), .text(item.theme), .text(item.category),
      .number(item.bpm), .text(item.author), .number(item.beats), .text(item.room), .text(item.owner))
    try database.run(
      "INSERT INTO item_text (rowid, name, theme, category, author, more) VALUES (last_insert_rowid(), ?, ?, ?, ?, ?)",
      .text(item.name), .text(item.theme), .text(item.category), .text(item.author), .text(item.more))
  }

  // MARK: Finding

  /// The rooms that have items of a kind.
  public func rooms(with kind: LibraryKind) throws(Problem) -> [String] {
    try with { database throws(DatabaseError) in
      let rows = try database.rows("SELECT DISTINCT room FROM item WHERE kind = ?", .text(kind.rawValue))
      return .success(rows.map { $0[0].text }.filter { !$0.isEmpty })
    }
  }

  /// The items that have all words of a query. Better matches come first; of equally good ones, the
  /// more used ones.
  public func search(
    _ query: LibraryQuery, by searcher: Searcher, atMost most: Int = SearchItem.most
  ) throws(Problem) -> [SearchItem] {
    try with { database throws(DatabaseError) in
      var found: [SearchItem] = []
      var known: Set<UsedItem> = []
      func take(_ rows: [[Database.Value]]) {
        for row in rows where found.count < most {
          guard let item = Catalogue.searchItem(row) else { continue }
          // A sound with several names, or in several rooms, is one item in the result.
          if known.insert(UsedItem(kind: item.kind, id: item.id)).inserted { found.append(item) }
        }
      }
      if query.words.isEmpty {
        take(try database.rows(Catalogue.everything, of: Catalogue.values(query, searcher, most: most * 4)))
      }
      for match in query.matches where found.count < most {
        // A wider search finds the items of the narrower ones again.
        let values = Catalogue.values(query, searcher, most: (most + found.count) * 4)
        take(try database.rows(Catalogue.matching, of: values + [.text(match), .text(query.phrase)]))
      }
      return .success(found)
    }
  }

  /// The blocks that players saved, shared or not, by room, owner and name.
  public func savedBlocks() throws(Problem) -> [LibraryItem] {
    try with { database throws(DatabaseError) in
      let rows = try database.rows(
        "SELECT key, name, category, bpm, beats, room, owner FROM item WHERE kind = 'block' AND room <> '' ORDER BY key"
      )
      return .success(
        rows.map { row in
          var item = LibraryItem(.block, id: row[0].text, name: row[1].text)
          (item.category, item.bpm, item.beats) = (row[2].text, row[3].number, row[4].number)
          (item.room, item.owner) = (row[5].text, row[6].text)
          return item
        })
    }
  }

  private static let columns = """
    item.kind, item.key, item.name, item.theme, item.category, item.bpm, item.author, item.beats,
    coalesce(item_use.uses, 0) AS uses
    """
  private static let conditions = """
    (owner = '' OR owner = ?2 AND room = ?1) AND (?3 = '' OR item.kind = ?3) AND item.bpm BETWEEN ?4 AND ?5
    """
  private static let everything = """
    SELECT \(columns) FROM item LEFT JOIN item_use ON item_use.kind = item.kind AND item_use.key = item.key
    WHERE \(conditions)
    ORDER BY uses DESC, item.kind = 'sound', item.kind = 'block', item.id LIMIT ?6
    """
  private static let matching = """
    SELECT \(columns) FROM item_text JOIN item ON item.id = item_text.rowid
    LEFT JOIN item_use ON item_use.kind = item.kind AND item_use.key = item.key
    WHERE item_text MATCH ?7 AND \(conditions)
    ORDER BY item.name = ?8 COLLATE NOCASE DESC, uses DESC, bm25(item_text, 10, 4, 4, 4, 1), item.kind = 'sound',
      item.kind = 'block', item.id LIMIT ?6
    """

  private static func values(_ query: LibraryQuery, _ searcher: Searcher, most: Int) -> [Database.Value] {
    // Without a filter, the range also includes items without a tempo, whose `bpm` is 0.
    let tempo = query.tempo ?? -1...Double(Int32.max)
    return [
      .text(searcher.room), searcher.player.map { .text($0) } ?? .null, .text(query.kind?.rawValue ?? ""),
      .number(tempo.lowerBound), .number(tempo.upperBound), .integer(Int64(most)),
    ]
  }

  private static func searchItem(_ row: [Database.Value]) -> SearchItem? {
    guard let kind = LibraryKind(rawValue: row[0].text) else { return nil }
    return SearchItem(
      kind: kind, id: row[1].text, name: row[2].text, theme: row[3].text, category: row[4].text,
      bpm: Float(row[5].number), author: row[6].text, uses: Int(row[8].integer), beats: Float(row[7].number))
  }
}
