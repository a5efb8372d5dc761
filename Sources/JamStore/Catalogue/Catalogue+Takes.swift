/// Takes: stretches of what rooms played. The music is kept in files of its own; the catalogue has
/// the facts.
extension Catalogue {
  /// A take. `first` and `length` are in frames of its recording.
  public struct Take: Hashable, Sendable {
    public var id: String
    public var room: String
    /// The recording that the take is a part of: the name of a score's file, without its ending.
    /// Several takes may be parts of one recording.
    public var recording: String
    public var name = ""
    public var isStarred = false
    /// Seconds since 1970.
    public var began: Int64
    public var first: Int64
    /// Nil while the take is still recorded.
    public var length: Int64?
    public var tempo: Double
    public var found: Found?
    /// The bars that are heard, counted from 1; nil is all of them.
    public var trim: ClosedRange<Int>?

    public init(
      id: String, room: String, recording: String, began: Int64, first: Int64, length: Int64?, tempo: Double
    ) {
      self.id = id
      self.room = room
      self.recording = recording
      self.began = began
      self.first = first
      self.length = length
      self.tempo = tempo
    }
  }

  /// The facts of a take that a replay has found.
  public struct Found: Hashable, Sendable {
    public var players: [String]
    public var hits: Int
    /// Where bars begin, in frames from the beginning of the take.
    public var bars: [Int64]
    /// The peak of each twentieth of a second, 0…255.
    public var peaks: [UInt8]

    public init(players: [String], hits: Int, bars: [Int64], peaks: [UInt8]) {
      self.players = players
      self.hits = hits
      self.bars = bars
      self.peaks = peaks
    }
  }

  static let takeTable = """
    CREATE TABLE take (
      id TEXT PRIMARY KEY, room TEXT NOT NULL, recording TEXT NOT NULL, name TEXT NOT NULL, starred INTEGER NOT NULL,
      began INTEGER NOT NULL, first INTEGER NOT NULL, length INTEGER, tempo REAL NOT NULL, trim_first INTEGER,
      trim_last INTEGER, players TEXT, hits INTEGER, bars TEXT, peaks BLOB);
    CREATE INDEX take_room ON take (room, began);
    """

  private static let columns = """
    id, room, recording, name, starred, began, first, length, tempo, trim_first, trim_last, players, hits, bars
    """

  /// The takes, the latest first. Their peaks are only read where `withPeaks` asks for them.
  /// - Parameter room: nil is all rooms.
  public func takes(of room: String? = nil, withPeaks: Bool = false) throws(Problem) -> [Take] {
    let columns = Catalogue.columns + (withPeaks ? ", peaks" : "")
    return try with { database throws(DatabaseError) in
      let rows =
        if let room {
          try database.rows("SELECT \(columns) FROM take WHERE room = ? ORDER BY began DESC, id DESC", .text(room))
        } else {
          try database.rows("SELECT \(columns) FROM take ORDER BY began DESC, id DESC")
        }
      return .success(rows.map(Catalogue.take))
    }
  }

  /// Takes that are still recorded, or that no replay has looked at yet.
  public func unfinishedTakes() throws(Problem) -> [Take] {
    try with { database throws(DatabaseError) in
      let rows = try database.rows("SELECT \(Catalogue.columns) FROM take WHERE length IS NULL OR players IS NULL")
      return .success(rows.map(Catalogue.take))
    }
  }

  /// The number of takes that are starred, in all rooms.
  public func starredTakes() throws(Problem) -> Int {
    try with { database throws(DatabaseError) in
      let rows = try database.rows("SELECT count(*) FROM take WHERE starred <> 0")
      return .success(Int(clamping: rows[0][0].integer))
    }
  }

  public func take(_ id: String) throws(Problem) -> Take? {
    try with { database throws(DatabaseError) in
      let rows = try database.rows("SELECT \(Catalogue.columns), peaks FROM take WHERE id = ?", .text(id))
      return .success(rows.first.map(Catalogue.take))
    }
  }

  private static func take(_ row: [Database.Value]) -> Take {
    var take = Take(
      id: row[0].text, room: row[1].text, recording: row[2].text, began: row[5].integer, first: row[6].integer,
      length: row[7] == .null ? nil : row[7].integer, tempo: row[8].number)
    take.name = row[3].text
    take.isStarred = row[4].integer != 0
    if row[9] != .null, row[10] != .null, row[9].integer <= row[10].integer {
      // The bounds are in order: the condition has checked it.
      take.trim = Int(row[9].integer)...Int(row[10].integer)
    }
    if row[11] != .null {
      take.found = Found(
        players: list(row[11]), hits: Int(row[12].integer), bars: list(row[13]).compactMap { Int64($0) },
        peaks: row.count > 14 ? row[14].bytes : [])
    }
    return take
  }

  /// Writes a take. It replaces the take of the same id.
  public func put(_ take: Take) throws(Problem) {
    let _: Bool = try with { database throws(DatabaseError) in
      let found = take.found
      try database.run(
        """
        INSERT OR REPLACE INTO take (id, room, recording, name, starred, began, first, length, tempo, \
        trim_first, trim_last,
          players, hits, bars, peaks) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, .text(take.id), .text(take.room), .text(take.recording), .text(take.name),
        .integer(take.isStarred ? 1 : 0),
        .integer(take.began), .integer(take.first), take.length.map { .integer($0) } ?? .null, .number(take.tempo),
        take.trim.map { .integer(Int64($0.lowerBound)) } ?? .null,
        take.trim.map { .integer(Int64($0.upperBound)) } ?? .null, found.map { Catalogue.text($0.players) } ?? .null,
        found.map { .integer(Int64($0.hits)) } ?? .null, found.map { Catalogue.text($0.bars.map { "\($0)" }) } ?? .null,
        found.map { .bytes($0.peaks) } ?? .null)
      return .success(true)
    }
  }

  public func deleteTake(_ id: String) throws(Problem) {
    let _: Bool = try with { database throws(DatabaseError) in
      try database.run("DELETE FROM take WHERE id = ?", .text(id))
      return .success(true)
    }
  }
}
