import Testing

@testable import JamWeb

@Suite("QR code")
struct QRCodeTests {
  @Test("error correction of a known message")
  func correction() {
    // "HELLO WORLD" in version 1, level M: the example that every description of the code uses.
    let data: [UInt8] = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
    #expect(ReedSolomon.correction(of: data, count: 10) == [196, 35, 39, 119, 235, 215, 231, 226, 93, 23])
  }

  @Test("a web address gives the pattern that decoders read")
  func golden() throws {
    let code = try #require(QRCode("http://192.168.1.20:8088/"))
    #expect(code.terminalText(colours: false) == QRCodeTests.golden)
  }

  @Test("the smallest size that holds the text is taken, up to 213 bytes")
  func sizes() {
    let sizes = [
      (1, 21), (14, 21), (15, 25), (26, 25), (27, 29), (42, 29), (62, 33), (84, 37), (106, 41), (107, 45), (122, 45),
      (123, 49), (152, 49), (153, 53), (180, 53), (181, 57), (213, 57),
    ]
    for (bytes, size) in sizes {
      #expect(QRCode(String(repeating: "x", count: bytes))?.size == size)
    }
    #expect(QRCode(String(repeating: "x", count: QRCode.mostBytes + 1)) == nil)
  }

  // Each is a pattern that another encoder makes, with one of the eight masks (qrcode of Python).
  @Test(
    "every size has the pattern that another encoder makes",
    arguments: [
      (14, "cfbd3450319c1223"), (42, "9d09ee815e6138d"), (60, "bca5c33e382db9d3"), (80, "a6367f8c6c98fa43"),
      (100, "6a96d5e0fa1e8f87"), (120, "55c6860dd8ca1ef9"), (150, "e8e4e6d2de63ff2f"), (180, "9878020b3b03924f"),
      (210, "32c142921e117cff"), (213, "c08221b4557828bd"),
    ])
  func patterns(bytes: Int, tag: String) throws {
    let address = "http://h/"
    let code = try #require(QRCode(address + String(repeating: "x", count: bytes - address.utf8.count)))
    #expect(Asset.tag(of: code.modules.map { $0 ? 1 : 0 }) == "\"\(tag)\"")
  }

  @Test("letters beyond ASCII are counted and drawn as UTF-8")
  func letters() throws {
    let code = try #require(QRCode("http://10.0.0.5:8088/rooms/kéller/"))
    #expect(code.size == 29)
    #expect(Asset.tag(of: code.modules.map { $0 ? 1 : 0 }) == "\"dae814af7d8d8824\"")
  }

  @Test("the drawing is dark on light, with four light modules around the code, and holds nothing else")
  func drawing() throws {
    let code = try #require(QRCode("http://192.168.1.20:8088/"))
    let svg = code.svg
    #expect(
      svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"264\" height=\"264\" viewBox=\"0 0 33 33\""))
    #expect(svg.contains("<rect width=\"33\" height=\"33\" fill=\"#fff\"/><path fill=\"#000\" d=\"M4 4h7v1H4z"))
    #expect(svg.hasSuffix("\"/></svg>\n"))
    #expect(!svg.contains("192"))
    var drawn = Array(repeating: false, count: code.modules.count)
    for run in svg.matches(of: #/M(\d+) (\d+)h(\d+)v1H/#) {
      let (x, y, length) = (try #require(Int(run.1)), try #require(Int(run.2)), try #require(Int(run.3)))
      for i in 0..<length { drawn[(y - 4) * code.size + x - 4 + i] = true }
    }
    #expect(drawn == code.modules)
  }

  @Test("colours say black and white on any terminal")
  func colours() throws {
    let text = try #require(QRCode("x")).terminalText(colours: true)
    #expect(text.hasPrefix("\u{1b}[97;40m") && text.hasSuffix("\u{1b}[0m"))
  }

  // Read back by zbarimg.
  private static let golden = """
    █████████████████████████████████
    █████████████████████████████████
    ████ ▄▄▄▄▄ ███ █▀▀▄▀██ ▄▄▄▄▄ ████
    ████ █   █ █ ▀▀▄ ▀██▄█ █   █ ████
    ████ █▄▄▄█ █ ▀▄  █▄▀▀█ █▄▄▄█ ████
    ████▄▄▄▄▄▄▄█ █ █ █▄▀▄█▄▄▄▄▄▄▄████
    ████ █▄▄ ▄▄▀█▀▀█▀ ▀▄▄▀▄▄▄▄▄▀█████
    █████▄▀ ██▄▄▀█▀▄▀▄█▄▀█▄▄▀▄█▄ ████
    ████ ▀▀▄▀ ▄█ ▀█▄▄ ▀███▄▄▄▀▄ ▄████
    ████ █ ▀▄▄▄▄  ▀ ▄██ █▄█▄█ █▄ ████
    ████▄████▄▄█   ▄ ▄▀█ ▄▄▄ ▀ ██████
    ████ ▄▄▄▄▄ █▀▀▄▀███▀ █▄█  ▄  ████
    ████ █   █ █ ▄▀   ▀  ▄   ▄ ▀▀████
    ████ █▄▄▄█ █▄ ▄█ ███▀▄▀▀▀▀▄█ ████
    ████▄▄▄▄▄▄▄█▄▄▄▄█▄█▄█▄▄▄▄▄▄▄▄████
    █████████████████████████████████
    ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
    """
}
