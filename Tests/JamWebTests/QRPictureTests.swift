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
