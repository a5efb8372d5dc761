import KitTestSupport
import Testing

@testable import JamForge
@testable import JamKit

@Suite("Shipped recipes")
struct ShippedRecipeTests {
  @Test("the kits that have recipes are what these make, to the bit")
  func forged() throws {
    for folder in KitForge.folders(in: kitsFolder) {
      let forge = try KitForge(folder)
      for file in forge.files {
        let made = try #require(forge.render(file))
        let path = folder + "/" + file
        let bytes = try Files.read(path, limit: 1 << 20)
        let kept = try Sound(decoding: bytes, named: path, byteLimit: 64 << 20)
        #expect(made.frames == kept.frames && made.channels == kept.channels)
        // Half a step of rounding.
        #expect(zip(made.interleaved, kept.interleaved).allSatisfy { abs($0 - $1) <= 0.501 / 32_768 }, "\(file)")
      }
    }
  }
}
