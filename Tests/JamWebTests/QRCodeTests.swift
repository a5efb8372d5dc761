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

  @Test("the smallest size that holds the text is taken, up to 106 bytes")
  func sizes() {
    for (bytes, size) in [(1, 21), (14, 21), (15, 25), (26, 25), (27, 29), (42, 29), (62, 33), (84, 37), (106, 41)] {
      #expect(QRCode(String(repeating: "x", count: bytes))?.size == size)
    }
    #expect(QRCode(String(repeating: "x", count: 107)) == nil)
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
