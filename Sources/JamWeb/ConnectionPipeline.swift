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
  /// The keys for TLS; nil accepts no TLS.
  var keys: TLSKeys?

  /// Creates the type of the decoder before any event loop needs it. Two event loops that needed it
  /// at the same time, for the first connections, have crashed a server inside the Swift runtime.
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
