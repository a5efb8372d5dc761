internal import JamNet

extension ListenURL {
  /// The room that the address names; nil is the server's first.
  public var room: String? {
    let parts = target.prefix { $0 != "?" }.split(separator: "/")
    guard parts.count > 2, parts[0] == "rooms" else { return nil }
    return try? PercentEncoding.decoded(parts[1])
  }

  /// Asks the server's page for the OSC port. OSCQuery's `HOST_INFO` is on that port itself.
  /// - Parameter password: the first room's; without it a room that has one tells no port.
  /// - Returns: nil where the answer tells none.
  /// - Throws: `ListenError`.
  /// - Thread: any that may wait for the network.
  public func requestOSCPort(password: String = "") throws(ListenError) -> UInt16? {
    var connection = try HTTPConnection(self)
    let query = password.isEmpty ? "" : "?password=\(PercentEncoding.encoded(password))"
    let status = try connection.get("/health\(query)")
    let body = connection.body()
    guard status == 200 else { throw ListenSession.refusal(status, body) }
    return ListenURL.oscPort(inHealth: String(decoding: body, as: UTF8.self))
  }

  /// The port in `"osc":{"port":8000,…}`.
  static func oscPort(inHealth text: String) -> UInt16? {
    let name = "\"osc\":{\"port\":"
    guard let place = text.firstRange(of: name) else { return nil }
    return UInt16(text[place.upperBound...].prefix { $0.isNumber })
  }
}
