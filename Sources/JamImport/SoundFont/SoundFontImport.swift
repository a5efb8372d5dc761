internal import JamCore
internal import JamKit

/// One preset of a SoundFont (`.sf2`, or `.sf3` with Ogg Vorbis in it) as a kit: a drum set by
/// General MIDI's keys, any other preset as two octaves of a major scale.
/// - Source: SoundFont Technical Specification 2.04.
struct SoundFontImport {
  let path: String
  let limits: Limits
  /// The wanted preset: its name, number, or `BANK:NUMBER`; nil takes the first drum set, or else
  /// the first preset.
  let wanted: String?

  /// The largest file that is read: far beyond any real collection.
  static let byteLimit = 1 << 30

  static func bank(_ path: String) throws(KitError) -> SoundFontBank {
    let bytes = try Files.read(path, limit: byteLimit)
    let bank = try SoundFontBank(bytes, named: path)
    guard !bank.presets.isEmpty else { throw KitError(path, .nothingToImport(.soundFont, unread: [])) }
    return bank
  }

  func read() throws(KitError) -> ImportedKit {
    let bank = try Self.bank(path)
    let preset = try chosen(from: bank)
    var kit = ImportedKit(name: PadName.cleaned(preset.name))
    kit.credits = credits(of: preset)
    if bank.presets.count > 1 {
      kit.notes.append(
        ImportNote(preset.name, "one preset of \(bank.presets.count); --list shows them, --preset takes another"))
    }
    let (regions, faults) = bank.regions(of: preset)
    kit.notes += faults.map { ImportNote(preset.name, $0) }
    var sounds = SoundFontSounds(bank, limits: limits)
    var groups = ChokeGroups()
    let keys = preset.bank == SoundFontDrums.bank ? drumKeys(regions) : scale(regions)
    for key in keys {
      let (name, category) = description(of: key, in: preset)
      guard kit.pads.count < Pad.count else {
        kit.leftOut.append("key \(key) (\(name))")
        continue
      }
      let here = regions.filter { $0.keys.contains(key) }
      guard var pad = pad(key, here, named: name, category, bank, &sounds, &kit) else { continue }
      if preset.bank != SoundFontDrums.bank {
        pad.settings.mode = .gate
        pad.settings.voices = 8
      } else if let group = here.map(\.exclusiveClass).first(where: { $0 > 0 }), let number = groups.number(group) {
        pad.settings.choke = number
      }
      kit.add(pad)
    }
    if preset.bank == SoundFontDrums.bank { kit.chokeHats() }
    guard !kit.pads.isEmpty else { throw kit.nothing(.soundFont, in: path) }
    return kit
  }

  func credits(of preset: SoundFontBank.Preset) -> String {
    let name = PadName.stem(of: String(path.split(separator: "/").last ?? ""))
    return "Imported from the preset \(preset.name) of the SoundFont \(name)."
  }

  /// - Parameter drumsFirst: where `wanted` is nil, whether drums come first: they do for a kit,
  ///   but not for an instrument.
  func chosen(from bank: SoundFontBank, drumsFirst: Bool = true) throws(KitError) -> SoundFontBank.Preset {
    guard let wanted else {
      // At least one: this was checked when the file was read.
      let meant = bank.presets.filter { ($0.bank == SoundFontDrums.bank) == drumsFirst }
      return meant.min { ($0.bank, $0.program) < ($1.bank, $1.program) } ?? bank.presets[0]
    }
    let parts = wanted.split(separator: ":").map { Int($0) }
    let numbers = parts.allSatisfy { $0 != nil } ? parts.compactMap(\.self) : []
    let found = bank.presets.first { preset in
      switch numbers.count {
      case 1: preset.bank == 0 && preset.program == numbers[0]
      case 2: preset.bank == numbers[0] && preset.program == numbers[1]
      default: preset.name.lowercased() == wanted.lowercased()
      }
    }
    guard let found else {
      throw KitError(
        path, field: "--preset",
        .outOfRange(
          found: "\"\(PadName.safe(wanted, atMost: 32))\"",
          expected: "a name, a number or BANK:NUMBER, as --list shows them"))
    }
    return found
  }

  private func drumKeys(_ regions: [SoundFontRegion]) -> [Int] {
    let there = Set(regions.flatMap { Array($0.keys) })
    // One zone over many keys is the same drum at many pitches. So a key outside `order` counts
    // only if a region is for this key alone.
    return SoundFontDrums.order.filter(there.contains)
      + there.subtracting(SoundFontDrums.order).filter { key in regions.contains { $0.keys == key...key } }.sorted()
  }

  /// Two octaves of a major scale and two notes more, where the preset has most of its keys.
  private func scale(_ regions: [SoundFontRegion]) -> [Int] {
    let there = Set(regions.flatMap { Array($0.keys) })
    func notes(from root: Int) -> [Int] {
      (0..<Pad.count).map { root + 12 * ($0 / 7) + [0, 2, 4, 5, 7, 9, 11][$0 % 7] }.filter(there.contains)
    }
    let middle = 48
    let roots = [middle, 36, 60, 24, 72, 12, 84, 0, 96]
    return roots.map { notes(from: $0) }.max { $0.count < $1.count } ?? []
  }

  private func description(of key: Int, in preset: SoundFontBank.Preset) -> (name: String, category: PadCategory) {
    guard preset.bank == SoundFontDrums.bank else {
      let note = "\(["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"][key % 12])\(key / 12 - 1)"
      let isBass = preset.program / 8 == 4 && preset.bank < SoundFontDrums.bank
      let stem = PadName.safe(preset.name, atMost: Limits.standard.nameCharacters - note.count - 1)
      return ("\(stem) \(note)", isBass ? .bass : .lead)
    }
    return SoundFontDrums.described(key) ?? ("Key \(key)", .percussion)
  }

  private func pad(
    _ key: Int, _ regions: [SoundFontRegion], named name: String, _ category: PadCategory, _ bank: SoundFontBank,
    _ sounds: inout SoundFontSounds, _ kit: inout ImportedKit
  ) -> ImportedPad? {
    var takes: [(take: VelocityTake, region: SoundFontRegion)] = []
    var notes: [String] = []
    for region in regions {
      let sample = bank.samples[region.sample]
      do throws(KitError) {
        let pitch = region.pitch(at: key, root: sample.rootKey, correction: sample.correction)
        let sound = try sounds.sound(region, movedBy: pitch, &notes)
        // Two sides of one recording become one sound.
        if let index = takes.firstIndex(where: { bank.areSides($0.region, region) }) {
          takes[index].take.sound = takes[index].take.sound.joined(with: sound, isLeft: sample.isLeft)
          continue
        }
        guard !takes.contains(where: { $0.region.velocities == region.velocities }) else {
          notes.append("\(sample.name) left out: a pad has no two sounds at once")
          continue
        }
        takes.append(
          (
            VelocityTake(
              low: Double(region.velocities.lowerBound) / 127, high: Double(region.velocities.upperBound) / 127,
              gain: region.gain, pitch: pitch, turn: takes.count, sound: sound, source: sample.name), region
          ))
      } catch {
        if !kit.problems.contains(error) { kit.problems.append(error) }
      }
    }
    guard let first = takes.first else { return nil }
    var pad = ImportedPad(name: name, category: category, layers: [], source: "key \(key)")
    notes += pad.setLayers(takes.map(\.take))
    if first.take.sound.channels == 1 { pad.settings.pan = first.region.pan }
    kit.notes += Set(notes).sorted().map { ImportNote(name, $0) }
    return pad
  }

}

extension SoundFontBank {
  /// Whether both are the left and the right side of one recording.
  func areSides(_ one: SoundFontRegion, _ other: SoundFontRegion) -> Bool {
    let (a, b) = (samples[one.sample], samples[other.sample])
    return one.velocities == other.velocities && one.sample != other.sample
      && (a.isLeft && b.isRight || a.isRight && b.isLeft) && a.rate == b.rate
  }
}

extension Sound {
  /// Combines two mono sounds into a stereo sound, as long as the longer one.
  func joined(with other: Sound, isLeft: Bool) -> Sound {
    guard channels == 1, other.channels == 1 else { return self }
    let (left, right) = isLeft ? (other, self) : (self, other)
    var both = left
    both.channels = 2
    both.interleaved = []
    for frame in 0..<max(left.frames, right.frames) {
      both.interleaved.append(frame < left.frames ? left.interleaved[frame] : 0)
      both.interleaved.append(frame < right.frames ? right.interleaved[frame] : 0)
    }
    return both
  }
}
