import Testing

@testable import JamWeb

@Suite struct PageTests {
  static let types = [
    "/": "text/html; charset=utf-8", "/page.css": "text/css; charset=utf-8",
    "/page.js": "text/javascript; charset=utf-8", "/icon.svg": "image/svg+xml",
  ]

  @Test("every file of the page comes with its type, a tag and the security headers", arguments: Array(types.keys))
  func assets(path: String) async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      let answer = try client.ask("GET", path)
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == Self.types[path])
      #expect(answer.headers["x-content-type-options"] == "nosniff")
      #expect(answer.headers["referrer-policy"] == "no-referrer")
      #expect(answer.headers["x-frame-options"] == "DENY")
      let policy = try #require(answer.headers["content-security-policy"])
      #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
      #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("http"))
      let tag = try #require(answer.headers["etag"])
      let again = try client.ask("GET", path, "If-None-Match: \(tag)")
      #expect(again.status == 304)
      #expect(again.headers["etag"] == tag)
      #expect(try client.ask("GET", path, #"If-None-Match: "other""#).status == 200)
    }
  }

  @Test("the page has nothing inline and nothing from elsewhere")
  func nothingInline() throws {
    let page = String(decoding: PackageResources.index_html, as: UTF8.self)
    #expect(!page.contains("style="))
    #expect(!page.contains("<style"))
    for script in page.split(separator: "<script").dropFirst() {
      #expect(script.contains("src=\"/page.js\"></script>"))
    }
    for handler in ["onclick", "onload", "onerror", "javascript:"] { #expect(!page.contains(handler)) }
    for bytes in [PackageResources.index_html, PackageResources.page_css, PackageResources.page_js] {
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!text.contains("https://"))
      #expect(!text.contains("src=\"http"))
      #expect(!text.contains("@import"))
    }
  }

  @Test("the script puts no text where it could become markup or code")
  func noMarkupFromText() {
    let script = String(decoding: PackageResources.page_js, as: UTF8.self)
    for sink in [
      "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "setAttribute(\"on",
    ] {
      #expect(!script.contains(sink), "\(sink)")
    }
  }

  @Test("the hooks that scripts and tests rely on are there")
  func hooks() {
    let page = String(decoding: PackageResources.index_html, as: UTF8.self)
    #expect(page.contains("data-action=\"listen\""))
    #expect(page.contains("data-state="))
    #expect(page.contains("data-audio="))
  }

  @Test("the whole page is small")
  func size() {
    #expect(Asset.all.map(\.bytes.readableBytes).reduce(0, +) < 64 << 10)
  }

  @Test("a name that looks like markup leaves as plain JSON text without angle brackets")
  func hostileNames() async throws {
    let hostile = PlayerStatus(
      name: "</script><img src=x onerror=alert(1)>", colour: "red;background:url(//evil)", isHost: false,
      kitName: "\"\\\u{0}\u{2028}&")
    try await serving(try TestHouse(rooms: [TestRoom(players: [hostile])])) { port in
      let answer = try RawClient(port: port).ask("GET", "/health")
      #expect(!answer.text.contains("<") && !answer.text.contains(">") && !answer.text.contains("&"))
      #expect(answer.text.contains(#"\u003c/script\u003e\u003cimg src=x onerror=alert(1)\u003e"#))
      #expect(answer.text.contains(#"\"\\\u0000\u2028\u0026"#))
    }
  }
}
