public import JamCore
internal import Synchronization

/// The projects of a server with the versions that people saved, its takes, and the index of its
/// library, in one file.
///
/// Names that differ only in case are one name. Contents are bytes of `MusicBytes`, which the
/// catalogue does not read.
/// Thread: any; every call may wait for the disk, and for other callers.
public final class Catalogue: Sendable {
  /// The facts of a project that can be read without its content.
  public struct Facts: Hashable, Sendable {
    public var measures: Int
    public var tempo: Double
    public var signature: String
    public var players: [String]
    /// The ids of the kits that the project needs, and the hashes of the sounds that players
    /// brought.
    public var kits: [String]
    public var sounds: [String]

    public init(
      measures: Int, tempo: Double, signature: String, players: [String], kits: [String], sounds: [String]
    ) {
      self.measures = measures
      self.tempo = tempo
      self.signature = signature
      self.players = players
      self.kits = kits
      self.sounds = sounds
    }
  }

  /// A project in the list.
  public struct Project: Hashable, Sendable {
    public var name: String
    public var facts: Facts
    /// Seconds since 1970.
    public var changed: Int64
    public var versions: Int
  }

  public enum Problem: Error, Hashable, CustomStringConvertible {
    case noSuchProject
    case nameTaken
    case tooMany(most: Int)
    case database(DatabaseError)

    public var description: String {
      switch self {
      case .noSuchProject: "there is no such project"
      case .nameTaken: "the name is taken"
      case .tooMany(let most): "there are \(most) already"
      case .database(let error): "\(error)"
      }
    }
  }

  private let database: Mutex<Database>
  private let mostProjects: Int
  private let mostVersions: Int

  public static let mostProjects = 10_000
  /// The most versions of a project. Beyond it, old versions are deleted, those without a label
  /// first.
  public static let mostVersions = 200

  /// Opens the file, or creates it.
  public init(_ path: String, mostProjects: Int = mostProjects, mostVersions: Int = mostVersions) throws(DatabaseError)
  {
    database = Mutex(try Database(path, migrations: Catalogue.migrations))
    self.mostProjects = mostProjects
    self.mostVersions = mostVersions
  }

  /// Creates a catalogue in memory, which is gone with the process.
  public init(inMemory: Void = ()) throws(DatabaseError) {
    database = Mutex(try Database(inMemoryWith: Catalogue.migrations))
    mostProjects = Catalogue.mostProjects
    mostVersions = Catalogue.mostVersions
  }

  /// The steps from each version of the tables to the next. A step that was released must not
  /// change.
  private static let migrations = [
    """
    CREATE TABLE project (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, folded TEXT NOT NULL UNIQUE, changed INTEGER NOT NULL,
      measures INTEGER NOT NULL, tempo REAL NOT NULL, signature TEXT NOT NULL, players TEXT NOT NULL,
      kits TEXT NOT NULL, sounds TEXT NOT NULL, numbers INTEGER NOT NULL DEFAULT 0, content BLOB NOT NULL);
    CREATE TABLE version (
      project INTEGER NOT NULL REFERENCES project (id) ON DELETE CASCADE, number INTEGER NOT NULL,
      label TEXT NOT NULL, saved INTEGER NOT NULL, kits TEXT NOT NULL, sounds TEXT NOT NULL, content BLOB NOT NULL,
      PRIMARY KEY (project, number));
    """, takeTable, libraryTables,
  ]

  /// The key of a name. Names that readers take for the same have the same key.
  static func folded(_ name: String) -> String { name.lowercased() }

  func with<Answer: Sendable>(
    _ body: (Database) throws(DatabaseError) -> Result<Answer, Problem>
  ) throws(Problem) -> Answer {
    let result: Result<Answer, Problem> = database.withLock { database in
      do throws(DatabaseError) {
        return try body(database)
      } catch {
        return .failure(.database(error))
      }
    }
    return try result.get()
  }

  // MARK: Reading

  /// All projects, the latest first.
  public func projects() throws(Problem) -> [Project] {
    try with { database throws(DatabaseError) in
      let rows = try database.rows(
        """
        SELECT name, measures, tempo, signature, players, kits, sounds, changed,
          (SELECT count(*) FROM version WHERE project = project.id) FROM project ORDER BY changed DESC, folded
        """)
      return .success(rows.map(Catalogue.project))
    }
  }

  public func project(named name: String) throws(Problem) -> Project? {
    try with { database throws(DatabaseError) in
      guard let (id, _) = try Catalogue.find(name, database) else { return .success(nil) }
      let rows = try database.rows(
        """
        SELECT name, measures, tempo, signature, players, kits, sounds, changed,
          (SELECT count(*) FROM version WHERE project = project.id) FROM project WHERE id = ?
        """, .integer(id))
      return .success(rows.first.map(Catalogue.project))
    }
  }

  private static func project(_ row: [Database.Value]) -> Project {
    Project(
      name: row[0].text,
      facts: Facts(
        measures: Int(row[1].integer), tempo: row[2].number, signature: row[3].text, players: list(row[4]),
        kits: list(row[5]), sounds: list(row[6])), changed: row[7].integer, versions: Int(row[8].integer))
  }

  static func list(_ value: Database.Value) -> [String] { value.text.split(separator: "\n").map { String($0) } }
  static func text(_ list: [String]) -> Database.Value { .text(list.joined(separator: "\n")) }

  /// The versions of a project, the latest first.
  public func versions(of name: String) throws(Problem) -> [ProjectVersion] {
    try with { database throws(DatabaseError) in
      guard let (id, name) = try Catalogue.find(name, database) else { return .failure(.noSuchProject) }
      let rows = try database.rows(
        "SELECT number, label, saved FROM version WHERE project = ? ORDER BY number DESC", .integer(id))
      return .success(
        rows.map { ProjectVersion(project: name, number: Int($0[0].integer), label: $0[1].text, saved: $0[2].integer) })
    }
  }

  /// The content of a version, or the current one.
  public func content(of name: String, version: Int? = nil) throws(Problem) -> Content? {
    try with { database throws(DatabaseError) in
      guard let (id, name) = try Catalogue.find(name, database) else { return .failure(.noSuchProject) }
      let rows =
        if let version {
          try database.rows(
            "SELECT content, label FROM version WHERE project = ? AND number = ?", .integer(id),
            .integer(Int64(clamping: version)))
        } else {
          try database.rows("SELECT content, '' FROM project WHERE id = ?", .integer(id))
        }
      return .success(rows.first.map { Content(name: name, bytes: $0[0].bytes, label: $0[1].text) })
    }
  }

  /// The content of a project, with the project's name as it is spelled, and the version's label.
  public struct Content: Hashable, Sendable {
    public var name: String
    public var bytes: [UInt8]
    public var label: String
  }

  /// The hashes of all sounds from players that a project or a version needs.
  public func wantedSounds() throws(Problem) -> Set<String> {
    try with { database throws(DatabaseError) in
      let rows = try database.rows("SELECT sounds FROM project UNION SELECT sounds FROM version")
      return .success(Set(rows.flatMap { Catalogue.list($0[0]) }))
    }
  }

  private static func find(_ name: String, _ database: Database) throws(DatabaseError) -> (id: Int64, name: String)? {
    let wanted = folded(name)
    let rows = try database.rows("SELECT id, name FROM project WHERE folded = ?", .text(wanted))
    if let row = rows.first { return (row[0].integer, row[1].text) }
    guard !wanted.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    // The same letters may be written with different scalars. Swift takes them for equal, but the
    // database does not.
    let others = try database.rows("SELECT id, name FROM project")
    return others.first { folded($0[1].text) == wanted }.map { ($0[0].integer, $0[1].text) }
  }

  /// The name itself where it is free, or else the name with the lowest free number behind it.
  public func freeName(like wanted: String, isFree: (String) -> Bool = { _ in true }) throws(Problem) -> String {
    let taken: Set<String> = try with { database throws(DatabaseError) in
      .success(Set(try database.rows("SELECT folded FROM project").map { $0[0].text }))
    }
    var number = 1
    while true {
      let suffix = number == 1 ? "" : " \(number)"
      let name = String(wanted.prefix(Limits.standard.nameCharacters - suffix.count)) + suffix
      if !taken.contains(Catalogue.folded(name)), isFree(name) { return name }
      number += 1
    }
  }

  // MARK: Writing

  /// Writes the current content of a project, and creates the project where there is none.
  /// - Parameter now: seconds since 1970.
  public func put(_ name: String, _ facts: Facts, _ content: [UInt8], at now: Int64) throws(Problem) {
    let most = mostProjects
    let _: Bool = try with { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        try Catalogue.put(name, facts, content, at: now, most: most, database).map { _ in true }
      }
    }
  }

  /// Does the same, and also saves a version that people can return to.
  /// - Returns: the version's number.
  public func save(
    _ name: String, _ facts: Facts, _ content: [UInt8], label: String, at now: Int64
  ) throws(Problem) -> Int {
    let (most, mostVersions) = (mostProjects, mostVersions)
    return try with { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        switch try Catalogue.put(name, facts, content, at: now, most: most, database) {
        case .failure(let problem): return .failure(problem)
        case .success(let id):
          try database.run("UPDATE project SET numbers = numbers + 1 WHERE id = ?", .integer(id))
          let number = try database.rows("SELECT numbers FROM project WHERE id = ?", .integer(id))[0][0].integer
          try database.run(
            "INSERT INTO version (project, number, label, saved, kits, sounds, content) VALUES (?, ?, ?, ?, ?, ?, ?)",
            .integer(id), .integer(number), .text(label), .integer(now), Catalogue.text(facts.kits),
            Catalogue.text(facts.sounds), .bytes(content))
          // Too many versions: those without a label are deleted first, then the oldest.
          try database.run(
            """
            DELETE FROM version WHERE project = ?1 AND number IN (
              SELECT number FROM version WHERE project = ?1 AND number < ?3 ORDER BY label = '' DESC, number
              LIMIT max(0, (SELECT count(*) FROM version WHERE project = ?1) - ?2))
            """, .integer(id), .integer(Int64(mostVersions)), .integer(number))
          return .success(Int(number))
        }
      }
    }
  }

  private static func put(
    _ name: String, _ facts: Facts, _ content: [UInt8], at now: Int64, most: Int, _ database: Database
  ) throws(DatabaseError) -> Result<Int64, Problem> {
    if let (id, _) = try find(name, database) {
      try database.run(
        """
        UPDATE project SET changed = ?, measures = ?, tempo = ?, signature = ?, players = ?, kits = ?, sounds = ?,
          content = ? WHERE id = ?
        """, .integer(now), .integer(Int64(facts.measures)), .number(facts.tempo), .text(facts.signature),
        text(facts.players), text(facts.kits), text(facts.sounds), .bytes(content), .integer(id))
      return .success(id)
    }
    guard try database.rows("SELECT count(*) FROM project")[0][0].integer < most else {
      return .failure(.tooMany(most: most))
    }
    try database.run(
      """
      INSERT INTO project (name, folded, changed, measures, tempo, signature, players, kits, sounds, content)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .text(name), .text(folded(name)), .integer(now), .integer(Int64(facts.measures)), .number(facts.tempo),
      .text(facts.signature), text(facts.players), text(facts.kits), text(facts.sounds), .bytes(content))
    return .success(try database.rows("SELECT last_insert_rowid()")[0][0].integer)
  }

  public func rename(_ name: String, to new: String) throws(Problem) {
    let _: Bool = try with { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        guard let (id, _) = try Catalogue.find(name, database) else { return .failure(.noSuchProject) }
        if let (other, _) = try Catalogue.find(new, database), other != id { return .failure(.nameTaken) }
        try database.run(
          "UPDATE project SET name = ?, folded = ? WHERE id = ?", .text(new), .text(Catalogue.folded(new)), .integer(id)
        )
        return .success(true)
      }
    }
  }

  /// Deletes a project with its versions.
  public func delete(_ name: String) throws(Problem) {
    let _: Bool = try with { database throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        guard let (id, _) = try Catalogue.find(name, database) else { return .failure(.noSuchProject) }
        try database.run("DELETE FROM project WHERE id = ?", .integer(id))
        return .success(true)
      }
    }
  }
}
