internal import CSQLite

/// The reason why the database refused a call.
public enum DatabaseError: Error, Hashable, CustomStringConvertible {
  /// The disk is full.
  case full
  /// The file, or its folder, cannot be written.
  case readOnly(String)
  /// The file is damaged, or is not one of SQLite's.
  case damaged(String)
  case newerVersion(found: Int, known: Int)
  /// - Parameter code: SQLite's extended code.
  case other(String, code: Int32, deed: String)

  init(_ deed: String, code: Int32, _ connection: OpaquePointer?) {
    let text = connection.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
    switch code & 0xff {
    case SQLITE_FULL: self = .full
    case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: self = .readOnly(text)
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged(text)
    default: self = .other(text, code: code, deed: deed)
    }
  }

  public var description: String {
    switch self {
    case .full: "the disk is full"
    case .readOnly(let text): "it cannot be written (\(text))"
    case .damaged(let text): "it is damaged (\(text))"
    case .newerVersion(let found, let known):
      "a newer bandshell made it (version \(found), and this one reads up to \(known))"
    case .other(let text, let code, let deed): "\(text) (\(code), \(deed))"
    }
  }
}
