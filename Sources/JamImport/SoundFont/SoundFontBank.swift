internal import JamCore
internal import JamKit

/// The content of a SoundFont: presets of instruments of samples. Indices that point nowhere are
/// dropped, never followed.
struct SoundFontBank {
  struct Preset {
    var name: String
    var bank: Int
    var program: Int
    var zones: [SoundFontZone]
  }

  struct Sample {
    var name: String
    /// Frames, or bytes of a compressed sample, within the sample chunk.
    var start: Int
    var end: Int
    /// Frames, counted like `start`; in a compressed sample from its beginning.
    var loopStart: Int
    var loopEnd: Int
    var rate: Int
    var rootKey: Int
    /// Hundredths of a semitone.
    var correction: Int
    var link: Int
    var kind: Int

    var isLeft: Bool { kind & 4 != 0 }
    var isRight: Bool { kind & 2 != 0 }
    /// Ogg Vorbis, as in an `.sf3`.
    var isCompressed: Bool { kind & 0x10 != 0 }
  }

  let chunks: SoundFontChunks
  private(set) var presets: [Preset] = []
  private(set) var instruments: [[SoundFontZone]] = []
  private(set) var samples: [Sample] = []

  init(_ bytes: [UInt8], named path: String) throws(KitError) {
    chunks = try SoundFontChunks(bytes, named: path)
    let chunks = chunks
    func half(_ position: Int) -> Int { Int(chunks.number(at: position, bytes: 2)) }
    func word(_ position: Int) -> Int { Int(chunks.number(at: position, bytes: 4)) }
    // The last record of each list only ends the one before.
    let headers = try chunks.records("phdr", size: 38)
    let presetZones = try Self.zones(chunks, bags: "pbag", generators: "pgen")
    for (header, next) in zip(headers, headers.dropFirst()) {
      presets.append(
        Preset(
          name: chunks.text(at: header), bank: half(header + 22), program: half(header + 20),
          zones: Self.part(presetZones, half(header + 24), half(next + 24), needs: SoundFontZone.Generator.instrument)))
    }
    let lists = try chunks.records("inst", size: 22)
    let zones = try Self.zones(chunks, bags: "ibag", generators: "igen")
    for (header, next) in zip(lists, lists.dropFirst()) {
      instruments.append(
        Self.part(zones, half(header + 20), half(next + 20), needs: SoundFontZone.Generator.sample))
    }
    for header in try chunks.records("shdr", size: 46).dropLast() {
      samples.append(
        Sample(
          name: chunks.text(at: header), start: word(header + 20), end: word(header + 24), loopStart: word(header + 28),
          loopEnd: word(header + 32), rate: word(header + 36), rootKey: Int(bytes[header + 40]),
          correction: Int(Int8(bitPattern: bytes[header + 41])), link: half(header + 42), kind: half(header + 44)))
    }
  }

  private static func zones(
    _ chunks: SoundFontChunks, bags: String, generators: String
  ) throws(KitError) -> [SoundFontZone] {
    let bags = try chunks.records(bags, size: 4)
    let records = try chunks.records(generators, size: 4)
    return zip(bags, bags.dropFirst()).map { bag, next in
      let first = Int(chunks.number(at: bag, bytes: 2))
      let end = min(Int(chunks.number(at: next, bytes: 2)), records.count)
      var zone = SoundFontZone()
      guard first < end else { return zone }
      for record in records[Range(from: first, to: end)] {
        zone.generators[Int(chunks.number(at: record, bytes: 2))] = UInt16(chunks.number(at: record + 2, bytes: 2))
      }
      return zone
    }
  }

  /// The zones that end with `generator`, each merged over the global zone. The first zone is the
  /// global one if it lacks `generator`.
  private static func part(
    _ zones: [SoundFontZone], _ first: Int, _ end: Int, needs generator: Int
  ) -> [SoundFontZone] {
    let end = min(end, zones.count)
    guard first < end else { return [] }
    let own = zones[Range(from: first, to: end)]
    let common = own.first.flatMap { $0.generators[generator] == nil ? $0 : nil } ?? SoundFontZone()
    return own.filter { $0.generators[generator] != nil }.map { $0.over(common) }
  }
}
