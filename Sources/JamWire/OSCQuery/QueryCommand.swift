internal import JamCore

/// A command of a client of OSCQuery, which comes as text by its WebSocket.
/// - Source: OSCQuery proposal, "Bi-directional communication".
public enum QueryCommand: Hashable, Sendable {
  /// The values at the path, and below it, are told from now on.
  case listen(String)
  case ignore(String)

  /// The longest text of a command, in bytes.
  public static let mostBytes = 4_096

  /// - Parameter text: one object of JSON in UTF-8, as `{"COMMAND":"LISTEN","DATA":"/pad/1"}`.
  /// - Throws: `QueryCommandError`.
  public init(_ text: some Collection<UInt8>) throws(QueryCommandError) {
    guard text.count <= QueryCommand.mostBytes else { throw .tooLong(bytes: text.count) }
    var reader = QueryCommandReader(Array(text))
    let (name, data) = try reader.command()
    guard name == "LISTEN" || name == "IGNORE" else { throw .unknown(name) }
    guard let data, data.utf8.first == UInt8(ascii: "/") else { throw .noPath(name) }
    // A container is the same node with a slash at its end and without one.
    let path =
      data.utf8.count > 1 && data.utf8.last == UInt8(ascii: "/") ? String(data.dropLast()) : data
    self = name == "LISTEN" ? .listen(path) : .ignore(path)
  }
}

/// The commands that the server sends, as text.
public enum QueryNotice: Hashable, Sendable {
  case pathAdded(String), pathRemoved(String), pathChanged(String)
  /// Tells why a command was not carried out. The proposal has no such command, and clients ignore
  /// commands that they do not know.
  case error(String)

  /// One object in UTF-8.
  public var json: [UInt8] {
    let (name, data) =
      switch self {
      case .pathAdded(let path): ("PATH_ADDED", path)
      case .pathRemoved(let path): ("PATH_REMOVED", path)
      case .pathChanged(let path): ("PATH_CHANGED", path)
      case .error(let text): ("ERROR", text)
      }
    return Array("{\"COMMAND\":\"\(name)\",\"DATA\":\(data.quotedJSON)}".utf8)
  }
}

/// Why a text is no command.
public enum QueryCommandError: Error, Hashable, CustomStringConvertible {
  case tooLong(bytes: Int)
  case noJSON
  case noCommand
  case unknown(String)
  /// `LISTEN` or `IGNORE` without a path.
  case noPath(String)

  public var description: String {
    switch self {
    case .tooLong(let bytes):
      "a command has \(QueryCommand.mostBytes) bytes at most, and this one has \(bytes)"
    case .noJSON: #"a command is one object of JSON, as {"COMMAND":"LISTEN","DATA":"/pad/1"}"#
    case .noCommand: "the object has no COMMAND: LISTEN and IGNORE are known"
    case .unknown(let name):
      "the command \(name.prefix(32)) is unknown: LISTEN and IGNORE are known"
    case .noPath(let name): "\(name) wants a path in DATA, as /pad/1"
    }
  }
}
