internal import JamCore
internal import JamKit

/// The place of an importer's sounds: a folder, or an archive that was unpacked into memory. Each
/// file is decoded once.
///
/// Paths come from other machines. They are matched to the names that the folder has
/// (`KitFolder.spelled`). If a path begins at the root of another machine's disk, its end is looked
/// for in the folder. No path leads out of the folder.
struct ImportFiles {
  private enum Place {
    case folder(KitFolder)
    /// Files by path within `root`.
    case archive([String: [UInt8]], root: String)
  }

  /// The path that errors name in front of a file's path.
  let path: String
  private let place: Place
  /// The folder inside the place from which paths start; empty where paths start at the top.
  private let inner: String
  private let limits: Limits
  /// Bytes of memory that are left for decoded sounds. It is more than a kit may have, because
  /// layers can be left out.
  private var budget: Int
  private var known: [String: Sound] = [:]
  private var knownMarks: [String: SoundMarks] = [:]
  /// Notes of the changes that were needed to read files.
  private(set) var notes: [ImportNote] = []

  /// - Parameter inner: the folder in it from which paths start. Paths may lead out of `inner`, but
  ///   not out of `path`.
  init(folder path: String, inner: String = "", limits: Limits) {
    self.init(path, .folder(KitFolder(path)), inner, limits)
  }

  init(archive path: String, _ files: [String: [UInt8]], root: String, limits: Limits) {
    self.init(path, .archive(files, root: root), "", limits)
  }

  private init(_ path: String, _ place: Place, _ inner: String, _ limits: Limits) {
    self.path = inner.isEmpty ? path : Files.joined(path, inner)
    self.place = place
    self.inner = inner
    self.limits = limits
    budget = limits.kitBytes * 8
  }

  /// - Throws: `KitError` where there is no such file within the folder or archive.
  func read(_ file: String) throws(KitError) -> [UInt8] {
    let shown = Files.joined(path, PadName.safe(file, atMost: 255, otherwise: "?", keepingSlashes: true))
    if leavesRoot(file) { throw KitError(shown, .leavesFolder(path: file)) }
    for place in places(of: file) {
      if let bytes = try bytes(place, shown) { return bytes }
    }
    // A path that begins at the root of a disk, and whose end is not found here, leads out.
    throw KitError(shown, Self.isAbsolute(file) ? .leavesFolder(path: file) : .noSuchSample)
  }

  /// Whether there is such a file that can be read.
  func holds(_ file: String) -> Bool { (try? read(file)) != nil }

  /// Whether dots lead out of the folder.
  func leavesRoot(_ file: String) -> Bool {
    var depth = Self.isAbsolute(file) ? 0 : KitFolder.parts(of: inner).count
    for part in KitFolder.parts(of: file) {
      depth += part == ".." ? -1 : 1
      if depth < 0 { return true }
    }
    return false
  }

  /// How many folders above the one from which paths start a path leads.
  static func climb(of file: String) -> Int {
    guard !isAbsolute(file) else { return 0 }
    var (depth, highest) = (0, 0)
    for part in KitFolder.parts(of: file) {
      depth += part == ".." ? -1 : 1
      highest = min(highest, depth)
    }
    return -highest
  }

  /// Where in the folder the file may lie, without dots; the likeliest place first.
  private func places(of file: String) -> [String] {
    var parts: [String] = []
    let isAbsolute = Self.isAbsolute(file)
    for part in (isAbsolute ? [] : KitFolder.parts(of: inner)) + KitFolder.parts(of: file) {
      // `leavesRoot` has checked that there are no more dots than folders.
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    guard isAbsolute else { return [parts.joined(separator: "/")] }
    let own = KitFolder.parts(of: inner)
    let folders = own.isEmpty ? [[]] : [own, []]
    return parts.indices.flatMap { start in folders.map { ($0 + parts[start...]).joined(separator: "/") } }
  }

  /// `/home/…`, `\\Samples\\…` or `C:\\…`.
  private static func isAbsolute(_ file: String) -> Bool {
    if file.hasPrefix("/") || file.hasPrefix("\\") { return true }
    let start = Array(file.unicodeScalars.prefix(2))
    return start.count == 2 && start[1] == ":" && start[0].isASCII && start[0].properties.isAlphabetic
  }

  /// nil where there is no such file.
  private func bytes(_ file: String, _ shown: String) throws(KitError) -> [UInt8]? {
    switch place {
    case .folder(let folder):
      do throws(KitError) {
        return try folder.read(file, limit: limits.kitBytes)
      } catch {
        if case .noSuchFile = error.reason { return nil }
        throw KitError(shown, error.reason)
      }
    case .archive(let files, let root):
      let whole = root.isEmpty ? file : Files.joined(root, file)
      if let bytes = files[whole] { return bytes }
      let plain = files.keys.map { (name: $0, path: KitFolder.parts(of: $0).joined(separator: "/")) }
      guard let path = KitFolder.spelling(of: whole, among: plain.map(\.path)),
        let name = plain.filter({ $0.path.utf8.elementsEqual(path.utf8) }).map(\.name).min()
      else { return nil }
      return files[name]
    }
  }

  mutating func sound(_ file: String) throws(KitError) -> Sound {
    if let sound = known[file] { return sound }
    let bytes = try read(file)
    let shown = Files.joined(path, PadName.safe(file, atMost: 255, otherwise: "?", keepingSlashes: true))
    let source = SoundFile(bytes)
    var done: [String] = []
    let sound = try Sound(decoding: source, named: shown, byteLimit: budget, notes: &done)
    budget -= sound.byteCountInMemory
    known[file] = sound
    knownMarks[file] = SoundFile.marks(of: bytes)
    notes += done.map { ImportNote(PadName.safe(file, atMost: 255, keepingSlashes: true), $0) }
    return sound
  }

  /// The pitch and loop that a sound's own file states; nil where the file cannot be read.
  mutating func marks(of file: String) -> SoundMarks? {
    if let marks = knownMarks[file] { return marks }
    guard let bytes = try? read(file) else { return nil }
    let marks = SoundFile.marks(of: bytes)
    knownMarks[file] = marks
    return marks
  }
}
