internal import JamCore
internal import JamKit

/// An SFZ file that was read, with the sounds beside it: what a kit and an instrument are made of.
/// - Source: sfzformat.com, "Opcodes".
struct SFZFile {
  /// Its file's, without what says that it is one.
  let name: String
  /// Its sounds lie where it lies.
  var files: ImportFiles
  /// Those of its regions that sound.
  let sounding: [SFZRegion]
  private let regions: [SFZRegion]
  private let strangers: Set<String>

  init(_ path: String, limits: Limits) throws(KitError) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[..<$0]) } ?? "."
    let file = slash.map { String(path[path.index(after: $0)...]) } ?? path
    files = ImportFiles(folder: folder.isEmpty ? "/" : folder, limits: limits)
    var parser = SFZParser(files)
    try parser.parse(file)
    name = PadName.cleaned(PadName.stem(of: file))
    regions = parser.regions.map { SFZRegion($0) }
    sounding = regions.filter { $0.keys != nil && Self.objection(to: $0) == nil }
    strangers = parser.strangers
  }

  /// Regions that are left out, what is wrong with the others, and what nobody here has a word for.
  /// - Parameter opcodes: those of a region that are not carried over.
  func notes(strangers opcodes: (SFZRegion) -> Set<String>) -> [ImportNote] {
    var notes = strangers.sorted().map { ImportNote("<\($0)>", "not carried over") }
    var faulty: [(text: String, first: String, count: Int)] = []
    for region in regions {
      let name = region.text("sample") ?? "a region"
      if let objection = Self.objection(to: region) {
        notes.append(ImportNote(name, objection))
      } else if region.keys != nil {
        // One line for all that share a header's fault.
        for fault in region.faults {
          if let known = faulty.firstIndex(where: { $0.text == fault }) {
            faulty[known].count += 1
          } else if faulty.count < 200 {
            faulty.append((fault, name, 1))
          }
        }
      }
    }
    for fault in faulty {
      let more = fault.count == 1 ? "" : " and \(fault.count - 1) more"
      notes.append(ImportNote(fault.first + more, fault.text))
    }
    return notes + Self.noteStrangers(in: sounding.map(opcodes))
  }

  private static func objection(to region: SFZRegion) -> String? {
    if region.sample == nil { return "left out: it names no sample file" }
    if let objection = region.objection { return objection }
    if let trigger = region.text("trigger"), trigger != "attack" { return "left out: its trigger is \(trigger)" }
    return nil
  }

  /// One note an opcode: an instrument has thousands of them.
  private static func noteStrangers(in opcodes: [Set<String>]) -> [ImportNote] {
    var counts: [String: Int] = [:]
    for opcode in opcodes.joined() { counts[opcode, default: 0] += 1 }
    return counts.sorted { $0.key < $1.key }.map { opcode, count in
      let name = PadName.safe(opcode, atMost: 64, otherwise: "?")
      return ImportNote(name, "not carried over (\(count) \(count == 1 ? "region" : "regions"))")
    }
  }
}
