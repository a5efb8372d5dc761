import Glibc
import JamCore
import KitTestSupport
import TestSupport
import Testing

@testable import JamImport
@testable import JamKit

/// The same regions, written as people write them: by chance, and read back.
@Suite("Shapes of SFZ files")
struct SFZShapeTests {
  /// `make fuzz` asks for more, by BANDSHELL_SHAPES.
  private static let count = getenv("BANDSHELL_SHAPES").flatMap { Int(String(cString: $0)) } ?? 2_000

  @Test("regions are the same in whatever shape they are written")
  func shapes() throws {
    var tokens = 0
    for seed in 0..<Self.count {
      var shape = SFZShape(seed: UInt64(seed))
      let regions = shape.write()
      tokens += shape.tokens
      let text = shape.files["x.sfz"] ?? ""
      var parser = SFZParser(
        ImportFiles(archive: "a", shape.files.mapValues { Array($0.utf8) }, root: "", limits: .standard))
      try parser.parse("x.sfz")
      let read = parser.regions.map { SFZRegion($0) }
      let isSame =
        read.count == regions.count
        && zip(read, regions).allSatisfy { read, region in
          read.keys == region.key...region.key && read.sample == region.sample && read.gain == region.volume
            && read.text("hivel") == "\(region.loudest)" && read.objection == nil && read.center == region.key
        }
      #expect(isSame, "seed \(seed):\n\(text)\n\(shape.files)\n\(parser.regions)")
      guard isSame else { return }
    }
    print("\(Self.count) SFZ files of \(tokens) tokens read")
  }

  @Test("files that are cut, mixed up or nonsense end in an error or in regions, never in a crash")
  func nonsense() {
    let parts = [
      "<region>", "<", ">", "#include", "#define", "\"", "$", "$A", "=", " ", "\n", "//", "/*", "*/", "key", "c4", "-1",
      "9999999999", "1e999", "sample", "a.wav", "\u{301}", "<group>", "<control>", "note_offset=99999", "locc", "é",
    ]
    for seed in 0..<Self.count {
      var chance = SplitMix(seed: UInt64(seed) ^ 0x5f5f)
      let text = (0..<60).map { _ in parts[Int(abs(chance.even()) * Double(parts.count)) % parts.count] }.joined()
      var parser = SFZParser(
        ImportFiles(archive: "a", ["x.sfz": Array(text.utf8)], root: "", limits: .standard))
      guard (try? parser.parse("x.sfz")) != nil else { continue }
      let regions = parser.regions.map { SFZRegion($0) }
      let rest = SFZRest(regions)
      for region in regions {
        _ = (rest.objection(to: region), region.faults, region.center(60.5), region.pitch(nil), region.strangers)
      }
    }
  }
}

extension SFZRegion {
  fileprivate var center: Int { center(nil) }
}

/// Writes regions in a shape of its own.
private struct SFZShape {
  struct Region {
    var key: Int
    var sample: String
    var volume: Double
    var loudest: Int
  }

  private(set) var files: [String: String] = [:]
  private(set) var tokens = 0
  private var chance: SplitMix
  private var text = ""

  init(seed: UInt64) { chance = SplitMix(seed: seed) }

  private mutating func below(_ limit: Int) -> Int { Int(abs(chance.even()) * Double(limit)) % limit }
  private mutating func one(of list: [String]) -> String { list[below(list.count)] }

  mutating func write() -> [Region] {
    let names = ["a.wav", "My kick 1.wav", "D#1v1.wav", "Sub/b - 2.wav", "été.flac", "x (1) & y.wav"]
    let regions = (0...below(6)).map { _ in
      Region(
        key: below(128), sample: names[below(names.count)], volume: Double(below(40) - 30) / 2, loudest: 1 + below(127))
    }
    gap()
    for (index, region) in regions.enumerated() {
      if below(4) == 0 { put(one(of: ["<group> lokey=1 hikey=2", "<group> key=5", "<global> loop_mode=one_shot"])) }
      if below(5) == 0 {
        // In a file of its own.
        let outer = text
        text = ""
        write(region)
        files["part\(index).txt"] = text
        text = outer
        if below(2) == 0 {
          put("#define $P part\(index)")
          put("#include \"$P.txt\"")
        } else {
          put(
            one(of: ["#include \"part\(index).txt\"", "#INCLUDE\t\"part\(index).txt\"", "#include\"part\(index).txt\""])
          )
        }
      } else {
        write(region)
      }
    }
    files["x.sfz"] = text
    return regions
  }

  private mutating func write(_ region: Region) {
    put(one(of: ["<region>", "<Region>"]))
    var opcodes = [
      ("key", keyText(region.key)), ("sample", region.sample), ("volume", volumeText(region.volume)),
      ("hivel", "\(region.loudest)"), ("sw_label", one(of: ["", "a b c", "Soft"])),
    ]
    while !opcodes.isEmpty { put(opcodes.remove(at: below(opcodes.count))) }
  }

  private mutating func put(_ opcode: (name: String, value: String)) {
    var value = opcode.value
    if below(5) == 0, !value.isEmpty, !value.contains(" ") {
      put("#define $V \(value)")
      value = "$V"
    }
    if below(12) == 0 {
      put("#define $OP \(opcode.name)")
      put("$OP=\(value)")
    } else {
      put(one(of: [opcode.name, opcode.name.uppercased()]) + one(of: ["=", "=", " = ", "= ", " ="]) + value)
    }
  }

  private mutating func put(_ token: String) {
    tokens += 1
    text += token
    gap()
  }

  private mutating func gap() {
    text += one(of: [
      " ", "  ", "\n", "\r\n", "\t", "\n\n", " // a <region> key=1\n", " //****\n", " /* a\n <region> */ ",
      "\n//********\n// Kick\n//********\n", " //*/\n", " /*/ key=3 /*/ ", " /***/ ",
    ])
  }

  private mutating func keyText(_ key: Int) -> String {
    let name = ["c", "c#", "d", "d#", "e", "f", "f#", "g", "g#", "a", "a#", "b"][key % 12]
    let flat = ["c", "db", "d", "eb", "e", "f", "gb", "g", "ab", "a", "bb", "b"][key % 12]
    let octave = key / 12 - 1
    return one(of: [
      "\(key)", "\(key).0", "\(name)\(octave)", name.replacing("#", with: "\u{266f}") + "\(octave)", "\(flat)\(octave)",
      name.uppercased() + "\(octave)",
    ])
  }

  private mutating func volumeText(_ volume: Double) -> String {
    let text = "\(volume)"
    return one(of: [
      text, text + "dB", text.replacing(".", with: ","), text + " dB", text.replacing("-", with: "\u{2212}"),
    ])
  }
}
