internal import JamNet

extension ListenURL {
  /// The room that the address names; nil is the server's first.
  public var room: String? {
    let parts = target.prefix { $0 != "?" }.split(separator: "/")
    guard parts.count > 2, parts[0] == "rooms" else { return nil }
    return try? PercentEncoding.decoded(parts[1])
  }

  /// Asks the server for its OSC port.
  /// - Returns: nil where the answer tells none.
  /// - Throws: `ListenError`.
  /// - Thread: any that may wait for the network.
  /// - Source: OSCQuery, "HOST_INFO".
  public func requestOSCPort() throws(ListenError) -> UInt16? {
    var connection = try HTTPConnection(self)
    let status = try connection.get("/?HOST_INFO")
    let body = connection.body()
    guard status == 200 else { throw ListenSession.refusal(status, body) }
    let text = String(decoding: body, as: UTF8.self)
    guard let name = text.firstRange(of: "\"OSC_PORT\":") else { return nil }
    return UInt16(text[name.upperBound...].drop { $0 == " " }.prefix { $0.isNumber })
  }
}
