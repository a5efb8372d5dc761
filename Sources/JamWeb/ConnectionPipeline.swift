import JamNet
import NIOCore
import NIOHTTP1
import Synchronization

/// Sets up each new connection.
struct ConnectionPipeline: Sendable {
  let router: Router
  let limits: WebLimits
  let counters: WebCounters
  let ledger: ConnectionLedger
  /// nil speaks no TLS.
  var keys: TLSKeys?

  /// Makes the decoder's type, before any event loop asks for it. Where two of them asked at once for the first connections, a server
  /// ended in Swift's runtime.
  static func prepare() { _ = ByteToMessageHandler(HTTPRequestDecoder()) }

  /// Thread: the connection's event loop.
  func install(on channel: any Channel) throws {
    let peer = JamNet.SocketAddress(channel.remoteAddress)
    let address = peer.map(router.proxies.contains) == true ? nil : channel.remoteAddress?.ipAddress
    let verdict = ledger.enter(address)
    counters.connections.wrappingAdd(1, ordering: .relaxed)
    channel.closeFuture.whenComplete { [ledger, counters] _ in
      ledger.leave(connection: address)
      counters.connections.wrappingSubtract(1, ordering: .relaxed)
    }
    if verdict != .welcome { counters.refusedConnections.wrappingAdd(1, ordering: .relaxed) }
    guard verdict != .hopeless else { return channel.close(promise: nil) }
    var decoderLimits = NIOHTTPDecoderLimitConfiguration()
    decoderLimits.maxHeaderFieldSize = limits.headerFieldBytes
    decoderLimits.maxHeaderListSize = limits.headerBytes
    decoderLimits.maxHeaderFieldCount = limits.headerFields
    let watch = RequestLineWatch()
    let pipeline = channel.pipeline.syncOperations
    let connection = Connection(
      router: router, limits: limits, counters: counters, watch: watch, ledger: ledger,
      isOverloaded: verdict == .overloaded)
    if let keys { try pipeline.addHandler(TLSDoor(keys) { connection.isSecure = true }) }
    try pipeline.addHandler(watch)
    try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: decoderLimits)))
    try pipeline.addHandler(connection)
  }
}
