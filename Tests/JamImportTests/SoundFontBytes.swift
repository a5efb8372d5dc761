@testable import JamKit

/// A SoundFont made by hand.
struct SoundFontBytes {
  struct Sample {
    var name = "sample"
    var values: [Int16]
    /// Frames from its own beginning.
    var loop = (0, 0)
    var rate: UInt32 = 44_100
    var root: UInt8 = 60
    var link: UInt16 = 0
    var kind: UInt16 = 1
    /// What the header says its end is, where that is not true.
    var claimedEnd: UInt32?
    /// An `.sf3`'s, in place of `values`.
    var file: [UInt8]?
  }

  struct Preset {
    var name: String
    var bank: UInt16 = 0
    var program: UInt16 = 0
    /// Of its only instrument: generators by number, the sample last.
    var zones: [[(UInt16, UInt16)]]
    /// The instrument that it names, where that is not its own.
    var instrument: UInt16?
    /// The preset's own generators, which add to the instrument's.
    var generators: [(UInt16, UInt16)] = []
  }

  var samples: [Sample]
  var presets: [Preset]

  /// A decaying tone.
  static func tone(_ hertz: Double, frames: Int = 8_000) -> [Int16] {
    (0..<frames).map { n in
      let time = Double(n) / 44_100
      let fade = 1 - Double(n) / Double(frames)
      return Int16(12_000 * fade * fade * PortableMath.sine(turns: hertz * time))
    }
  }

  static func keys(_ low: Int, _ high: Int) -> (UInt16, UInt16) { (43, UInt16(low | high << 8)) }
  static func velocities(_ low: Int, _ high: Int) -> (UInt16, UInt16) { (44, UInt16(low | high << 8)) }

  var bytes: [UInt8] {
    var data: [UInt8] = []
    var headers: [UInt8] = []
    for sample in samples {
      let unit = sample.file == nil ? 2 : 1
      let start = UInt32(data.count / unit)
      data += sample.file ?? sample.values.flatMap { Self.half(UInt16(bitPattern: $0)) }
      let end = sample.claimedEnd ?? UInt32(data.count / unit)
      let origin = sample.file == nil ? start : 0
      headers += Self.text(sample.name) + Self.word(start) + Self.word(end)
      headers += Self.word(origin + UInt32(sample.loop.0)) + Self.word(origin + UInt32(sample.loop.1))
      headers += Self.word(sample.rate) + [sample.root, 0] + Self.half(sample.link) + Self.half(sample.kind)
    }
    headers += Self.text("EOS") + [UInt8](repeating: 0, count: 26)
    var (phdr, pbag, pgen): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    var (inst, ibag, igen): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    for (index, preset) in presets.enumerated() {
      phdr += Self.text(preset.name) + Self.half(preset.program) + Self.half(preset.bank)
      phdr += Self.half(UInt16(pbag.count / 4)) + [UInt8](repeating: 0, count: 12)
      pbag += Self.half(UInt16(pgen.count / 4)) + Self.half(0)
      for (generator, amount) in preset.generators { pgen += Self.half(generator) + Self.half(amount) }
      pgen += Self.half(41) + Self.half(preset.instrument ?? UInt16(index))
      inst += Self.text(preset.name) + Self.half(UInt16(ibag.count / 4))
      for zone in preset.zones {
        ibag += Self.half(UInt16(igen.count / 4)) + Self.half(0)
        for (generator, amount) in zone { igen += Self.half(generator) + Self.half(amount) }
      }
    }
    phdr += Self.text("EOP") + Self.half(0) + Self.half(0) + Self.half(UInt16(pbag.count / 4))
    phdr += [UInt8](repeating: 0, count: 12)
    pbag += Self.half(UInt16(pgen.count / 4)) + Self.half(0)
    pgen += [0, 0, 0, 0]
    inst += Self.text("EOI") + Self.half(UInt16(ibag.count / 4))
    ibag += Self.half(UInt16(igen.count / 4)) + Self.half(0)
    igen += [0, 0, 0, 0]
    let lists =
      Self.list("sdta", Self.chunk("smpl", data))
      + Self.list(
        "pdta",
        Self.chunk("phdr", phdr) + Self.chunk("pbag", pbag) + Self.chunk("pgen", pgen) + Self.chunk("inst", inst)
          + Self.chunk("ibag", ibag) + Self.chunk("igen", igen) + Self.chunk("shdr", headers))
    return Self.chunk("RIFF", Array("sfbk".utf8) + lists)
  }

  private static func half(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xff), UInt8(value >> 8)] }
  private static func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
  private static func text(_ text: String) -> [UInt8] {
    Array((Array(text.utf8) + [UInt8](repeating: 0, count: 20)).prefix(20))
  }
  private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    Array(name.utf8) + word(UInt32(bytes.count)) + bytes + (bytes.count % 2 == 1 ? [0] : [])
  }
  private static func list(_ name: String, _ bytes: [UInt8]) -> [UInt8] { chunk("LIST", Array(name.utf8) + bytes) }
}
