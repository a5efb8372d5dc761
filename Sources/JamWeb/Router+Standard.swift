import JamCore
import JamNet
import JamRealtime
import JamRoom
import NIOCore
import NIOHTTP1

extension Router {
  /// A router with every address of the server.
  static func standard(
    backend: any WebBackend, counters: WebCounters, limits: WebLimits, proxies: TrustedProxies = .none,
    names: HostNames = HostNames(), guesses: GuessLimit<GuessSource> = GuessLimit(),
    now: @escaping @Sendable () -> HostTime = { .now }
  ) -> Router {
    var router = Router(backend: backend, proxies: proxies, names: names, guesses: guesses, now: now)
    router.addPage()
    let pictures = QRPictures()
    router.page(QRPicture.path) { QRPicture.response(to: $0, from: pictures, at: now()) }
    // The certificate is the server's, and no room's.
    router.page(Trust.path) { _ in Trust.response(backend.authority) }
    router.get("/health", access: .told) { request, room in Health.response(to: request, room: room, backend: backend) }
    router.get("/kits", access: .password) { _, room in KitFacts.kits(room) }
    router.get(below: KitFacts.folder, access: .password) { request, room in KitFacts.waveform(request, in: room) }
    router.get(PlayFiles.list, access: .password) { PlayFiles.list($0, in: $1) }
    router.get(below: PlayFiles.folder, access: .password) { PlayFiles.sound($0, in: $1) }
    let layouts = LayoutShelf()
    router.get(LayoutFiles.folder) { _, _ in LayoutFiles.list }
    router.get(below: LayoutFiles.folder, access: .password) { request, room in
      LayoutFiles.get(request, in: room, from: layouts, at: now())
    }
    router.get("/metrics", access: .password) { _, _ in
      let text = MetricsText.text(backend.metrics() + counters.metrics)
      return Response(
        headers: [("Content-Type", MetricsText.contentType), ("Cache-Control", "no-store")],
        body: .bytes(ByteBuffer(string: text)))
    }
    router.get("/listen.opus", access: .password, isEmbeddable: true) { request, room in Listen.ogg(request, in: room)
    }
    router.get("/listen.sdp", access: .password) { request, room in Listen.sdp(request, in: room, backend: backend) }
    router.open(WHEP.path, methods: "POST, OPTIONS", access: .password) { request, room in
      WHEP.offer(request, in: room, backend: backend)
    }
    // The token in the address is a secret, so no password is needed. It is the server's, and no
    // room's.
    let end: @Sendable (HTTPRequest) -> Response = { WHEP.end($0, backend: backend) }
    router.open(WHEP.folder, methods: "DELETE, OPTIONS", elsewhere: end) { request, _ in
      end(request)
    }
    // The password may also come later, by OSC.
    router.get(Control.path, access: .told) { request, room in Control.response(to: request, in: room, backend: backend)
    }
    let places = LastMinuteFile.Places(limits.lastMinutes)
    router.get("/last.wav", access: .password, isEmbeddable: true) { request, room in
      LastMinuteFile.response(to: request, room: room, places: places)
    }
    let uploads = UploadRooms(limits)
    router.put(below: Upload.folder, access: .password) { request, room in
      Upload.response(to: request, in: room, rooms: uploads)
    }
    router.get(ProjectFiles.list, access: .password) { _, room in ProjectFiles.list(in: room) }
    router.files(below: ProjectFiles.folder, access: .password) { request, room in
      TakeFiles.isOfLoops(request) ? TakeFiles.get(request, in: room) : ProjectFiles.get(request, in: room)
    } put: { request, room in
      ProjectFiles.put(request, in: room, rooms: uploads)
    } delete: { request, room in
      TakeFiles.delete(request, in: room)
    }
    router.get(TakeFiles.list, access: .password) { _, room in TakeFiles.list(in: room) }
    router.files(below: TakeFiles.folder, access: .password) { request, room in
      TakeFiles.get(request, in: room)
    } delete: { request, room in
      TakeFiles.delete(request, in: room)
    }
    router.get(below: TakePage.folder, ending: TakePage.picture, access: .password) { request, room in
      TakePage.getPicture(request, in: room)
    }
    router.get(below: TakePage.folder, ending: TakePage.facts, access: .password) { request, room in
      TakePage.getFacts(request, in: room)
    }
    router.get(below: TakePage.folder, elsewhere: { _ in TakePage.gone }) { request, room in
      TakePage.page(request, in: room)
    }
    router.get(LibrarySearch.path, access: .password) { request, room in LibrarySearch.get(request, in: room) }
    router.files(below: LibraryFile.kits, access: .password) { request, room in
      LibraryFile.getKit(request, in: room)
    } put: { request, room in
      LibraryFile.putKit(request, in: room, rooms: uploads)
    }
    router.files(below: LibraryFile.blocks, access: .password) { request, room in
      LibraryFile.getBlock(request, in: room)
    } put: { request, room in
      LibraryFile.putBlock(request, in: room, rooms: uploads)
    }
    return router
  }

  private mutating func addPage() {
    #if DEBUG
      if let folder = PageFolder.named {
        for asset in folder.assets() {
          page(asset.path, family: "/") { request in folder.response(for: asset, to: request) }
        }
        return
      }
    #endif
    for asset in Asset.all {
      page(asset.path, family: "/") { request in asset.response(to: request) }
    }
  }
}
