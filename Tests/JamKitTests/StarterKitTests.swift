import JamCore
import KitTestSupport
import Testing

@testable import JamKit

@Suite("Starter kit")
struct StarterKitTests {
  private let kit: LoadedKit

  init() throws {
    kit = try KitLoader(catalogue: KitCatalogue(scanning: [ShippedKits.path])).load("starter")
  }

  @Test("has sixteen sounds, no two alike, within 1 MB")
  func size() throws {
    #expect(kit.kit.pads.allSatisfy { $0 != nil })
    #expect(Set(Pad.all.compactMap { kit.memory($0)?.hash }).count == 16)
    let bytes = try (Files.names(in: ShippedKits.path + "/starter") ?? []).reduce(0) {
      $0 + (try Files.read(ShippedKits.path + "/starter/" + $1, limit: 1 << 20)).count
    }
    #expect(bytes <= 3_000_000)
  }

  @Test("hats choke each other")
  func hats() {
    let hats = kit.kit.pads.compactMap { $0 }.filter { $0.category == "hat" }
    #expect(hats.count == 2 && hats.allSatisfy { $0.settings.choke == 1 })
  }

  @Test("hits speak at once: near their peak within 15 ms", arguments: [1, 2, 4, 6, 7, 8, 9, 10, 16])
  func attack(pad: Int) throws {
    let plane = try planes(try #require(Pad(pad)))[0]
    let start = plane.prefix(720).reduce(0) { max($0, abs($1)) }
    let peak = plane.reduce(0) { max($0, abs($1)) }
    #expect(start > peak * 0.5)
  }

  @Test("every sound is what its category says", arguments: Pad.all)
  func spectra(pad: Pad) throws {
    let planes = try planes(pad)
    let mono = zip(planes[0], planes[planes.count - 1]).map { $0 + $1 }
    let whole = Spectrum(mono)
    switch kit.kit[pad]?.category {
    case "kick":
      #expect(whole.share(20..<150) > 0.8)
      #expect(Spectrum(mono.prefix(480)).centroid > whole.centroid)  // a transient, then the body
    case "snare":
      #expect(whole.share(120..<400) > 0.15 && whole.share(2_000..<20_000) > 0.15)  // shell and wires
    case "clap":
      #expect(whole.share(700..<6_000) > 0.6)
    case "hat":
      #expect(whole.share(5_000..<24_000) > 0.88)
    case "cymbal":
      #expect(whole.share(2_000..<24_000) > 0.7 && mono.count > 48_000)
    case "tom":
      #expect(whole.share(60..<300) > 0.8)
    case "percussion":
      #expect(whole.centroid > 700 && mono.count < 24_000)
    case "bass":
      #expect(abs(whole.peak(30..<400) - 55) < 2 && whole.share(30..<500) > 0.85)
    case "chord":
      for hertz in [220.0, 261.6, 329.6, 392] { #expect(abs(whole.peak(hertz - 10..<hertz + 10) - hertz) < 4) }
      #expect(whole.share(100..<5_000) > 0.9)
    case "lead":
      #expect(whole.share(215..<225) + whole.share(425..<455) > 0.2 && whole.share(200..<8_000) > 0.88)
    case "voice":
      // Two formants of an open vowel above the note.
      #expect(whole.share(600..<1_400) > 0.3 && whole.share(2_200..<4_000) > 0.005)
    case "riser":
      let quarters = (0..<4).map { (part: Int) -> Double in
        let (from, to) = (part * mono.count / 4, (part + 1) * mono.count / 4)
        return Spectrum(mono[from..<to]).centroid
      }
      #expect(zip(quarters, quarters.dropFirst()).allSatisfy { $0 < $1 })
      let halves = [mono.prefix(mono.count / 2), mono.suffix(mono.count / 2)].map { $0.reduce(0) { $0 + $1 * $1 } }
      #expect(halves[1] > halves[0] * 4)
    case "impact":
      #expect(whole.share(20..<200) > 0.5 && whole.share(200..<4_000) > 0.05 && mono.count > 60_000)
      #expect(
        mono.prefix(mono.count / 4).reduce(0) { $0 + $1 * $1 } > mono.suffix(mono.count / 2).reduce(0) { $0 + $1 * $1 }
          * 4)
    default: Issue.record("a category without a test")
    }
  }

  private func planes(_ pad: Pad) throws -> [[Float]] {
    let view = try #require(kit.sample(pad))
    return [view.left, view.right].prefix(view.isStereo ? 2 : 1).map { plane in
      (0..<Int(view.frameCount)).map { plane[$0] }
    }
  }
}
