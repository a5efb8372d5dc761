import JamCore
import JamEngine
import JamKit

@testable import JamRoom

/// Numbers that are the same everywhere.
struct Dice {
  enum Topic: CaseIterable { case anything, pads, loops, lanes, clock, people }

  /// What most of the commands are about: what meets seldom meets here.
  let topic: Topic
  private var state: UInt64

  init(seed: Int) {
    topic = Topic.allCases[seed % Topic.allCases.count]
    state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
  }

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let word = (state ^ state >> 33) &* 0xFF51_AFD7_ED55_8CCD
    return Int((word ^ word >> 33) % UInt64(bound))
  }

  /// 0 … 1 in a hundred steps.
  mutating func share() -> Float { Float(below(101)) / 100 }

  mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}

/// Kits of a room that is played by chance; those that are stretched are other sounds, told apart by their length.
struct RandomKits {
  let kits: [PlayableKit]
  /// A sampled instrument, of two zones.
  let samples: PlayableKit
  private let sounds = TestSounds()
  let away: Set<String>

  /// - Parameter away: kits and instruments that are not here; the first kit always is.
  init(without away: Set<String> = []) {
    self.away = away
    let modes: [Pad: PadMode] = [Pad(2)!: .gate, Pad(3)!: .loop, Pad(4)!: .repeat]
    let all = [
      Fixture.kit("one", modes: modes), Fixture.kit("two", modes: modes, keys: [Pad(1)!: "A", Pad(5)!: "Eb"]),
      Fixture.kit("three", modes: modes, keys: [Pad(2)!: "C"], sends: Sends(delay: 0.25)),
    ]
    kits = all.filter { !away.contains($0.kit.id) }
    let plain = Fixture.kit("tones")
    samples = PlayableKit(kit: plain.kit, pads: Pad.all.map { plain[$0] }, zones: RandomKits.zones)
  }

  /// One of the few keys that are played is in none of them.
  private static let zones = [
    InstrumentZone(root: 62, low: 62, high: 80, gain: -3), InstrumentZone(root: 60, low: 40, high: 60, tune: 20),
  ]

  var instruments: Instruments { Instruments(RandomKits.instruments.all.filter { !away.contains($0.id) }) }

  static let instruments = Instruments([
    .standard, Instrument(id: "bass", name: "Bass"),
    Instrument(id: "pad", name: "Pad", sends: Sends(delay: 0.125, reverb: 0.5)),
    Instrument(
      id: "tones", name: "Tones", patch: .ofSamples, sends: Sends(reverb: 0.25), zones: zones),
  ])

  func kit(_ id: String) -> PlayableKit { (kits + [samples]).first { $0.kit.id == id }! }

  func stretched(_ sound: PlayablePad, by factor: Float, _ quality: StretchQuality) -> PlayablePad {
    guard !sound.isAway else { return sound }
    let length = Int(factor * 20) + (quality == .best ? 7 : 0) + Int(sound.layers[0].sounds[0].view.frameCount) / 480
    return PlayablePad(PlayableSound(sounds.view(Pad(1 + length % 16)!), owner: sounds))
  }

  func sounds(for order: SoundsOrder) -> [VoicedSound: PlayablePad] {
    var found: [VoicedSound: PlayablePad] = [:]
    for wanted in order.wanted {
      let plain: PlayablePad? =
        switch wanted.sample {
        case .pad(let pad, let id): kit(id).plain(pad)
        case .patch(let patch): PlayablePad(patch)
        case .own, .nothing: nil
        }
      guard let plain else { continue }
      found[wanted] = wanted.stretch == 1 ? plain : stretched(plain, by: wanted.stretch, wanted.quality)
    }
    return found
  }

  /// All kits are in memory; there is no sound of anybody's own.
  var answers: PromptAnswers {
    PromptAnswers(
      kit: { kit($0) }, ownSound: { hash throws(KitError) in throw KitError(hash, .noSuchSound) },
      sounds: { (sounds(for: $0), nil) }, stretched: { stretched($0, by: $1, $2) })
  }
}

/// Where what is kept of a random room finds its sounds: stretched ones are made once each.
final class RandomSource {
  private let kits: RandomKits
  private var known: [String: PlayablePad] = [:]

  private let away: Set<String>

  /// - Parameter away: what cannot be had.
  init(_ kits: RandomKits, without away: Set<String> = []) {
    self.kits = kits
    self.away = away
  }

  var library: KeptLibrary.Source {
    KeptLibrary.Source(
      kit: { id throws(KitError) in
        let kits = self.kits.kits + [self.kits.samples]
        guard let kit = kits.first(where: { $0.kit.id == id }), !self.away.contains(id) else {
          throw KitError(id, .noSuchFile)
        }
        return kit
      },
      ownSound: { hash throws(KitError) in throw KitError(hash, .noSuchSound) },
      stretched: { pad, factor, quality in
        let key = "\(ObjectIdentifier(pad.layers[0].sounds[0])) \(factor) \(quality)"
        if let pad = self.known[key] { return pad }
        self.known[key] = self.kits.stretched(pad, by: factor, quality)
        return self.known[key]
      }, isSampled: { !self.away.contains($0) && RandomKits.instruments.isSampled($0) })
  }
}
