import CZlib
import JamCore
import JamNet
import Testing

@testable import JamWeb

/// A take by its link.
@Suite("a take's page") struct TakePageTests {
  private static let id = "2026-11-23-213000"

  private static func take(
    name: String = "Harbour", players: [String] = ["ann", "bob_the_bass"], isRecording: Bool = false,
    peaks: [UInt8] = [0, 128, 255, 40]
  ) -> TakeItem {
    TakeItem(
      id: id, name: name, began: 1_795_469_400, seconds: 83.4, bpm: 120.5, bars: 40, heard: 1...40, players: players,
      hits: 99, isStarred: false, isRecording: isRecording, forgotten: 0, peaks: peaks)
  }

  private static func backend(_ takes: [TakeItem], password: String? = nil) throws -> TestBackend {
    let rooms = ["main", "Küche"].map { TestRoom(name: $0, password: password, takes: TestTakes(items: takes)) }
    return try TestBackend(rooms: rooms)
  }

  @Test("its head tells messengers what it is, how it looks and how it sounds")
  func head() async throws {
    try await serving(try Self.backend([Self.take()])) { port in
      let client = try RawClient(port: port)
      let page = try client.ask("GET", "/take/\(Self.id)")
      #expect(page.status == 200)
      #expect(page.headers["content-type"] == "text/html; charset=utf-8")
      #expect(page.headers["cache-control"] == "no-store")
      for line in [
        "<title>Harbour · Bandshell</title>", #"<meta property="og:type" content="music.song">"#,
        #"<meta property="og:title" content="Harbour">"#,
        #"<meta property="og:description" content="ann, bob the bass · 1:23 · 120.5 bpm">"#,
        #"<meta property="music:duration" content="83">"#,
        #"<meta property="og:url" content="http://test/take/2026-11-23-213000">"#,
        #"<meta property="og:image" content="http://test/take/2026-11-23-213000.png">"#,
        #"<meta property="og:audio" content="http://test/takes/2026-11-23-213000.opus">"#,
      ] {
        #expect(page.text.contains(line), "\(line)")
      }
      #expect(page.text.components(of: "<title>") == 1)
      let other = try client.ask("GET", "/rooms/K%C3%BCche/take/\(Self.id)")
      #expect(other.text.contains(#"content="http://test/rooms/K%C3%BCche/take/2026-11-23-213000.png""#))
    }
  }

  @Test("a page of another site has no file made; programs, the server's pages and followed links have")
  func elsewhere() async throws {
    let followed = ["Sec-Fetch-Mode: navigate", "Sec-Fetch-User: ?1", "Sec-Fetch-Dest: document"]
    let cases: [([String], Int)] = [
      ([], 202), (["Sec-Fetch-Site: same-origin"], 202), (["Sec-Fetch-Site: none"], 202),
      (["Sec-Fetch-Site: cross-site"], 403), (["Sec-Fetch-Site: same-site"], 403),
      (["Origin: http://elsewhere"], 403), (["Referer: http://elsewhere/page"], 403),
      (["Sec-Fetch-Site: cross-site"] + followed, 202),
      (["Sec-Fetch-Site: cross-site"] + followed.prefix(2) + ["Sec-Fetch-Dest: iframe"], 403),
      (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"], 403),
    ]
    try await serving(try Self.backend([Self.take()])) { port in
      for (headers, status) in cases {
        let client = try RawClient(port: port)
        for path in ["/takes/\(Self.id).wav", "/projects/Harbour/loops.wav"] {
          // The client's `ask` takes one line for all headers.
          let lines = headers.isEmpty ? "X-Test: none" : headers.joined(separator: "\r\n")
          #expect(try client.ask("GET", path, lines).status == status, "\(headers)")
        }
      }
    }
  }

  @Test("who asks for heads alone gets heads alone, and the next answer behind them")
  func heads() async throws {
    try await serving(try Self.backend([Self.take()])) { port in
      let client = try RawClient(port: port)
      for path in ["/take/\(Self.id)", "/take/\(Self.id).png", "/take/\(Self.id).json", "/takes"] {
        let head = try client.ask("HEAD", path)
        #expect(head.status == 200)
        #expect(head.headers["content-length"] != "0", "\(path)")
      }
      #expect(try client.ask("GET", "/health").status == 200)
    }
  }

  @Test("behind a proxy its addresses are those by which the visitor asked")
  func proxied() async throws {
    let proxies = TrustedProxies(["127.0.0.1"].compactMap(AddressRange.init))
    try await serving(try Self.backend([Self.take()]), behind: proxies) { port in
      let headers = ["X-Forwarded-For: 192.0.2.7", "X-Forwarded-Host: jam.example", "X-Forwarded-Proto: https"]
      let page = try RawClient(port: port).ask("GET", "/take/\(Self.id)", headers[0], headers[1], headers[2])
      #expect(page.text.contains(#"content="https://jam.example/take/2026-11-23-213000.png""#))
    }
    try await serving(try Self.backend([Self.take()])) { port in
      let page = try RawClient(port: port).ask(
        "GET", "/take/\(Self.id)", "X-Forwarded-Host: jam.example", "X-Forwarded-Proto: https")
      #expect(page.text.contains(#"content="http://test/take/2026-11-23-213000.png""#))
    }
  }

  @Test("names that look like markup are text in it")
  func hostileNames() async throws {
    let name = #""><script>alert('x')</script>&"#
    try await serving(try Self.backend([Self.take(name: name, players: ["'><img_src=x>"])])) { port in
      let page = try RawClient(port: port).ask("GET", "/take/\(Self.id)")
      let told = "&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;"
      #expect(page.text.contains("<title>\(told) · Bandshell</title>"))
      #expect(page.text.contains(#"<meta property="og:title" content="\#(told)">"#))
      #expect(page.text.contains("content=\"&#39;&gt;&lt;img src=x&gt; · 1:23"))
      #expect(!page.text.contains("<script>") && !page.text.contains("<img src=x"))
    }
  }

  @Test("a take without a name is called by its date, and one that is being played has no picture")
  func unfinished() async throws {
    let take = Self.take(name: "", players: [], isRecording: true, peaks: [])
    try await serving(try Self.backend([take])) { port in
      let client = try RawClient(port: port)
      let page = try client.ask("GET", "/take/\(Self.id)")
      #expect(page.status == 200)
      #expect(page.text.contains(#/<title>Take of 2026-11-\d\d \d\d:\d\d · Bandshell<\/title>/#))
      #expect(page.text.contains(#"<meta property="og:description" content="120.5 bpm">"#))
      for absent in ["og:image", "og:audio", "music:duration"] { #expect(!page.text.contains(absent), "\(absent)") }
      #expect(try client.ask("GET", "/take/\(Self.id).png").status == 409)
      #expect(try client.ask("GET", "/take/\(Self.id).json").text.contains(#""recording":true"#))
    }
  }

  @Test("a take that is not there has a page that says so, and no facts")
  func unknown() async throws {
    try await serving(try Self.backend([Self.take()])) { port in
      let client = try RawClient(port: port)
      for path in ["/take/2026-01-01-000000", "/take/", "/take/\(Self.id).html"] {
        let page = try client.ask("GET", path)
        #expect(page.status == 404, "\(path)")
        #expect(page.text.contains("<title>Bandshell</title>") && page.text.contains("src=\"/take.js\""), "\(path)")
        #expect(!page.text.contains("og:title"), "\(path)")
      }
      let facts = try client.ask("GET", "/take/2026-01-01-000000.json")
      #expect(facts.status == 404 && facts.headers["bandshell-error"] == "no-such-take")
      #expect(try client.ask("GET", "/take/2026-01-01-000000.png").status == 404)
      #expect(try client.ask("PUT", "/take/\(Self.id)").status == 405)
    }
    // Where no takes are kept.
    try await serving { port in
      let client = try RawClient(port: port)
      #expect(try client.ask("GET", "/take/\(Self.id)").status == 404)
      let facts = try client.ask("GET", "/take/\(Self.id).json")
      #expect(facts.status == 404 && facts.headers["bandshell-error"] == "takes-not-kept")
    }
  }

  @Test("of a room with a password everybody gets the same page, and only those who know it the facts")
  func password() async throws {
    try await serving(try Self.backend([Self.take()], password: "sesame")) { port in
      let client = try RawClient(port: port)
      let page = try client.ask("GET", "/take/\(Self.id)")
      #expect(page.status == 200 && page.text.contains("id=\"password\""))
      #expect(page.text.contains("<title>Bandshell</title>"))
      for secret in ["Harbour", "ann", "bob", "og:", "120.5"] {
        #expect(!page.text.contains("content=\"\(secret)") && !page.text.contains("\(secret) ·"), "\(secret)")
      }
      #expect(try client.ask("GET", "/take/nothing").text == page.text)
      #expect(try client.ask("GET", "/take/\(Self.id)?password=wrong").text == page.text)
      for ending in [".json", ".png"] {
        #expect(try client.ask("GET", "/take/\(Self.id)\(ending)").status == 401)
        #expect(try client.ask("GET", "/take/\(Self.id)\(ending)?password=wrong").status == 401)
        #expect(try client.ask("GET", "/take/\(Self.id)\(ending)?password=sesame").status == 200)
      }
      let facts = try client.ask("GET", "/take/\(Self.id).json?password=sesame")
      #expect(facts.text.contains(#""name":"Harbour""#) && facts.text.contains(#""peaks":[0,128,255,40]"#))
    }
  }

  @Test("the page has nothing inline, and its head has one title to be replaced")
  func nothingInline() throws {
    let page = try text(of: "/take.html")
    #expect(page.components(of: "<title>Bandshell</title>") == 1)
    #expect(!page.contains("style=") && !page.contains("<style"))
    for script in page.split(separator: "<script").dropFirst() {
      #expect(script.contains("src=\"/take.js\"></script>") || script.contains("src=\"/theme.js\"></script>"))
    }
    for handler in ["onclick", "onload", "onerror", "javascript:"] { #expect(!page.contains(handler)) }
  }

  // MARK: The picture

  @Test("its picture is a PNG file of the size that messengers want")
  func picture() async throws {
    try await serving(try Self.backend([Self.take()])) { port in
      let client = try RawClient(port: port)
      let answer = try client.ask("GET", "/take/\(Self.id).png")
      #expect(answer.status == 200 && answer.headers["content-type"] == "image/png")
      #expect(answer.body.count < 100_000)
      let picture = try #require(PNGFile(answer.body))
      #expect(picture.width == 1_200 && picture.height == 630)
      // In the corner the ground, in the middle the sign for play on its disc.
      #expect(picture.dot(x: 3, y: 3) == [0x15, 0x14, 0x12])
      #expect(picture.dot(x: 600, y: 315) == [0xFF, 0xFF, 0xFF])
      #expect(picture.dot(x: 530, y: 315) == [0xB8, 0x46, 0x0E])
      let tag = try #require(answer.headers["etag"])
      let again = try client.ask("GET", "/take/\(Self.id).png", "If-None-Match: \(tag)")
      #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag)
    }
  }

  @Test("another waveform is another picture, and the loudest part of each bar is seen")
  func bars() throws {
    #expect(TakePicture.tag(of: [1, 2]) != TakePicture.tag(of: [2, 1]))
    #expect(TakePicture.grouped([10, 200, 50, 100], in: 2) == [1, 0.5])
    #expect(TakePicture.grouped([100], in: 3) == [1, 1, 1])
    #expect(TakePicture.grouped([0, 0], in: 2) == [0, 0])
    #expect(TakePicture.grouped([], in: 2) == [0, 0])
    // Full at its beginning, silent at its end: of 104 bars the first lies at 82…87, the last at
    // 1112…1117.
    let file = try #require(TakePicture.file(of: [255, 0]))
    let picture = try #require(PNGFile(file))
    #expect(picture.dot(x: 84, y: 130) == [0xFF, 0x9A, 0x57])
    #expect(picture.dot(x: 1_114, y: 315) == [0xFF, 0x9A, 0x57])
    #expect(picture.dot(x: 1_114, y: 300) == [0x15, 0x14, 0x12])
  }

  @Test("a picture keeps what is drawn beyond its edges out, and mixes soft edges")
  func image() throws {
    var image = PNGImage(width: 3, height: 2, ground: PNGImage.Colour(0x000000))
    image.fill(x: -4..<1, y: 1..<9, with: PNGImage.Colour(0x102030))
    image.paint(x: 2..<5, y: -1..<1, with: PNGImage.Colour(0xFF0064)) { x, y in
      #expect(x == 2.5 && y == 0.5)
      return 0.5
    }
    let file = try #require(image.file)
    let picture = try #require(PNGFile(file))
    #expect(picture.width == 3 && picture.height == 2)
    #expect(picture.dot(x: 0, y: 0) == [0, 0, 0] && picture.dot(x: 0, y: 1) == [0x10, 0x20, 0x30])
    #expect(picture.dot(x: 2, y: 0) == [128, 0, 50] && picture.dot(x: 2, y: 1) == [0, 0, 0])
  }
}

/// Takes that a test lays down.
private struct TestTakes: WebTakes {
  let items: [TakeItem]

  func list(then call: @escaping @Sendable (Result<[TakeItem], ProjectProblem>) -> Void) { call(.success(items)) }

  func file(
    _ wanted: WantedFile, isWaiting: Bool,
    then call: @escaping @Sendable (Result<TakeFileAnswer, ProjectProblem>) -> Void
  ) {
    guard wanted.mayBegin else { return call(.failure(ProjectProblem(.notYours, "not from elsewhere"))) }
    call(.success(.making(part: 0.5)))
  }

  func cancel(_ wanted: WantedFile, then call: @escaping @Sendable (Result<Void, ProjectProblem>) -> Void) {
    call(.success(()))
  }
}

/// A PNG file in full colour, read as the standard says; checksums and filters included.
private struct PNGFile {
  let width: Int
  let height: Int
  private var rows: [[UInt8]] = []

  func dot(x: Int, y: Int) -> [UInt8] { Array(rows[y][(x * 3)..<(x * 3 + 3)]) }

  /// - Returns: nil where it is none, or is damaged.
  init?(_ file: [UInt8]) {
    guard file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
    var chunks: [(name: String, content: [UInt8])] = []
    var at = 8
    while at < file.count {
      guard at + 12 <= file.count else { return nil }
      let length = PNGFile.number(file[at..<(at + 4)])
      guard at + 12 + length <= file.count else { return nil }
      let told = Array(file[(at + 4)..<(at + 8 + length)])
      guard Int(crc32(0, told, UInt32(told.count))) == PNGFile.number(file[(at + 8 + length)..<(at + 12 + length)])
      else { return nil }
      chunks.append((String(decoding: told[..<4], as: UTF8.self), Array(told[4...])))
      at += 12 + length
    }
    guard chunks.map(\.name) == ["IHDR", "IDAT", "IEND"], chunks[0].content.count == 13 else { return nil }
    width = PNGFile.number(chunks[0].content[..<4])
    height = PNGFile.number(chunks[0].content[4..<8])
    guard chunks[0].content[8...].elementsEqual([8, 2, 0, 0, 0]) else { return nil }

    let lineBytes = 1 + width * 3
    // One byte more than there should be: a stream that is too long fails.
    var lines = [UInt8](repeating: 0, count: height * lineBytes + 1)
    var size = UInt(lines.count)
    let status = uncompress(&lines, &size, chunks[1].content, UInt(chunks[1].content.count))
    guard status == Z_OK, Int(size) == height * lineBytes else { return nil }
    var above = [UInt8](repeating: 0, count: width * 3)
    for row in 0..<height {
      guard lines[row * lineBytes] == 2 else { return nil }
      let line = lines[(row * lineBytes + 1)..<((row + 1) * lineBytes)]
      above = zip(line, above).map { $0 &+ $1 }
      rows.append(above)
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

extension String {
  /// How often `part` stands in it.
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
