internal import JamStream

extension ListenURL {
  /// Asks for RTP to UDP `port` of this machine, or renews that lease.
  /// - Returns: the session description.
  /// - Throws: `ListenError`.
  /// - Thread: any that may wait for the network.
  public func requestLease(port: UInt16) throws(ListenError) -> String {
    var connection = try HTTPConnection(self)
    return try requestLease(port: port, over: &connection)
  }

  @discardableResult
  func requestLease(port: UInt16, over connection: inout HTTPConnection) throws(ListenError) -> String {
    let status = try connection.get(target(adding: "port=\(port)"))
    let body = connection.body()
    guard status == 200 else { throw ListenSession.refusal(status, body) }
    return String(decoding: body, as: UTF8.self)
  }

  /// Opens an Ogg stream and hands the connection over. Bytes that came together with the answer's
  /// head are lost.
  /// - Returns: a connected socket; the caller must close it.
  /// - Throws: `ListenError`.
  public func openStream() throws(ListenError) -> Int32 {
    var connection = try HTTPConnection(self)
    let status = try connection.get(target)
    guard status == 200 else { throw ListenSession.refusal(status, connection.body()) }
    return connection.duplicateDescriptor()
  }

  /// Offers to listen by WebRTC to the room of this address, with its query.
  /// - Returns: the answer.
  /// - Throws: `ListenError`.
  /// - Thread: any that may wait for the network.
  func requestSession(_ offer: String) throws(ListenError) -> String {
    var connection = try HTTPConnection(self)
    let path = target.prefix { $0 != "?" }
    let room = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    let status = try connection.post(
      offer, type: WebRTCSession.mediaType, to: "\(room)/whep\(target.dropFirst(path.count))")
    let body = connection.body()
    guard status == 201 else { throw ListenSession.refusal(status, body) }
    return String(decoding: body, as: UTF8.self)
  }
}
