public import JamCore
public import JamNet
public import JamStream
public import JamWire
public import NIOCore

/// The interface through which the web server uses the server around it. The composition root
/// provides it.
///
/// Thread: every call comes on an event loop, so it returns at once and never waits.
public protocol WebBackend: Sendable {
  /// - Parameter name: a room's name as it came in the path, percent-decoded; nil is the room
  ///   `main`.
  /// - Returns: nil where there is no such room.
  func room(named name: String?) -> (any WebRoom)?
  /// The server that sends RTP.
  var media: MediaServer { get }
  /// The name under which people find the server in a list, as Bonjour tells it.
  var name: String { get }
  /// The addresses to which players send OSC, as the page shows them.
  var oscAddress: OSCAddressInfo { get }
  /// The addresses of this machine that lead to the page, without ports, the likeliest first.
  var pageHosts: [String] { get }
  /// Takes over a connection after its WebSocket handshake. It carries OSC, one packet in each
  /// binary message. Called on the channel's own event loop.
  func takeControl(_ channel: any Channel, of caller: ControlCaller)
  /// Answers a question about the tree of OSC's addresses.
  /// - Parameter answered: is called once, on an event loop; with nil where too much is asked at
  ///   once.
  func answer(_ question: TreeQuestion, _ answered: @escaping @Sendable (QueryAnswer?) -> Void)
  /// The steps of the machine's wall clock since the start.
  var clockReport: ClockReport { get }
  /// All figures of `/metrics`, without those of the web server, which adds them itself.
  func metrics() -> [Metric]
  /// The certificate of the server's own authority, in DER. Devices install it to trust the server.
  /// Nil where there is none.
  var authority: [UInt8]? { get }
  /// The log for visitors who guess words, or who cannot be served.
  var log: any ServerLog { get }
}

extension WebBackend {
  public var log: any ServerLog { NoLog() }
  public var clockReport: ClockReport { ClockReport() }
  public func answer(
    _ question: TreeQuestion, _ answered: @escaping @Sendable (QueryAnswer?) -> Void
  ) {
    answered(nil)
  }
  public var authority: [UInt8]? { nil }
  public var pageHosts: [String] { [] }
}

/// The client that opened a control connection, as its request showed it.
public struct ControlCaller: Hashable, Sendable {
  /// The client's address: the connection's peer, or the visitor that a trusted proxy named.
  public var peer: JamNet.SocketAddress
  /// The room that the address named; nil is `main`.
  public var room: String?
  /// The password that came with the request, and that the room admits.
  public var password: String?
  /// Whether the connection is one of OSCQuery, which also carries text.
  public var isQuery = false
  /// The right token of the player whose connection it is, where it is one of OSCQuery.
  public var token: String?
}

/// A question about the tree of OSC's addresses.
public struct TreeQuestion: Hashable, Sendable {
  /// The room that the address named; nil is `main`.
  public var room: String?
  /// The player whose view it is, whose token came with the request; nil is the guest of `peer`, or
  /// somebody who only looks.
  public var player: String?
  /// The asker's address: the connection's peer, or the visitor that a trusted proxy named.
  public var peer: JamNet.SocketAddress?
  /// After percent decoding.
  public var path: String
  /// Nil is an unknown attribute.
  public var wish: QueryWish?
  public var style = QueryStyle.full
}
