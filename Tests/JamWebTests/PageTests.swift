import Foundation
import JamCore
import NIOCore
import Testing

@testable import JamWeb
@testable import JamWire

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

  @Test("a browser gets each file packed, unless it takes no gzip, and each form has a tag of its own")
  func packedFiles() async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      let plain = try client.ask("GET", "/page.js")
      #expect(plain.headers["content-encoding"] == nil)
      for taken in ["gzip, deflate, br", "br;q=1.0, gzip;q=0.8", "*"] {
        let packed = try client.ask("GET", "/page.js", "Accept-Encoding: \(taken)")
        #expect(packed.headers["content-encoding"] == "gzip", "\(taken)")
        #expect(packed.headers["vary"] == "Accept-Encoding")
        #expect(packed.body.starts(with: [0x1f, 0x8b]) && packed.body.count * 2 < plain.body.count)
        let tag = try #require(packed.headers["etag"])
        #expect(tag != plain.headers["etag"])
        #expect(try client.ask("GET", "/page.js", "Accept-Encoding: gzip", "If-None-Match: \(tag)").status == 304)
        #expect(try client.ask("GET", "/page.js", "If-None-Match: \(tag)").status == 200)
      }
      for refused in ["identity", "gzip;q=0", "br, gzip; q=0.0"] {
        let answer = try client.ask("GET", "/page.js", "Accept-Encoding: \(refused)")
        #expect(answer.headers["content-encoding"] == nil, "\(refused)")
      }
    }
  }

  @Test("the page has nothing inline and nothing from elsewhere")
  func nothingInline() throws {
    let page = try text(of: "/")
    #expect(!page.contains("style="))
    #expect(!page.contains("<style"))
    for script in page.split(separator: "<script").dropFirst() {
      #expect(script.contains("src=\"/page.js\"></script>") || script.contains("src=\"/theme.js\"></script>"))
    }
    for handler in ["onclick", "onload", "onerror", "javascript:"] { #expect(!page.contains(handler)) }
    for asset in Asset.all {
      let text = String(buffer: asset.bytes)
      #expect(!text.contains("https://"), "\(asset.path)")
      #expect(!text.contains("src=\"http"), "\(asset.path)")
      #expect(!text.contains("@import"), "\(asset.path)")
    }
  }

  @Test("every file of the folder is served")
  func everyFile() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/JamWeb/Page")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    let expected = Set(files.map { $0 == "index.html" ? "/" : "/\($0)" } + ["/ranges.js", "/effect-facts.js"])
    #expect(Set(Asset.all.map(\.path)) == expected)
  }

  @Test("the page has words of its own for every refusal that names an address or an option")
  func refusals() throws {
    let script = try text(of: "/words.js")
    let table = script.matches(of: #/(?m)^  "([a-z-]+)": /#).map { String($0.output.1) }
    #expect(table.count > 80 && Set(table).count == table.count)
    let notices: Set = [Notice.notTakenBack(.tempo).code, Notice.notDoneAgain(.tempo).code]
    let known = notices.union(ErrorExamples.all.map(\.code.text))
    for code in table { #expect(known.contains(code), "\(code)") }
    #expect(notices.isSubset(of: table))
    // The page puts the lock's name into the words of the first, and sends packets that can be read.
    let foreign: Set = ["locked", "bad-packet"]
    let addressed = #/(?:^|[\s(:“])(?:\/[a-z<]|--[a-z])|\b[a-z]+=|[A-Z]{2}=/#
    // Some reasons have several wordings.
    let others: [Refusal] = [.noSuchKit("piano"), .noSuchSound("bark", isPreview: true), .hostOnly(.undoInRoom)]
    let texts = ErrorExamples.all + others.map { ($0.code, $0.words) }
    for (code, text) in texts where !foreign.contains(code.text) && text.firstMatch(of: addressed) != nil {
      #expect(table.contains(code.text), "\(code.text): \(text)")
    }
  }

  @Test("the page knows the range of each fader from the address table, and names none itself")
  func ranges() throws {
    let script = PageRanges.script
    for range in [
      "\"/pad/#/gain\": [-60.0, 12.0]", "\"/player/*/gain\": [-60.0, 12.0]", "\"/layer/#/gain\": [-60.0, 12.0]",
      "\"/tempo\": [20.0, 300.0]", "\"/steps\": [4.0, 64.0]", "\"/pad/#/stretch\": [0.25, 4.0]",
    ] {
      #expect(script.contains(range), "\(range)")
    }
    for words in [
      "\"/lock\": [\"none\", \"tempo\", \"loops\", \"kits\", \"key\"]",
      "\"/pad/#/mode\": [\"oneshot\", \"gate\", \"loop\", \"repeat\"]",
      "\"/quantize\": [\"off\"", "\"/tempo/mode\": [", "\"/timing\": [", "\"/role\": [", "\"/repeat\": [",
      "\"/pad/#/stretch/quality\": [",
      "{ name: 32, message: 1000, lanes: 8, slots: 16, scenes: 8 }",
    ] {
      #expect(script.contains(words), "\(words)")
    }
    // A fader in parts of a sound begins at 0 or 1 ms; no other bound is a number.
    let ended = #/(fader|stepper)\(\{[^}]*(max: -?\d|min: -)|type="range"[^>]*(min|max)=/#
    for asset in Asset.all { #expect(String(buffer: asset.bytes).firstMatch(of: ended) == nil, "\(asset.path)") }
  }

  @Test("what the page's first script needs is named in its head, so that all of it is fetched at once")
  func preloads() throws {
    let page = try text(of: "/")
    let named = Set(page.matches(of: #/rel="modulepreload" href="([^"]+)"/#).map { String($0.1) })
    var needed: Set = ["/page.js"]
    var unread = needed
    while let path = unread.popFirst() {
      let script = try #require(Asset.all.first { $0.path == path }, "\(path)")
      let imports = String(buffer: script.bytes).matches(of: #/(?m)^import .*"\.(/[a-z-]+\.js)";/#)
        .map { String($0.1) }
      unread.formUnion(Set(imports).subtracting(needed))
      needed.formUnion(imports)
    }
    #expect(named.union(["/page.js"]) == needed)
  }

  @Test("no script leads back to itself, by imports at once or on demand")
  func noCircle() {
    var imports: [String: Set<String>] = [:]
    for asset in Asset.all where asset.path.hasSuffix(".js") {
      let found = String(buffer: asset.bytes).matches(of: #/(?:from |import |import\()"\.(/[a-z-]+\.js)"/#)
      imports[asset.path] = Set(found.map { String($0.1) })
    }
    #expect(imports["/panel.js"]?.isEmpty == false && imports["/page.js"]?.contains("/kits.js") == true)
    // Whatever leads only to what is gone already leads to no circle.
    while let leaf = imports.first(where: { $0.value.allSatisfy { imports[$0] == nil } }) { imports[leaf.key] = nil }
    #expect(imports.isEmpty, "a circle is among \(imports.keys.sorted())")
  }

  @Test("the scripts put no text where it could become markup or code")
  func noMarkupFromText() {
    for asset in Asset.all where asset.path.hasSuffix(".js") {
      let script = String(buffer: asset.bytes)
      for sink in [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "setAttribute(\"on",
        "setAttribute(\"style", "cssText",
      ] {
        #expect(!script.contains(sink), "\(sink) in \(asset.path)")
      }
    }
  }

  @Test("the hooks that scripts and tests rely on are there")
  func hooks() throws {
    let page = try text(of: "/")
    for action in [
      "listen", "record", "overdub", "undo", "redo", "buildup", "drop", "metronome", "kits", "settings", "mixer",
    ] {
      #expect(page.components(separatedBy: "data-action=\"\(action)\"").count == 2, "\(action)")
    }
    #expect(page.contains("data-state="))
    #expect(page.contains("data-audio="))
  }

  @Test("what is fetched first is at most 120 KB, packed and with headers; the rest comes when it is wanted")
  func size() throws {
    let scripts = Dictionary(uniqueKeysWithValues: Asset.all.map { ($0.path, $0) })
    var first: Set = ["/", "/page.css", "/icon.svg", "/theme.js"]
    var next = ["/page.js"]
    while let path = next.popLast() {
      guard first.insert(path).inserted else { continue }
      let script = String(buffer: try #require(scripts[path], "\(path) is imported and not there").bytes)
      for line in script.split(separator: "\n") where line.hasPrefix("import ") || line.hasPrefix("} from") {
        if let name = line.split(separator: "\"./").dropFirst().first { next.append("/\(name.prefix { $0 != "\"" })") }
      }
    }
    let bytes = first.map { (scripts[$0]?.packed.bytes?.readableBytes ?? .max / 100) + 600 }.reduce(0, +)
    #expect(bytes < 120_000, "\(bytes)")
    let plain = first.map { scripts[$0]?.bytes.readableBytes ?? 0 }.reduce(0, +)
    #expect(plain < 240_000, "\(plain): a phone reads all of it before the first tap")
    #expect(first.count < Asset.all.count)
  }

  @Test("kits tell their colours, and sounds their waveform")
  func kitFacts() async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      let kits = try client.ask("GET", "/kits")
      #expect(kits.status == 200)
      #expect(
        kits.text
          == ##"{"kits":[{"id":"starter","name":"Starter \u003c1\u003e","colours":["#ff5a36","#2b2d6e"],"pads":[1,3],"categories":["kick","","bass"],"keys":[{"pad":3,"note":9,"transpose":-2}]}]}"##
      )
      let wave = try client.ask("GET", "/waveforms/starter/1")
      #expect(wave.status == 200)
      #expect(wave.text == #"{"seconds":0.5,"peaks":[0,255,128]}"#)
      let kit = try client.ask("GET", "/waveforms/starter")
      #expect(kit.status == 200)
      #expect(kit.text == #"{"pads":[{"seconds":0.5,"peaks":"00ff09"},{"seconds":0,"peaks":""}]}"#)
      let tag = try #require(kit.headers["etag"])
      let again = try client.ask("GET", "/waveforms/starter", "If-None-Match: \(tag)")
      #expect(again.status == 304 && again.text.isEmpty)
      #expect(try client.ask("GET", "/waveforms/nothing").status == 404)
      let none = try client.ask("GET", "/waveforms/../../etc/passwd")
      #expect(none.status == 404)
      #expect(try client.ask("PUT", "/waveforms/starter/1").status == 405)
    }
  }

  @Test("a name that looks like markup leaves as plain JSON text without angle brackets")
  func hostileNames() async throws {
    let hostile = PlayerStatus(
      name: "</script><img src=x onerror=alert(1)>", colour: "red;background:url(//evil)", isHost: false,
      kitName: "\"\\\u{0}\u{2028}&")
    try await serving(try TestBackend(rooms: [TestRoom(players: [hostile])])) { port in
      let answer = try RawClient(port: port).ask("GET", "/health")
      #expect(!answer.text.contains("<") && !answer.text.contains(">") && !answer.text.contains("&"))
      #expect(answer.text.contains(#"\u003c/script\u003e\u003cimg src=x onerror=alert(1)\u003e"#))
      #expect(answer.text.contains(#"\"\\\u0000\u2028\u0026"#))
    }
  }
}
