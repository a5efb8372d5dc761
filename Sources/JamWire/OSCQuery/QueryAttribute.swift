/// The attributes of a node, by their names in JSON.
/// - Source: OSCQuery proposal, "Attributes".
public enum QueryAttribute: String, CaseIterable, Sendable {
  case fullPath = "FULL_PATH"
  case contents = "CONTENTS"
  case type = "TYPE"
  case access = "ACCESS"
  case range = "RANGE"
  case value = "VALUE"
  case description = "DESCRIPTION"
  case unit = "UNIT"
  case clipMode = "CLIPMODE"
  case tags = "TAGS"
}

/// The part of the tree that a request asks for, from the request's query: the text behind `?`.
public enum QueryWish: Hashable, Sendable {
  /// The node with all its attributes, and all nodes below it.
  case node
  case attribute(QueryAttribute)
  /// The facts of the server: `QueryHostInfo`.
  case hostInfo

  /// Names that belong to the transport. They ask for nothing of the tree.
  private static let ofTransport: Set<Substring> = ["player", "token", "room", "password"]

  /// - Parameter query: the text behind `?`, or an empty text. A value behind a name is ignored, so
  ///   that `HOST_INFO=1` asks as `HOST_INFO` does. `player`, `token`, `room` and `password` are
  ///   left out.
  /// - Returns: nil for an unknown attribute, or for more than one: the answer is 400.
  public init?(query: String) {
    let names = query.split(separator: "&").map { $0.prefix { $0 != "=" } }
      .filter { !QueryWish.ofTransport.contains($0) }
    guard let name = names.first else {
      self = .node
      return
    }
    guard names.count == 1 else { return nil }
    if name == "HOST_INFO" {
      self = .hostInfo
    } else if let attribute = QueryAttribute(rawValue: String(name)) {
      self = .attribute(attribute)
    } else {
      return nil
    }
  }
}
