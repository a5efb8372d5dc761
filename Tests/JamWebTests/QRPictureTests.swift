import JamCore
import NIOCore
import NIOHTTP1
import Testing

@testable import JamWeb

/// The QR code of an address, as the page shows it.
@Suite struct QRPictureTests {
  private static let query = "?text=http%3A%2F%2F192.168.1.20%3A8088%2Frooms%2Fkitchen%2F"

  @Test("a web address gives its code as a picture that may be kept")
  func picture() async throws {
    try await serving { port in
      let answer = try RawClient(port: port).ask("GET", QRPicture.path + Self.query)
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == "image/svg+xml")
      #expect(answer.headers["cache-control"] == "public, max-age=86400")
      #expect(answer.headers["x-content-type-options"] == "nosniff")
      #expect(answer.text == QRCode("http://192.168.1.20:8088/rooms/kitchen/")?.svg)
    }
  }

  @Test("what is no web address is refused with what would be right, and is not repeated")
  func refusals() async throws {
    let long = "http://h/" + String(repeating: "x", count: QRCode.mostBytes - 8)
    let queries = [
      "", "?text=", "?text=hello", "?text=javascript:alert(1)", "?text=tel:%2B4912345", "?text=//host/",
      "?text=HTTP:host", "?text=http://", "?text=http:///path", "?text=https://:8088/", "?text=http://a/%20b",
      "?text=http://a/%E2%80%A8b", "?text=+http://a/", "?text=data:image/svg%2Bxml,x", "?text=\(long)",
    ]
    try await serving { port in
      let client = try RawClient(port: port)
      for query in queries {
        let answer = try client.ask("GET", QRPicture.path + query)
        #expect(answer.status == 400, "\(query)")
        #expect(answer.headers["content-type"] == "text/plain; charset=utf-8", "\(query)")
        #expect(
          answer.text == "text= is the address that the code leads to: it begins with http:// or https://, has 213 "
            + "bytes at most and no spaces\n", "\(query)")
      }
      #expect(try client.ask("GET", "\(QRPicture.path)?text=\(long.dropLast())").status == 200)
      #expect(try client.ask("GET", "\(QRPicture.path)?text=https://%5B::1%5D:8088/").status == 200)
      #expect(try client.ask("PUT", QRPicture.path + Self.query).status == 405)
    }
  }

  @Test("nothing that is in the address gets into the picture")
  func injection() async throws {
    try await serving { port in
      let answer = try RawClient(port: port).ask(
        "GET", "\(QRPicture.path)?text=http://a/%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
      #expect(answer.status == 200)
      #expect(!answer.text.contains("script") && !answer.text.contains("alert"))
    }
  }

  private static func picture(_ text: String) -> QRPictures.Answer {
    QRCode(text).map { .picture(ByteBuffer(string: $0.svg)) } ?? .noAddress
  }

  private static func address(_ number: Int) -> String { "http://host/\(number)" }

  @Test("a sender has a share of new codes, which comes back; those that were drawn last cost nothing")
  func shares() {
    let pictures = QRPictures()
    var now = HostTime(nanoseconds: 5_000_000_000)
    for number in 0..<QRPictures.atOnce {
      #expect(pictures.picture(of: Self.address(number), for: "ann", at: now) == Self.picture(Self.address(number)))
    }
    #expect(pictures.picture(of: Self.address(-1), for: "ann", at: now) == .tooMany)
    // What is no address takes nothing of the share, and what is known needs none.
    #expect(pictures.picture(of: "hello", for: "ann", at: now) == .noAddress)
    let known = Self.address(QRPictures.atOnce - 1)
    #expect(pictures.picture(of: known, for: "ann", at: now) == Self.picture(known))
    #expect(pictures.picture(of: Self.address(-1), for: "bob", at: now) == Self.picture(Self.address(-1)))
    now.nanoseconds += 1_000_000_000
    #expect(pictures.picture(of: Self.address(-2), for: "ann", at: now) == Self.picture(Self.address(-2)))
    #expect(pictures.picture(of: Self.address(-3), for: "ann", at: now) == .tooMany)
  }

  @Test("the codes that were asked for last are kept, and no others")
  func kept() {
    let pictures = QRPictures()
    let now = HostTime(nanoseconds: 5_000_000_000)
    for number in 0..<QRPictures.atOnce { _ = pictures.picture(of: "http://else/\(number)", for: "dan", at: now) }
    // Dan's share is used up: he gets what is kept alone.
    func isKept(_ text: String) -> Bool { pictures.picture(of: text, for: "dan", at: now) != .tooMany }
    for number in 0..<QRPictures.mostKept { _ = pictures.picture(of: Self.address(number), for: "ann", at: now) }
    // The first is asked for again, so the second goes.
    _ = pictures.picture(of: Self.address(0), for: "ann", at: now)
    _ = pictures.picture(of: Self.address(-1), for: "ann", at: now)
    #expect(isKept(Self.address(0)) && isKept(Self.address(-1)) && !isKept(Self.address(1)))
    #expect((2..<QRPictures.mostKept).allSatisfy { isKept(Self.address($0)) })
    #expect(!isKept("http://else/0"))
  }

  @Test("who asks for too many codes gets 429, and when to ask again")
  func tooMany() throws {
    let (pictures, now) = (QRPictures(), HostTime(nanoseconds: 5_000_000_000))
    func answer(_ number: Int) throws -> Response {
      let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "\(QRPicture.path)?text=http://host/\(number)")
      return QRPicture.response(to: try HTTPRequest(head, remote: nil, local: nil), from: pictures, at: now)
    }
    for number in 0..<QRPictures.atOnce { #expect(try answer(number).status == .ok) }
    let refused = try answer(-1)
    #expect(refused.status == .tooManyRequests)
    #expect(refused.headers.contains { $0 == ("Retry-After", "1") })
    #expect(try answer(QRPictures.atOnce - 1).status == .ok, "a known one")
  }

  @Test("it needs no password, and a room that does not exist has it, too, as the page itself")
  func access() async throws {
    try await serving(try TestBackend(rooms: [TestRoom(password: "sesame")])) { port in
      let client = try RawClient(port: port)
      for place in ["", "/rooms/main", "/rooms/cellar"] {
        #expect(try client.ask("GET", place + QRPicture.path + Self.query).status == 200, "\(place)")
      }
    }
  }
}
