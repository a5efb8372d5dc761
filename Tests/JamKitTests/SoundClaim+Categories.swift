import JamKit

/// What the sounds of shipped kits are held to. White noise and sounds of other categories fail (see `SoundClaimTests`).
extension SoundClaim {
  /// What a pad's category promises; `fx` and `percussion` are too many things for that, so their names say more.
  static func claims(of category: PadCategory, named name: String = "") -> [SoundClaim] {
    switch category {
    case .kick: struck + [share(20..<150, 0.75), transient, .atMost(2, "seconds") { $0.seconds }]
    case .snare:
      struck + [
        share(100..<500, 0.12), share(2_000..<24_000, 0.15), share(20..<120, 0, 0.3), noise(0.03),
        .atMost(2, "seconds") { $0.seconds },
      ]
    case .clap:
      struck + [
        noise(0.005), share(500..<6_000, 0.45), share(500..<24_000, 0.85), share(5_000..<24_000, 0, 0.55),
        .atMost(2, "seconds") { $0.seconds },
      ]
    case .hat: struck + [share(5_000..<24_000, 0.85), .atMost(1, "seconds") { $0.seconds }]
    case .cymbal:
      struck + [
        share(2_000..<24_000, 0.7), .atLeast(4_000, "centroid") { $0.spectrum.centroid },
        .atLeast(0.8, "seconds") { $0.seconds }, .atMost(0.35, "flatness") { $0.spectrum.flatness(500..<16_000) },
      ]
    case .tom:
      struck + [
        share(60..<500, 0.85), tone(0.1), .atMost(1.2, "seconds") { $0.seconds },
        .within(55...420, "pitch") { $0.spectrum.peak(20..<20_000) },
      ]
    case .percussion: struck + [.atMost(2, "seconds") { $0.seconds }] + percussion(named: name)
    case .bass:
      speaking + [
        share(30..<1_000, 0.85), tone(0.05), .within(30...125, "pitch") { $0.spectrum.peak(20..<20_000) },
        .atMost(-10, "end") { $0.ending },
      ]
    case .chord:
      speaking + [
        tone(0.03), share(60..<5_000, 0.9), .atLeast(0.8, "seconds") { $0.seconds },
        .atLeast(3, "notes") { Double($0.notes.count) },
      ]
    case .lead:
      speaking + [tone(0.03), share(150..<8_000, 0.9), .atLeast(150, "pitch") { $0.spectrum.peak(20..<20_000) }]
    case .voice:
      // A vowel's first two formants; a high note may itself lie below the first.
      speaking + [tone(0.03), share(200..<3_500, 0.6), share(200..<1_200, 0.3), share(1_200..<4_000, 0.02)]
    case .riser: rising
    case .impact:
      struck + [
        share(20..<250, 0.4), .atLeast(1, "seconds") { $0.seconds },
        .atMost(0.25, "middle of its energy") { $0.middle },
      ]
    case .loop:
      [
        .atLeast(1, "seconds") { $0.seconds },
        .atMost(6, "dB between its quarters") {
          ($0.quarters.map(\.level).max() ?? 0) - ($0.quarters.map(\.level).min() ?? 0)
        },
      ]
    case .fx, .other: effect(named: name)
    }
  }

  /// Every sound, whatever it is: a quarter of a bar to some bars, with headroom, on its zero line, silent at both ends.
  static let clean: [SoundClaim] = [
    .within(0.04...8, "seconds") { $0.seconds }, .atMost(-1, "true peak in dB") { $0.truePeak },
    .atMost(0.001, "offset") { $0.offset }, .atMost(0.0002, "first value") { $0.first },
    .atMost(0.0002, "last value") { $0.last },
  ]

  /// At once, and then away.
  private static let struck: [SoundClaim] = [
    .atMost(15, "milliseconds of attack") { $0.attack }, .atMost(-30, "end in dB") { $0.ending },
    .atLeast(2, "dB from the first to the third quarter") { $0.quarters[0].level - $0.quarters[2].level },
  ]

  /// Soon enough to be played in time, and fading out.
  private static let speaking: [SoundClaim] = [
    .atMost(250, "milliseconds of attack") { $0.attack }, .atMost(-10, "end in dB") { $0.ending },
  ]

  private static let rising: [SoundClaim] = [
    .atLeast(1, "dB between quarters") { sound in
      zip(sound.quarters, sound.quarters.dropFirst()).map { $1.level - $0.level }.min() ?? 0
    },
    .atLeast(10, "dB from the first to the last quarter") { $0.quarters[3].level - $0.quarters[0].level },
    .atLeast(1, "frequency, last quarter by first") { $0.quarters[3].centroid / $0.quarters[0].centroid },
    .atLeast(0.7, "middle of its energy") { $0.middle },
  ]

  private static let falling: [SoundClaim] = [
    .atMost(0.6, "frequency, third quarter by first") { $0.quarters[2].centroid / $0.quarters[0].centroid },
    .atMost(-15, "end in dB") { $0.ending },
  ]

  /// Rattles are noise, everything else has a pitch of some sort.
  private static func percussion(named name: String) -> [SoundClaim] {
    switch name {
    case "Shaker", "Maracas", "Tambourine": [share(2_500..<24_000, 0.9)]
    case "Snap": claims(of: .clap)
    case "Guiro", "Short guiro": [share(700..<12_000, 0.85), share(0..<300, 0, 0.05)]
    default: [tone(0.1), share(150..<6_000, 0.85)]
    }
  }

  /// - Precondition: one of the names in shipped kits; others have no claims, which a test tells.
  private static func effect(named name: String) -> [SoundClaim] {
    switch name {
    case "Noise fall", "Tonal fall", "Sub drop", "Laser zap", "Laser", "Zap", "Tape stop": falling
    case "Jump", "Power-up":
      [
        .atLeast(1.5, "frequency, last quarter by first") { $0.quarters[3].centroid / $0.quarters[0].centroid },
        tone(0.2),
      ]
    case "Sweep up down":
      [
        .atLeast(2, "frequency, middle by ends") {
          min($0.quarters[1].centroid, $0.quarters[2].centroid) / max($0.quarters[0].centroid, $0.quarters[3].centroid)
        },
        noise(0.05),
      ]
    case "Drum roll":
      [
        share(100..<1_000, 0.5),
        .atLeast(2, "dB between quarters") { sound in
          zip(sound.quarters, sound.quarters.dropFirst()).map { $1.level - $0.level }.min() ?? 0
        },
      ]
    case "Siren", "Air horn", "Crowd": [tone(0.05), share(200..<5_000, 0.9)]
    case "Drone": [tone(0.01), share(20..<250, 0.7), .atLeast(2, "seconds") { $0.seconds }]
    case "Coin", "Bending gong": struck + [tone(0.01)]
    case "Ice in a glass", "Shards": [share(2_000..<24_000, 0.7), .atMost(0.2, "middle of its energy") { $0.middle }]
    case "Backspin": [share(300..<6_000, 0.85), tone(0.2)]
    case "Breath in":
      [share(1_000..<16_000, 0.85), noise(0.2), .atLeast(0.5, "middle of its energy") { $0.middle }]
    default: []
    }
  }

  private static let transient = SoundClaim.atLeast(1, "frequency of the first 10 ms by the whole's") { $0.transient }

  private static func share(_ hertz: Range<Double>, _ least: Double, _ most: Double = 1) -> SoundClaim {
    .within(least...most + 1e-9, "share of \(Int(hertz.lowerBound))–\(Int(hertz.upperBound)) Hz") {
      $0.spectrum.share(hertz)
    }
  }

  private static func tone(_ most: Double) -> SoundClaim {
    .atMost(most, "flatness") { $0.spectrum.flatness(500..<16_000) }
  }

  private static func noise(_ least: Double) -> SoundClaim {
    .atLeast(least, "flatness") { $0.spectrum.flatness(500..<16_000) }
  }
}
