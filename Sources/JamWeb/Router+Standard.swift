import JamCore
import JamNet
import JamRealtime
import JamRoom
import NIOCore
import NIOHTTP1

extension Router {
  /// Every address of the server.
  static func standard(
    house: any WebHouse, counters: WebCounters, limits: WebLimits, proxies: TrustedProxies = .none,
    guesses: GuessLimit<GuessSource> = GuessLimit(), now: @escaping @Sendable () -> HostTime = { .now }
  ) -> Router {
    var router = Router(house: house, proxies: proxies, guesses: guesses, now: now)
    for asset in Asset.all { router.get(asset.path) { request, _ in asset.response(to: request) } }
    router.get("/health", door: .told) { request, room in Health.response(to: request, room: room, house: house) }
    router.get("/kits", door: .password) { _, room in KitFacts.kits(room) }
    router.get(below: KitFacts.folder, door: .password) { request, room in KitFacts.waveform(request, in: room) }
    router.get("/metrics", door: .password) { _, _ in
      let text = MetricsText.text(house.metrics() + counters.metrics)
      return Response(
        headers: [("Content-Type", MetricsText.contentType), ("Cache-Control", "no-store")],
        body: .bytes(ByteBuffer(string: text)))
    }
    router.get("/listen.opus", door: .password, isEmbeddable: true) { request, room in Listen.ogg(request, in: room)
    }
    router.get("/listen.sdp", door: .password) { request, room in Listen.sdp(request, in: room, house: house) }
    router.open(WHEP.path, methods: "POST, OPTIONS", door: .password) { request, room in
      WHEP.offer(request, in: room, house: house)
    }
    // The session's name is a secret of its own.
    router.open(WHEP.folder, methods: "DELETE, OPTIONS") { request, _ in WHEP.end(request, house: house) }
    // A password may also come by OSC.
    router.get(Control.path, door: .told) { request, room in Control.response(to: request, in: room, house: house) }
    let places = LastMinuteFile.Places(limits.lastMinutes)
    router.get("/last.wav", door: .password, isEmbeddable: true) { request, room in
      LastMinuteFile.response(to: request, room: room, places: places)
    }
    let uploads = UploadRooms(limits)
    router.put(below: Upload.folder, door: .password) { request, room in
      Upload.response(to: request, in: room, rooms: uploads)
    }
    return router
  }
}
