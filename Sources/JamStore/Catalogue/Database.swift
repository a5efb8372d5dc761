internal import CSQLite
internal import Glibc

/// A file of SQLite with one connection. A committed transaction is on the disk, and survives a
/// loss of power.
///
/// Thread: any, but one at a time; every call may wait for the disk.
/// - Source: https://sqlite.org/c3ref/intro.html; the reasons for the settings:
///   docs/decisions/sqlite-without-wal.md.
final class Database {
  private let connection: OpaquePointer

  /// A value of a row.
  enum Value: Hashable, Sendable {
    case integer(Int64)
    case number(Double)
    case text(String)
    case bytes([UInt8])
    case null
  }

  /// The most pages, of 4 KiB each, so that strangers cannot fill more than 1 GiB of a disk.
  private static let mostPages = 262_144

  /// Opens the file, or creates it.
  /// - Parameter migrations: the steps from each version of the tables to the next; the file's
  ///   version is the number of steps.
  /// - Throws: where the file belongs to another program or to a newer version. Nothing of it is
  ///   changed then.
  init(_ path: String, migrations: [String]) throws(DatabaseError) {
    try Database.refuseStump(path)
    // SQLite creates files that other users can read, so a new file is created here, for its owner
    // only. An existing file is not opened here, because closing it would end its locks.
    let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if made >= 0 { close(made) }
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let status = sqlite3_open_v2(path, &handle, flags, nil)
    guard status == SQLITE_OK, let handle else {
      let error = DatabaseError("open \(path)", code: status, handle)
      sqlite3_close_v2(handle)
      throw error
    }
    connection = handle
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, 2_000)
    // Reading the version reads the file's head, and fails where the file is not one of SQLite's.
    let found = try number("PRAGMA user_version")
    guard found <= migrations.count else { throw .newerVersion(found: found, known: migrations.count) }
    let mark = try number("PRAGMA application_id")
    let isNew = try number("SELECT count(*) FROM sqlite_schema") == 0
    guard found >= 0, mark == Database.mark || mark == 0 && isNew else { throw .damaged("another program made it") }
    // With the SQLite of Debian 12, a write-ahead log beside the file gains some speed and loses
    // more data.
    for pragma in [
      "journal_mode=DELETE", "synchronous=EXTRA", "foreign_keys=ON", "trusted_schema=OFF",
      "max_page_count=\(Database.mostPages)",
    ] {
      _ = try rows("PRAGMA \(pragma)")
    }
    guard found < migrations.count else { return }
    try run("BEGIN IMMEDIATE")
    for step in migrations.dropFirst(found) { try runAll(step) }
    try run("PRAGMA application_id = \(Database.mark)")
    try run("PRAGMA user_version = \(migrations.count)")
    try run("COMMIT")
  }

  /// Creates a database in memory, without a file.
  init(inMemoryWith migrations: [String]) throws(DatabaseError) {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let status = sqlite3_open_v2(":memory:", &handle, flags, nil)
    guard status == SQLITE_OK, let handle else {
      let error = DatabaseError("open memory", code: status, handle)
      sqlite3_close_v2(handle)
      throw error
    }
    connection = handle
    sqlite3_extended_result_codes(handle, 1)
    for pragma in ["foreign_keys=ON", "trusted_schema=OFF", "max_page_count=\(Database.mostPagesInMemory)"] {
      _ = try rows("PRAGMA \(pragma)")
    }
    for step in migrations { try runAll(step) }
  }

  /// 64 MiB.
  private static let mostPagesInMemory = 16_384

  deinit { sqlite3_close_v2(connection) }

  /// "Band" in ASCII, which marks our files.
  private static let mark = 0x4261_6e64

  /// Refuses a file that is shorter than SQLite's head. SQLite would take it for an empty file, and
  /// overwrite it.
  private static func refuseStump(_ path: String) throws(DatabaseError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0, status.st_size < 100 else { return }
    throw .damaged("it is no database")
  }

  /// Carries out `body` completely, or not at all.
  func transaction<Answer>(_ body: () throws(DatabaseError) -> Answer) throws(DatabaseError) -> Answer {
    try run("BEGIN IMMEDIATE")
    do throws(DatabaseError) {
      let answer = try body()
      try run("COMMIT")
      return answer
    } catch {
      // A full disk may have rolled the transaction back already.
      try? run("ROLLBACK")
      throw error
    }
  }

  /// Carries out one statement.
  func run(_ statement: String, _ values: Value...) throws(DatabaseError) { _ = try rows(statement, values) }

  /// The rows that a statement finds.
  func rows(_ statement: String, _ values: Value...) throws(DatabaseError) -> [[Value]] { try rows(statement, values) }

  /// The same with a list of values.
  func rows(_ statement: String, of values: [Value]) throws(DatabaseError) -> [[Value]] { try rows(statement, values) }

  private func rows(_ text: String, _ values: [Value]) throws(DatabaseError) -> [[Value]] {
    var statement: OpaquePointer?
    let status = sqlite3_prepare_v2(connection, text, -1, &statement, nil)
    guard status == SQLITE_OK, let statement else { throw DatabaseError(text, code: status, connection) }
    defer { sqlite3_finalize(statement) }
    for (index, value) in values.enumerated() {
      let status = bind(value, to: statement, at: Int32(index + 1))
      guard status == SQLITE_OK else { throw DatabaseError(text, code: status, connection) }
    }
    var rows: [[Value]] = []
    while true {
      let status = sqlite3_step(statement)
      if status == SQLITE_DONE { return rows }
      guard status == SQLITE_ROW else { throw DatabaseError(text, code: status, connection) }
      rows.append((0..<sqlite3_column_count(statement)).map { Database.value(of: statement, at: $0) })
    }
  }

  /// Carries out statements without values, one after the other.
  private func runAll(_ text: String) throws(DatabaseError) {
    let status = sqlite3_exec(connection, text, nil, nil, nil)
    guard status == SQLITE_OK else { throw DatabaseError("set up the tables", code: status, connection) }
  }

  private func number(_ statement: String) throws(DatabaseError) -> Int {
    if case .integer(let number)? = try rows(statement).first?.first { Int(number) } else { 0 }
  }

  private func bind(_ value: Value, to statement: OpaquePointer, at index: Int32) -> Int32 {
    // SQLite copies the value, because Swift's memory is only valid during the call.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    return switch value {
    case .integer(let number): sqlite3_bind_int64(statement, index, number)
    case .number(let number): sqlite3_bind_double(statement, index, number)
    case .text(let text): sqlite3_bind_text(statement, index, text, Int32(clamping: text.utf8.count), copied)
    case .bytes([]): sqlite3_bind_zeroblob(statement, index, 0)
    case .bytes(let bytes):
      bytes.withUnsafeBytes { sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), copied) }
    case .null: sqlite3_bind_null(statement, index)
    }
  }

  private static func value(of statement: OpaquePointer, at column: Int32) -> Value {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .number(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      let count = Int(sqlite3_column_bytes(statement, column))
      guard let text = sqlite3_column_text(statement, column) else { return .null }
      return .text(String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      let count = Int(sqlite3_column_bytes(statement, column))
      guard count > 0, let bytes = sqlite3_column_blob(statement, column) else { return .bytes([]) }
      return .bytes([UInt8](UnsafeRawBufferPointer(start: bytes, count: count)))
    default: return .null
    }
  }
}

extension Database.Value {
  var integer: Int64 { if case .integer(let number) = self { number } else { 0 } }
  var number: Double {
    switch self {
    case .number(let number): number
    case .integer(let number): Double(number)
    default: 0
    }
  }
  var text: String { if case .text(let text) = self { text } else { "" } }
  var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }
}
