import Testing

@testable import JamCore

@Suite("The head of WAV files") struct WAVHeadTests {
  @Test("the headers are RIFF's, byte for byte")
  func headers() {
    #expect(
      WAVHead(frames: 2).bytes
        == Array("RIFF".utf8) + hex("30000000") + Array("WAVEfmt ".utf8)
        + hex("10000000 0100 0200 80bb0000 00650400 0600 1800") + Array("data".utf8) + hex("0c000000"))
    #expect(
      WAVHead(format: .float32, channels: 1, frames: 3).bytes
        == Array("RIFF".utf8) + hex("3e000000") + Array("WAVEfmt ".utf8)
        + hex("12000000 0300 0100 80bb0000 00ee0200 0400 2000 0000") + Array("fact".utf8) + hex("04000000 03000000")
        + Array("data".utf8) + hex("0c000000"))
  }

  @Test("samples are rounded, clipped, and never trap")
  func samples() {
    let values: [Float] = [0, 1, -1, 2, -.infinity, .nan, 0.5, 1.0 / 8_388_608]
    #expect(
      values.map(WAVFormat.integer24) == [0, 8_388_607, -8_388_608, 8_388_607, -8_388_608, 0, 4_194_304, 1])
  }

  private func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
