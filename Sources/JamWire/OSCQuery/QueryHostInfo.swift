internal import JamCore

/// The facts of the server for `?HOST_INFO`.
/// - Source: OSCQuery proposal, "HOST_INFO".
public struct QueryHostInfo: Hashable, Sendable {
  public var name: String
  /// The address at which the asker reached the server, without brackets and zone. libossia sends
  /// nothing without it.
  public var address: String
  /// The port for OSC. HTTP and the WebSocket are at the same number.
  public var port: UInt16

  public init(name: String, address: String, port: UInt16) {
    self.name = name
    self.address = address
    self.port = port
  }

  /// One object in UTF-8.
  public var json: [UInt8] {
    let address = address.quotedJSON
    let extensions = QueryHostInfo.extensions.map { "\"\($0)\":true" }.joined(separator: ",")
    let text = """
      {"NAME":\(name.quotedJSON),"OSC_IP":\(address),"OSC_PORT":\(port),"OSC_TRANSPORT":"UDP",\
      "WS_IP":\(address),"WS_PORT":\(port),"EXTENSIONS":{\(extensions)}}
      """
    return Array(text.utf8)
  }

  /// The optional attributes and the commands of the WebSocket that the server knows.
  private static let extensions = [
    "ACCESS", "VALUE", "RANGE", "DESCRIPTION", "TAGS", "UNIT", "CLIPMODE", "LISTEN", "PATH_CHANGED",
    "PATH_ADDED", "PATH_REMOVED",
  ]
}
