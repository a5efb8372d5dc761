import JamCore
import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import JamWeb

/// A connection on a hand-driven event loop: time passes only when a test says so.
final class SteppedConnection {
  let channel = EmbeddedChannel()
  let counters = WebCounters()
  var loop: EmbeddedEventLoop { channel.embeddedEventLoop }

  init(_ backend: TestBackend? = nil, keys: TLSKeys? = nil, routes: (inout Router) -> Void = { _ in }) throws {
    let loop = channel.embeddedEventLoop
    var router = Router.standard(
      backend: try backend ?? TestBackend(), counters: counters, limits: .standard,
      now: { HostTime(nanoseconds: Int64(loop.now.uptimeNanoseconds)) })
    routes(&router)
    let pipeline = ConnectionPipeline(
      router: router, limits: .standard, counters: counters, ledger: ConnectionLedger(limits: .standard),
      keys: keys)
    try pipeline.install(on: channel)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  // What still waits for its deadline holds the channel.
  deinit { _ = try? channel.finish(acceptAlreadyClosed: true) }

  func receive(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

  /// What was sent since the last call.
  func sent() throws -> String {
    var all = ""
    while let bytes = try channel.readOutbound(as: ByteBuffer.self) { all += String(buffer: bytes) }
    return all
  }
}
