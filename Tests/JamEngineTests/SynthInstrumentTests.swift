import Foundation
import JamCore
import Testing

@testable import JamEngine

/// The instruments that come along.
@Suite struct SynthInstrumentTests {
  struct Shipped: Sendable {
    var id: String
    var category: String
    var patch: PatchSettings

    /// A bass is played low, and a pad in chords.
    var keys: [Float] { category == "bass" ? [36] : category == "pad" ? [48, 55, 60, 64] : [60] }
  }

  static let names = [
    "acid-bass", "bell", "brass", "electric-piano", "lead", "organ", "pluck", "reese", "sine-square-triangle",
    "soft-pad", "strings", "sub-bass",
  ]

  static let all: [Shipped] = names.compactMap { id in
    var folder = URL(filePath: #filePath)
    for _ in 0..<3 { folder.deleteLastPathComponent() }
    guard let data = try? Data(contentsOf: folder.appending(path: "Kits/\(id)/instrument.json")),
      let fields = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let values = fields["patch"] as? [String: Any], let category = fields["category"] as? String
    else { return nil }
    var patch = PatchSettings()
    for setting in PatchSetting.allCases {
      switch (setting.row.kind, values[setting.row.path]) {
      case (.float, let number as NSNumber): patch[setting] = .float(number.floatValue)
      case (.integer, let number as NSNumber): patch[setting] = .integer(number.int32Value)
      case (_, let word as String): patch[setting] = .text(word)
      default: continue
      }
    }
    return Shipped(id: id, category: category, patch: patch)
  }

  /// A second held, and a half behind it.
  static func play(_ shipped: Shipped, height: Float = 0.5, keys: [Float]? = nil) -> (left: [Float], right: [Float]) {
    let rig = SynthRig()
    for (i, key) in (keys ?? shipped.keys).enumerated() {
      rig.start(shipped.patch, key, velocity: 0.8, key: UInt8(i), height: height)
    }
    let held = rig.render(48_000)
    rig.pool.releaseAll(bus: 0, at: 0)
    let rest = rig.render(24_000)
    return (held.left + rest.left, held.right + rest.right)
  }

  /// The loudest 400 ms, in LUFS.
  static func loudness(_ sound: (left: [Float], right: [Float])) -> Double {
    var (left, right) = sound
    var weighting = KWeighting()
    var steps: [Double] = []
    left.withUnsafeMutableBufferPointer { left in
      right.withUnsafeMutableBufferPointer { right in
        for start in stride(from: 0, to: left.count - 4_799, by: 4_800) {
          steps.append(
            weighting.energy(left: left.baseAddress! + start, right: right.baseAddress! + start, frames: 4_800))
        }
      }
    }
    var loudest = 0.0
    for i in 3..<steps.count {
      loudest = max(loudest, (steps[i - 3] + steps[i - 2] + steps[i - 1] + steps[i]) / 19_200)
    }
    return -0.691 + FrequencyLines.decibels(loudest) / 2
  }

  @Test("all twelve are there, and differ")
  func twelve() {
    #expect(Self.all.map(\.id) == Self.names)
    #expect(Set(Self.all.map(\.patch)).count == 12)
  }

  @Test("they are as loud as each other: −20 LUFS within 1.5 LU, and no peak above −6 dBFS", arguments: names.indices)
  func level(index: Int) throws {
    let shipped = Self.all[index]
    let sound = Self.play(shipped)
    let loudness = Self.loudness(sound)
    #expect(abs(loudness + 20) < 1.5, "\(shipped.id): \(loudness) LUFS")
    let peak = (sound.left + sound.right).map(abs).max() ?? 1
    #expect(peak < 0.5, "\(shipped.id): \(peak)")
  }

  @Test("none has an alias above −80 dB at any key to C8", arguments: names.indices)
  func aliases(index: Int) {
    var patch = Self.all[index].patch
    // What moves and what is out of tune makes lines of its own.
    patch.first.fine = 0
    patch.second.fine = 0
    patch.second.semitones = (patch.second.semitones / 12).rounded() * 12
    patch.noise = 0
    patch.lfoPitch = 0
    patch.lfoFilter = 0
    patch.lfoLevel = 0
    patch.lfoWidth = 0
    patch.amp = PatchEnvelope(attack: 1, decay: 20, sustain: 1, release: 20)
    patch.shape = PatchEnvelope(attack: 1, decay: 20, sustain: patch.shape.sustain, release: 20)
    var worst = (decibels: -200.0, key: 0)
    for key in stride(from: 24, through: 108, by: 2) {
      let pitch = Float(key) - 0.13
      let sound = SynthRig.sound(patch, pitch, skip: 4_800, frames: 32_768)
      // A sub oscillator's partials are those of an octave lower.
      let hertz = SynthAliasTests.hertz(pitch) * (patch.subLevel > 0 && patch.subOctave < 0 ? 0.5 : 1)
      let stray = FrequencyLines(sound).highestStray(beside: hertz)
      if stray > worst.decibels { worst = (stray, key) }
    }
    #expect(worst.decibels < -80, "\(Self.all[index].id): \(worst.decibels) dB at key \(worst.key)")
  }
}
