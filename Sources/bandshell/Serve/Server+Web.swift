import JamBackend
import JamBonjour
import JamCore
import JamNet
import JamOSC
import JamRealtime
import JamRoom
import JamServer
import JamTLS
import JamWeb
import JamWire
import NIOCore
import Synchronization

/// The server, for the web server.
extension Server: WebBackend {
  func room(named name: String?) -> (any WebRoom)? {
    guard let name else { return rooms.room(options.rooms[0]) }
    return PlayerName(name).flatMap(rooms.room)
  }

  var authority: [UInt8]? { tls?.authority?.certificate }

  var pageHosts: [String] { webHosts.hosts(at: .now) }

  func takeControl(_ channel: any Channel, of caller: ControlCaller) {
    osc.accept(
      webSocket: channel,
      of: OSCCaller(
        peer: caller.peer, room: caller.room.flatMap { PlayerName($0) }, password: caller.password,
        query: caller.isQuery ? OSCCaller.Query(token: caller.token) : nil))
  }

  func answer(_ question: TreeQuestion, _ answered: @escaping @Sendable (QueryAnswer?) -> Void) {
    osc.answer(
      question.room.flatMap { PlayerName($0) }, question.player.flatMap { PlayerName($0) },
      of: question.peer, path: question.path, wish: question.wish, style: question.style, answered)
  }

  func metrics() -> [Metric] {
    ServerMetrics(
      rooms: rooms, store: store, thread: thread, osc: osc, media: media, pages: pages,
      background: kitStore.background, opened: opened
    ).all + (bonjour.withLock { $0 }?.counts.metrics ?? [])
  }

  var name: String {
    bonjour.withLock { $0 }?.announcedName ?? Server.name(options)
  }

  var clockReport: ClockReport { osc.counters.clock.withLock { $0 } }

  var oscAddress: OSCAddressInfo { OSCAddressInfo(port: Int(osc.port), hosts: oscHosts.hosts(at: .now)) }
}
