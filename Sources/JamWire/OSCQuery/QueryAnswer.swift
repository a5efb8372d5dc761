/// The answer to a request for the tree: a status of HTTP, and JSON.
public struct QueryAnswer: Hashable, Sendable {
  public enum Status: Int, Sendable {
    case found = 200
    /// The node has no such attribute, such as `VALUE` where nothing can be read.
    case noContent = 204
    /// There is no such attribute, or the path is no address.
    case badRequest = 400
    /// There is no such node.
    case notFound = 404
  }

  public var status: Status
  /// One object in UTF-8; empty unless the status is `found`.
  public var json: [UInt8]

  init(_ status: Status, json: [UInt8] = []) {
    self.status = status
    self.json = json
  }
}
