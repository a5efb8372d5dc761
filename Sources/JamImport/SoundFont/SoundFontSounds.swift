internal import JamCore
internal import JamKit

/// The samples of a SoundFont as sounds. Each is decoded once.
struct SoundFontSounds {
  private let bank: SoundFontBank
  /// Bytes of memory that are left.
  private var budget: Int
  private var known: [Int: Sound] = [:]

  /// A looped sample on a pad plays for this long, as if a key were held, and then fades over that
  /// time.
  private static let heldSeconds = 2.0
  private static let fadeMilliseconds = 400.0

  init(_ bank: SoundFontBank, limits: Limits) {
    self.bank = bank
    budget = limits.kitBytes * 8
  }

  /// The name of a sample in errors.
  private func shown(_ sample: SoundFontBank.Sample) -> String { "\(bank.chunks.path): sample \(sample.name)" }

  /// A region's sound, from its own start to its own end.
  /// - Parameters:
  ///   - pitch: by how many semitones it will be moved: what is deeper sounds longer.
  ///   - notes: takes what was done to it.
  mutating func sound(
    _ region: SoundFontRegion, movedBy pitch: Double, _ notes: inout [String]
  ) throws(KitError) -> Sound {
    let (plain, loop) = try looped(region, &notes)
    guard let loop else { return plain }
    let ratio = PortableMath.ratio(semitones: pitch)
    // Moved up very far it is as short as a sound of the highest rate.
    let rate = min(Double(plain.rate) * ratio, Double(Sound.rates.upperBound))
    let wanted = max(Int(saturating: rate * Self.heldSeconds), 1)
    // It is long enough as it is, with what lies behind the loop.
    guard plain.frames < wanted else { return try part(region) }
    notes.append("\(bank.samples[region.sample].name): its loop is played out for 2 s and faded")
    var held = plain
    let round = plain.part(Range(from: loop.start, to: loop.end)).interleaved
    while held.frames < wanted { held.interleaved += round }
    held.interleaved.removeLast((held.frames - wanted) * held.channels)
    held.fadeOut(milliseconds: Self.fadeMilliseconds * rate / Double(plain.rate))
    return held
  }

  /// The same up to the end of its loop, where it has one, and the loop counted from the sound's
  /// start.
  mutating func looped(
    _ region: SoundFontRegion, _ notes: inout [String]
  ) throws(KitError) -> (sound: Sound, loop: SoundLoop?) {
    let plain = try part(region)
    guard region.loops else { return (plain, nil) }
    let sample = bank.samples[region.sample]
    let whole = try decoded(region.sample)
    let (start, end) = try ends(region, of: whole)
    let origin = sample.isCompressed ? 0 : sample.start
    let moved = region.loopOffsets
    let first = sample.loopStart - origin + moved.start
    let last = sample.loopEnd - origin + moved.end
    let frames = Range(from: start, to: end)
    guard let loop = SoundLoop.fitting(first, last, within: frames, of: sample.name, &notes) else {
      return (plain, nil)
    }
    return (whole.part(Range(from: start, to: start + loop.end)), loop)
  }

  private mutating func part(_ region: SoundFontRegion) throws(KitError) -> Sound {
    let whole = try decoded(region.sample)
    let (start, end) = try ends(region, of: whole)
    return start == 0 && end == whole.frames ? whole : whole.part(Range(from: start, to: end))
  }

  private func ends(_ region: SoundFontRegion, of whole: Sound) throws(KitError) -> (start: Int, end: Int) {
    let offsets = region.offsets
    let start = min(max(offsets.start, 0), whole.frames)
    let end = min(max(whole.frames + min(offsets.end, 0), 0), whole.frames)
    guard start < end else {
      throw KitError(
        shown(bank.samples[region.sample]), field: "start",
        .outOfRange(found: "\(start)", expected: "less than its end, \(end)"))
    }
    return (start, end)
  }

  private mutating func decoded(_ number: Int) throws(KitError) -> Sound {
    if let sound = known[number] { return sound }
    let sample = bank.samples[number]
    let place = bank.chunks["smpl"]
    let unit = sample.isCompressed ? 1 : 2
    let frames = place.count / unit
    guard sample.start < sample.end else { throw KitError(shown(sample), .empty) }
    guard sample.end <= frames else {
      throw KitError(
        shown(sample), field: "end", .outOfRange(found: "\(sample.end)", expected: "0…\(frames), what the file holds"))
    }
    let from = place.lowerBound + sample.start * unit
    let to = place.lowerBound + sample.end * unit
    let sound: Sound
    if sample.isCompressed {
      sound = try Sound(
        decoding: Array(bank.chunks.bytes[Range(from: from, to: to)]), named: shown(sample), byteLimit: budget)
    } else {
      guard Sound.rates.contains(sample.rate) else { throw KitError(shown(sample), .badRate(hertz: sample.rate)) }
      guard sample.kind & 0x8000 == 0 else { throw KitError(shown(sample), .notSound(cause: "it lies in a ROM")) }
      let values = stride(from: from, to: to, by: 2).map { position in
        Float(Int16(bitPattern: UInt16(bank.chunks.bytes[position]) | UInt16(bank.chunks.bytes[position + 1]) << 8))
          / 32_768
      }
      sound = Sound(interleaved: values, channels: 1, rate: sample.rate)
    }
    guard sound.byteCountInMemory <= budget else { throw KitError(shown(sample), .kitTooLarge(limit: budget)) }
    budget -= sound.byteCountInMemory
    known[number] = sound
    return sound
  }
}
