import JamCore
import Testing

@testable import JamKit

@Suite("Shipped kits")
struct ShippedKitTests {
  /// Sounds that are meant to be otherwise than their category; what they are held to instead.
  private static let exceptions: [String: [SoundClaim]] = [
    // The foot's "chick" is the two cymbals' clap, which lies lower than their ring.
    "room/hat-pedal.flac": [.atLeast(0.6, "share above 5 kHz") { $0.spectrum.share(5_000..<24_000) }],
    // Scraped, not struck: they go on as long as the stick does.
    "hands/guiro.flac": scraped, "rhythm-box/guiro.flac": scraped, "rhythm-box/guiro-short.flac": scraped,
  ]

  private static let scraped: [SoundClaim] = [
    .atMost(40, "milliseconds of attack") { $0.attack }, .atMost(-15, "end in dB") { $0.ending },
    .within(0.3...0.45, "middle of its energy") { $0.middle },
    .atLeast(0.8, "share of 700–12000 Hz") { $0.spectrum.share(700..<12_000) },
  ]

  @Test("there are seventeen, with sixteen pads each, within 60 MiB")
  func count() throws {
    #expect(ShippedKits.folders.count == 17)
    #expect(ShippedKits.pads.count == 17 * Pad.count)
    let bytes = try ShippedKits.folders.flatMap { folder in
      (Files.names(in: folder.path) ?? []).map { Files.joined(folder.path, $0) }
    }.reduce(0) { $0 + (try Files.read($1, limit: 1 << 20)).count }
    #expect(bytes <= 60 << 20)
  }

  @Test("all of them at once take 160 MiB of memory")
  func memory() throws {
    let bytes = try ShippedKits.folders.reduce(0) { $0 + (try $1.load()).byteCount }
    #expect(bytes <= 160 << 20, "\(bytes >> 20) MiB")
  }

  @Test("pass every check")
  func check() {
    for folder in ShippedKits.folders { #expect(KitCheck.problems(of: folder) == []) }
  }

  @Test("every sound is clean: headroom, no offset, silent at both ends")
  func clean() {
    for pad in ShippedKits.pads { expect(SoundClaim.clean, of: pad) }
  }

  @Test("every sound is what its category says", arguments: PadCategory.allCases)
  func categories(category: PadCategory) {
    for pad in ShippedKits.pads where pad.description.category == category {
      let claims =
        Self.exceptions[pad.testDescription] ?? SoundClaim.claims(of: category, named: pad.description.name)
      #expect(!claims.isEmpty, "\(pad.testDescription): say what it is")
      expect(claims, of: pad)
    }
  }

  @Test("what is named after a note sounds at that note, within 30 cents")
  func notes() {
    let names = ["A", "C", "D", "E", "G"]
    let named = ShippedKits.pads.filter { [.bass, .lead].contains($0.description.category) }.compactMap { pad in
      pad.description.name.split(separator: " ").last.flatMap { names.contains(String($0)) ? (pad, String($0)) : nil }
    }
    #expect(named.count == 15)
    for (pad, name) in named {
      let hertz = pad.portrait.spectrum.peak(40..<1_000)
      let semitones =
        12 * PortableMath.logarithm(hertz / 440) - Double(["A": 0, "C": 3, "D": 5, "E": 7, "G": 10][name] ?? 0)
      #expect(abs(semitones - 12 * (semitones / 12).rounded()) < 0.3, "\(pad.testDescription): \(hertz) Hz")
    }
  }

  @Test("no two pads of a kit sound alike", arguments: ShippedKits.folders.map(\.id))
  func alike(kit: String) {
    let pads = ShippedKits.pads.filter { $0.kit == kit }
    for (index, pad) in pads.enumerated() {
      for other in pads[..<index] {
        let distance = pad.portrait.distance(to: other.portrait)
        #expect(distance >= 5, "\(pad.testDescription) and \(other.file): \(distance) dB")
      }
    }
  }

  /// How differently two kits sound, in dB: for each pad of either the distance to the most alike of the other's; the mean.
  private func distance(_ kit: [ShippedKits.Pad], _ other: [ShippedKits.Pad]) -> Double {
    let distances = kit.map { pad in other.map { pad.portrait.distance(to: $0.portrait) } }
    let there = distances.map { $0.min() ?? 0 }
    let back = other.indices.map { index in distances.map { $0[index] }.min() ?? 0 }
    return (there + back).reduce(0, +) / Double(there.count + back.count)
  }

  @Test("every kit has a character of its own, bells and dub most of all")
  func characters() {
    let kits = Dictionary(grouping: ShippedKits.pads, by: \.kit)
    let ids = kits.keys.sorted()
    for (index, id) in ids.enumerated() {
      for other in ids[..<index] {
        let found = distance(kits[id] ?? [], kits[other] ?? [])
        let least = Set(["bells", "dub"]).isDisjoint(with: [id, other]) ? 14.0 : 19
        #expect(found >= least, "\(id) and \(other): \(found) dB")
      }
    }
  }

  private static let drums: Set<PadCategory> = [.kick, .snare, .clap, .hat, .tom, .percussion, .cymbal]

  @Test("every drum has three layers, hats and snares take turns")
  func depth() {
    for folder in ShippedKits.folders {
      for pad in folder.readDescription().pads.compactMap(\.self) where Self.drums.contains(pad.category) {
        let name = "\(folder.id): \(pad.name)"
        #expect(pad.layers.count >= 3, "\(name)")
        guard folder.id != "room" else { continue }
        if pad.category == .hat { #expect(pad.layers.last?.files.count == 3, "\(name)") }
        if pad.category == .snare { #expect(pad.layers.last?.files.count == 2, "\(name)") }
      }
    }
  }

  @Test(
    "layers differ in timbre, the louder one is brighter, and takes are no copies",
    arguments: ShippedKits.folders.map(\.id))
  func layers(kit: String) throws {
    for pad in ShippedKits.layered where pad.last?.first?.kit == kit {
      let name = pad.last?.first?.testDescription ?? ""
      // A louder layer begins where the softer one ends: by more than nothing, by less than a step of the hand.
      for (soft, loud) in zip(pad, pad.dropFirst()) {
        let (soft, loud) = (try #require(soft.first), try #require(loud.first))
        let distance = soft.portrait.distance(to: loud.portrait)
        // Of a tone without noise, a softer blow changes little but the length.
        #expect(distance >= 1, "\(name): \(distance) dB")
        #expect(loud.portrait.spectrum.centroid > soft.portrait.spectrum.centroid * 0.95, "\(name)")
        #expect((0.5...2.5).contains(loud.loudness - soft.loudness), "\(name): \(loud.loudness - soft.loudness) LU")
      }
      for takes in pad {
        for (index, take) in takes.enumerated() {
          expect(SoundClaim.clean, of: take)
          for other in takes[..<index] {
            let distance = take.portrait.distance(to: other.portrait)
            #expect((0.3...12).contains(distance), "\(take.testDescription) and \(other.file): \(distance) dB")
            #expect(abs(take.loudness - other.loudness) < 0.3, "\(take.testDescription) and \(other.file)")
          }
        }
      }
    }
  }

  /// Sounds that are softer or louder by nature than their kind.
  private static let quieter: Set = ["room/ghost.flac", "room/hat-pedal.flac"]
  /// Kits without drums: their sounds carry the beat that other kits' drums carry, and are louder for it.
  private static let alone: Set = ["one-key", "dj"]

  @Test(
    "sounds of a kind are about as loud in every kit",
    arguments: [
      (PadCategory.kick, 2.0), (.snare, 2), (.clap, 2.5), (.hat, 3), (.tom, 3), (.cymbal, 4), (.bass, 2),
      (.chord, 2.5), (.lead, 3), (.voice, 2), (.riser, 3.5), (.impact, 3),
    ])
  func kinds(category: PadCategory, within limit: Double) {
    let pads = ShippedKits.pads.filter {
      $0.description.category == category && !Self.quieter.contains($0.testDescription)
        && !Self.alone.contains($0.kit)
    }
    let sorted = pads.map(\.loudness).sorted()
    let median = sorted[sorted.count / 2]
    for pad in pads {
      let difference = pad.loudness + Double(pad.description.settings.gain) - median
      #expect(abs(difference) <= limit, "\(pad.testDescription): \(difference) LU off \(median) LUFS")
    }
  }

  private func expect(_ claims: [SoundClaim], of pad: ShippedKits.Pad) {
    let objections = claims.objections(to: pad.portrait)
    #expect(objections == [], "\(pad.testDescription) (\(pad.description.category.rawValue))")
  }

  @Test("held sounds fade when their pads are let go of, basses within 60 to 150 ms")
  func releases() {
    let held = ShippedKits.pads.filter { $0.description.settings.mode == .gate }
    #expect(held.count == 38)
    for pad in held {
      let allowed: ClosedRange<Float> = pad.description.category == .bass ? 60...150 : 60...300
      #expect(allowed.contains(pad.description.settings.release), "\(pad.testDescription)")
    }
  }
}
