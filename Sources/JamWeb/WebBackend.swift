public import JamCore
public import JamNet
public import JamStream
public import NIOCore

/// What the web server needs to know of the server around it. The composition root provides it.
///
/// Thread: every call comes on an event loop, so it returns at once and never waits.
public protocol WebBackend: Sendable {
  /// - Parameter name: a room's name as it came in the path, percent-decoded; nil is the room `main`.
  /// - Returns: nil where there is no such room.
  func room(named name: String?) -> (any WebRoom)?
  /// Where RTP leaves from.
  var media: MediaServer { get }
  /// Where players send OSC to, as the page tells them.
  var oscAddress: OSCAddressInfo { get }
  /// Takes over a connection whose WebSocket handshake is done: OSC, one packet in each binary message. Comes on the channel's
  /// own event loop.
  func takeControl(_ channel: any Channel, of caller: ControlCaller)
  /// Everything that `/metrics` tells, but for the web server's own figures, which it adds itself.
  func metrics() -> [Metric]
  /// The certificate of the server's own authority, in DER, which devices take to trust it; nil where it has none.
  var authority: [UInt8]? { get }
  /// Hears of visitors who guess words, or cannot be served.
  var log: any ServerLog { get }
}

extension WebBackend {
  public var log: any ServerLog { NoLog() }
  public var authority: [UInt8]? { nil }
}

/// Who opened a control connection, as its request showed it.
public struct ControlCaller: Hashable, Sendable {
  /// The visitor, where a trusted proxy named one.
  public var peer: JamNet.SocketAddress
  /// The room that the address named; nil is `main`.
  public var room: String?
  /// The password that came with the request, which the room admits.
  public var password: String?
}
