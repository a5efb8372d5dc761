import JamCore
import JamLayout
import NIOCore
import NIOHTTP1
import Testing

@testable import JamWeb

/// Layouts for controller apps, as they are downloaded.
@Suite struct LayoutFilesTests {
  private static let phone = "/layouts/touchosc-phone.tosc"
  private static let stage = "/layouts/open-stage-control.json"

  private static func room(password: String? = nil, isHost: Bool = false) -> TestRoom {
    TestRoom(
      password: password,
      players: [PlayerStatus(name: "ann", colour: "#ffffff", isHost: isHost, kitName: "Starter")])
  }

  private static func ask(
    _ path: String, of room: TestRoom = room(), _ body: (Answer) throws -> Void
  ) async throws {
    try await serving(TestBackend(rooms: [room])) { port in
      try body(try RawClient(port: port).ask("GET", path))
    }
  }

  @Test("the list names the files, and each is there") func list() async throws {
    try await Self.ask("/layouts/") { answer in
      #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
      for form in LayoutForm.allCases { #expect(answer.text.contains("\"\(form.fileName)\"")) }
    }
    try await Self.ask(Self.stage) { answer in
      #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
      #expect(answer.headers["cache-control"] == "no-store")
      #expect(
        answer.headers["content-disposition"] == "attachment; filename=\"open-stage-control.json\"")
      #expect(answer.text.contains("\"/pad/16\""))
    }
  }

  @Test("TouchOSC's file begins as zlib's do") func packed() throws {
    let room = LayoutRoom(
      name: "main", kit: LayoutKit(id: "a", name: "A", colours: [], pads: []), kits: [])
    let answer = LayoutShelf().file(
      .touchOSCPhone, of: room, for: "ann", at: HostTime(nanoseconds: 1))
    guard case .file(let bytes) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(Array(bytes.readableBytesView.prefix(2)) == [0x78, 0x9C])
  }

  @Test("a name that is no layout's is refused, and is not repeated") func names() async throws {
    for name in ["nothing", "touchosc-phone", "..%2F..%2Fetc%2Fpasswd", "touchosc-phone.tosc/x"] {
      try await Self.ask("/layouts/\(name)") { answer in
        #expect(answer.status == 404)
        #expect(
          answer.text == """
            there is no such layout: there are touchosc-phone.tosc, touchosc-tablet.tosc, \
            open-stage-control.json\n
            """)
      }
    }
    try await Self.ask("/layouts/" + String(repeating: "x", count: 10_240)) { answer in
      #expect([414, 431].contains(answer.status))
    }
    try await Self.ask("\(Self.phone)?kit=nothing") { answer in
      #expect(answer.status == 404 && answer.headers["bandshell-error"] == "no-such-kit")
    }
  }

  @Test("a player's own pads want its token") func players() async throws {
    try await Self.ask("\(Self.stage)?player=ann&token=token-ann") { answer in
      #expect(answer.status == 200)
      #expect(answer.text.contains("ann's kick") && answer.text.contains("\"ann-stage\""))
      #expect(!answer.text.contains("token-ann"))
    }
    for (query, status) in [
      ("?player=ann&token=wrong", 403), ("?player=bob&token=wrong", 404), ("?player=ann", 400),
      ("?token=token-ann", 400),
    ] {
      try await Self.ask(Self.stage + query) { #expect($0.status == status, "\(query)") }
    }
  }

  @Test("strips of other players are for a host's own link alone") func strips() async throws {
    let own = "\(Self.stage)?player=ann&token=token-ann"
    try await Self.ask(own) { #expect($0.status == 200 && !$0.text.contains("/seat/")) }
    let room = Self.room(isHost: true)
    try await Self.ask(own, of: room) { #expect($0.text.contains("/seat/8/gain")) }
    try await Self.ask(Self.stage, of: room) { #expect(!$0.text.contains("/seat/")) }
  }

  @Test("a room's password is asked for, and stands in the file") func password() async throws {
    let room = Self.room(password: "open sesame")
    try await Self.ask(Self.stage, of: room) { #expect($0.status == 401) }
    try await Self.ask("\(Self.stage)?password=open+sesame", of: room) { answer in
      #expect(answer.status == 200 && answer.text.contains("\"open sesame\""))
    }
  }

  @Test("a sender has a share of new files; those that were made last cost nothing") func shares() {
    let shelf = LayoutShelf()
    var now = HostTime(nanoseconds: 5_000_000_000)
    func answer(_ number: Int, for sender: String = "ann") -> LayoutShelf.Answer {
      let kit = LayoutKit(id: "kit-\(number)", name: "", colours: [], pads: [])
      let room = LayoutRoom(name: "main", kit: kit, kits: [kit])
      return shelf.file(.openStageControl, of: room, for: sender, at: now)
    }
    for number in 1...LayoutShelf.atOnce { #expect(answer(number) != .tooMany) }
    #expect(answer(-1) == .tooMany)
    #expect(answer(LayoutShelf.atOnce) != .tooMany)
    #expect(answer(-1, for: "bob") != .tooMany)
    now.nanoseconds += 1_000_000_000
    #expect(answer(-2) != .tooMany)
    #expect(answer(-3) == .tooMany)
  }
}
