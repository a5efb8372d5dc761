import KitTestSupport
import Testing

@testable import JamForge
@testable import JamKit

@Suite("Shipped recipes")
struct ShippedRecipeTests {
  @Test("a kit that has recipes is what these make, to the bit", arguments: KitForge.folders(in: kitsFolder))
  func forged(folder: String) throws {
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

  @Test("there are kits that have recipes")
  func some() { #expect(KitForge.folders(in: kitsFolder).count > 10) }
}
