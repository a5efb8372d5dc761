import JamCore
public import JamNet
import JamRealtime
public import JamRoom
public import NIOCore
import NIOHTTP1

/// HTTP on the OSC port: OSCQuery. It has the page's connections, limits on words and names, and
/// connections of its own number.
///
/// Thread: any.
public struct TreeDoor: Sendable {
  private let pipeline: ConnectionPipeline

  /// - Parameters:
  ///   - limits: `connections` beyond which a client gets 503.
  ///   - names: the names by which the server may be asked.
  ///   - keys: the server's certificate, whose names are known, too. The port has no TLS.
  ///   - guesses: the limit on wrong words; all edges of the server share it.
  ///   - server: the server of the page. `/metrics` counts its answers and connections together
  ///     with those of this door.
  public init(
    backend: any WebBackend, limits: WebLimits = TreeDoor.limits, proxies: TrustedProxies = .none,
    names: HostNames = HostNames(), keys: TLSKeys? = nil,
    guesses: GuessLimit<GuessSource> = GuessLimit(), beside server: WebServer
  ) {
    ConnectionPipeline.prepare()
    var known = names
    known.keys = keys
    let router = Router.tree(backend: backend, proxies: proxies, names: known, guesses: guesses)
    pipeline = ConnectionPipeline(
      router: router, limits: limits, counters: server.counters,
      ledger: ConnectionLedger(limits: limits))
  }

  /// Fewer connections than the page has: one controller needs one or two.
  public static var limits: WebLimits {
    var limits = WebLimits.standard
    limits.connections = 256
    limits.connectionsPerAddress = 32
    return limits
  }

  /// Takes over a channel whose peer speaks HTTP. Thread: the channel's event loop.
  public func install(on channel: any Channel) throws {
    _ = channel.setOption(.writeBufferWaterMark, value: .init(low: 32 << 10, high: 64 << 10))
    try pipeline.install(on: channel)
  }
}

extension Router {
  /// A router whose every path is one of OSC's addresses.
  static func tree(
    backend: any WebBackend, proxies: TrustedProxies = .none, names: HostNames = HostNames(),
    guesses: GuessLimit<GuessSource> = GuessLimit(),
    now: @escaping @Sendable () -> HostTime = { .now }
  ) -> Router {
    var router = Router(
      backend: backend, proxies: proxies, names: names, guesses: guesses, now: now)
    let shares = TreeShares()
    router.everywhere(access: .told) { request, room in
      TreeAnswer.response(to: request, in: room, backend: backend, from: shares, at: now())
    }
    return router
  }
}
