public import JamCore
public import JamNet

/// The last receiver report about one RTP stream.
public struct StreamReception: Hashable, Sendable {
  /// The room whose stream it is.
  public var room: String
  /// The host that the stream goes to, without its port.
  public var host: SocketAddress
  public var reception: Reception
  public var received: HostTime

  public init(room: String, host: SocketAddress, reception: Reception, received: HostTime) {
    self.room = room
    self.host = host
    self.reception = reception
    self.received = received
  }
}
