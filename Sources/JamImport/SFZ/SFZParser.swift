internal import JamKit

/// Reads an SFZ file's headers and opcodes, with its includes and definitions.
/// - Source: sfzformat.com, "SFZ Syntax".
struct SFZParser {
  /// The most files that include one another, and the deepest nesting. A piano has some hundred
  /// files.
  private static let includes = 1_024
  private static let depth = 16
  /// Bytes of all files together.
  private static let mostBytes = 16 << 20
  private static let regionLimit = 20_000

  private(set) var regions: [[String: String]] = []
  /// Headers that have no place in a kit, by name.
  private(set) var strangers: Set<String> = []
  /// Notes about oddities in the text.
  private(set) var notes: [ImportNote] = []

  private let files: ImportFiles
  private var definitions = SFZDefinitions()
  private var included = 0
  private var byteCount = 0
  private var header = ""
  /// The opcodes that apply to the following regions, by header: a region has all of them.
  private var levels: [String: [String: String]] = [:]
  private static let order = ["control", "global", "master", "group", "region"]

  /// An opcode on the left also means the opcodes on the right, so it replaces their earlier
  /// values.
  private static let meanings: [String: [String]] = [
    "key": ["lokey", "hikey"], "loop_mode": ["loopmode"], "loopmode": ["loop_mode"], "loop_start": ["loopstart"],
    "loopstart": ["loop_start"], "loop_end": ["loopend"], "loopend": ["loop_end"],
  ]

  init(_ files: ImportFiles) { self.files = files }

  /// - Throws: `KitError` where the file or one that it includes cannot be read.
  mutating func parse(_ file: String) throws(KitError) {
    try include(file, from: "", depth: 0)
    finishRegion()
  }

  /// - Parameter folder: the folder of the file that includes it.
  private mutating func include(_ file: String, from folder: String, depth: Int) throws(KitError) {
    included += 1
    let shown = Files.joined(files.path, PadName.safe(file, atMost: 255, otherwise: "?", keepingSlashes: true))
    guard included <= Self.includes, depth < Self.depth else {
      throw KitError(shown, .notSFZ(cause: "it includes too many files"))
    }
    let (place, bytes) = try read(file, from: folder)
    byteCount += bytes.count
    guard byteCount <= Self.mostBytes else {
      throw KitError(shown, .notSFZ(cause: "it and what it includes are larger than \(Self.mostBytes >> 20) MiB"))
    }
    let (text, isOpen) = SFZText.scalars(bytes)
    guard !text.contains("\0") else { throw KitError(shown, .notSFZ(cause: "it is no text")) }
    if isOpen { notes.append(ImportNote(file, "a comment /* has no end: what follows it was left out")) }
    let parts = KitFolder.parts(of: place)
    try read(text, of: shown, in: parts.dropLast().joined(separator: "/"), depth: depth)
  }

  /// Paths are relative to the outermost file. Some programs write them relative to the including
  /// file.
  private func read(_ file: String, from folder: String) throws(KitError) -> (place: String, bytes: [UInt8]) {
    do throws(KitError) {
      return (file, try files.read(file))
    } catch {
      let place = Files.joined(folder, file)
      guard !folder.isEmpty, case .noSuchSample = error.reason, let bytes = try? files.read(place) else { throw error }
      return (place, bytes)
    }
  }

  private mutating func read(
    _ text: [Unicode.Scalar], of file: String, in folder: String, depth: Int
  ) throws(KitError) {
    var tokens = SFZTokens(text)
    while let token = tokens.next(definitions) {
      switch token {
      case .unclosedHeader: throw KitError(file, .notSFZ(cause: "a header is not closed"))
      case .header(let name): try open(definitions.expanded(name).lowercased(), of: file)
      case .include(nil): throw KitError(file, .notSFZ(cause: "an #include names no file"))
      case .include(let name?): try include(Self.path(definitions.expanded(name)), from: folder, depth: depth + 1)
      case .define(let name, let value): definitions.define(name, as: value)
      case .opcode(let name, let value): set(definitions.expanded(name), to: definitions.expanded(value))
      case .word(let word):
        // The word may be a name that stands for an opcode.
        let meant = definitions.expanded(word)
        guard meant != word, depth < Self.depth else { continue }
        try read(Array(meant.unicodeScalars), of: file, in: folder, depth: depth + 1)
      }
    }
  }

  private mutating func set(_ name: String, to value: String) {
    let name = name.lowercased()
    for other in Self.meanings[name] ?? [] { levels[header]?[other] = nil }
    levels[header, default: [:]][name] = value
  }

  private mutating func open(_ name: String, of file: String) throws(KitError) {
    finishRegion()
    guard regions.count < Self.regionLimit else { throw KitError(file, .notSFZ(cause: "it has too many regions")) }
    header = name
    if let level = Self.order.firstIndex(of: name) {
      // <control> applies to everything behind it, and ends no other header.
      if level > 0 { for inner in Self.order[level...] { levels[inner] = nil } }
      levels[name, default: [:]]["", default: ""] = ""
    } else {
      strangers.insert(PadName.safe(name, atMost: 32, otherwise: "?"))
    }
  }

  private mutating func finishRegion() {
    guard header == "region" else { return }
    var region: [String: String] = [:]
    for level in Self.order.compactMap({ levels[$0] }) {
      for (name, others) in Self.meanings where level[name] != nil {
        for other in others { region[other] = nil }
      }
      // `key` also states the recorded note, unless the same header states another one.
      if level["key"] != nil { region["pitch_keycenter"] = nil }
      region.merge(level) { $1 }
    }
    region[""] = nil
    regions.append(region)
    levels["region"] = nil
    header = ""
  }

  /// Paths are written with either slash.
  static func path(_ path: String) -> String { path.replacing("\\", with: "/") }
}
