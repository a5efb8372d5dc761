internal import JamCore
internal import JamKit

/// An SFZ file after reading, with the sounds beside it: the source of a kit or an instrument.
/// - Source: sfzformat.com, "Opcodes".
struct SFZFile {
  /// The file's name without its extension.
  let name: String
  /// The sounds, by paths from the file's folder.
  var files: ImportFiles
  /// The regions that sound.
  let sounding: [SFZRegion]
  private let regions: [SFZRegion]
  private let rest: SFZRest
  private let strangers: Set<String>
  private let oddities: [ImportNote]
  private let path: String

  /// - Parameter root: the folder that holds the instrument, where it is not the file's own; the
  ///   file lies in it.
  init(_ path: String, in root: String? = nil, limits: Limits) throws(KitError) {
    self.path = path
    let folder = Files.parent(of: path)
    let file = String(path.split(separator: "/").last ?? "")
    if let root {
      // A path in the working folder may begin with `./` or directly with a name.
      let inner = KitFolder.parts(of: String(folder.dropFirst(root == "." ? 0 : root.count)))
      files = ImportFiles(folder: root, inner: inner.joined(separator: "/"), limits: limits)
    } else {
      files = ImportFiles(folder: folder, limits: limits)
    }
    var parser = SFZParser(files)
    try parser.parse(file)
    name = PadName.cleaned(PadName.stem(of: file))
    let regions = parser.regions.map { SFZRegion($0) }
    let rest = SFZRest(regions)
    self.regions = regions
    self.rest = rest
    sounding = regions.filter { $0.keys != nil && Self.objection(to: $0, rest) == nil }
    strangers = parser.strangers
    oddities = parser.notes
  }

  /// Notes of the regions that are left out, of the faults of the others, and of unknown opcodes.
  /// - Parameter opcodes: the opcodes of a region that are not carried over.
  func notes(strangers opcodes: (SFZRegion) -> Set<String>) -> [ImportNote] {
    var notes = oddities + strangers.sorted().map { ImportNote("<\($0)>", "not carried over") }
    if let note = rest.note { notes.append(ImportNote(name, note)) }
    var (silent, faulty) = (SharedNotes(), SharedNotes())
    for region in regions {
      let name = region.text("sample") ?? "a region"
      if let objection = Self.objection(to: region, rest) {
        silent.add(objection, name)
      } else if region.keys != nil {
        for fault in region.faults { faulty.add(fault, name) }
      }
    }
    notes += silent.notes + faulty.notes
    let strays = regions.compactMap(\.sample).filter { files.leavesRoot($0) }
    if !strays.isEmpty {
      let way = wayBack(levels: strays.map { ImportFiles.climb(of: $0) }.max() ?? 0)
      let hint = way.map { "; name the folder that holds both, and the file in it: \($0.folder) --file \($0.file)" }
      notes.append(ImportNote(name, "names sounds outside of its folder\(hint ?? "")"))
    }
    return notes + Self.noteStrangers(in: sounding.map(opcodes))
  }

  /// The folder so many levels above the file's own, and the file's path in it; nil where there is
  /// none below the disk's root.
  private func wayBack(levels: Int) -> (folder: String, file: String)? {
    var folder = Files.parent(of: path)
    var parts = KitFolder.parts(of: folder)
    if parts.contains("..") || !folder.hasPrefix("/") && parts.count < levels, let real = KitFolder(folder).realPath {
      folder = real
      parts = KitFolder.parts(of: real)
    }
    guard levels > 0, parts.count > levels || parts.count == levels && !folder.hasPrefix("/") else { return nil }
    let outer = parts.dropLast(levels).joined(separator: "/")
    let file = path.split(separator: "/").last.map { String($0) } ?? ""
    return (
      folder.hasPrefix("/") ? "/" + outer : outer.isEmpty ? "." : outer,
      (parts.suffix(levels) + [file]).joined(separator: "/")
    )
  }

  private static func objection(to region: SFZRegion, _ rest: SFZRest) -> String? {
    if region.sample == nil { return "left out: it names no sample file" }
    if let objection = region.objection { return objection }
    // `first`, the first note of all, sounds like any other note.
    if let trigger = region.text("trigger"), trigger != "attack", trigger != "first" {
      return "left out: its trigger is \(PadName.safe(trigger, atMost: 32))"
    }
    return rest.objection(to: region)
  }

  /// One note for each opcode, because an instrument has thousands of them.
  private static func noteStrangers(in opcodes: [Set<String>]) -> [ImportNote] {
    var counts: [String: Int] = [:]
    for opcode in opcodes.joined() { counts[opcode, default: 0] += 1 }
    return counts.sorted { $0.key < $1.key }.map { opcode, count in
      let name = PadName.safe(opcode, atMost: 64, otherwise: "?")
      return ImportNote(name, "not carried over (\(count) \(count == 1 ? "region" : "regions"))")
    }
  }
}

/// Collects notes with the same text into one, with the first of the subjects and the number of the
/// others, because an instrument has thousands of regions.
private struct SharedNotes {
  private var lines: [(text: String, first: String, count: Int)] = []
  private var places: [String: Int] = [:]
  private static let most = 200

  mutating func add(_ text: String, _ subject: String) {
    if let known = places[text] {
      lines[known].count += 1
    } else if lines.count < Self.most {
      places[text] = lines.count
      lines.append((text, subject, 1))
    }
  }

  var notes: [ImportNote] {
    lines.map { ImportNote($0.count == 1 ? $0.first : "\($0.first) and \($0.count - 1) more", $0.text) }
  }
}
