import JamCore

/// Where an importer finds its sounds: a folder, or an archive that was unpacked into memory. Each file is decoded once.
struct ImportFiles {
  private enum Place {
    case folder(KitFolder)
    /// Files by path within `root`.
    case archive([String: [UInt8]], root: String)
  }

  /// What errors name in front of a file's path.
  let path: String
  private let place: Place
  private let limits: Limits
  /// Bytes of memory that are left for decoded sounds: more than a kit may have, because layers can be left out.
  private var budget: Int
  private var known: [String: Sound] = [:]

  init(folder path: String, limits: Limits) {
    self.init(path, .folder(KitFolder(path)), limits)
  }

  init(archive path: String, _ files: [String: [UInt8]], root: String, limits: Limits) {
    self.init(path, .archive(files, root: root), limits)
  }

  private init(_ path: String, _ place: Place, _ limits: Limits) {
    self.path = path
    self.place = place
    self.limits = limits
    budget = limits.kitBytes * 8
  }

  /// - Throws: `KitError` where there is no such file within the folder or archive.
  func read(_ file: String) throws(KitError) -> [UInt8] {
    let shown = Files.joined(path, PadName.safe(file, atMost: 255, otherwise: "?", keepingSlashes: true))
    if let reason = KitFolder.objection(to: file) { throw KitError(shown, reason) }
    switch place {
    case .folder(let folder):
      do {
        return try folder.read(file, limit: limits.kitBytes)
      } catch {
        // Its text speaks of kit.json.
        if case .noSuchFile = error.reason { throw KitError(shown, .noSuchSample) }
        throw KitError(shown, error.reason)
      }
    case .archive(let files, let root):
      guard let bytes = files[root.isEmpty ? file : Files.joined(root, file)] else {
        throw KitError(shown, .noSuchSample)
      }
      return bytes
    }
  }

  mutating func sound(_ file: String) throws(KitError) -> Sound {
    if let sound = known[file] { return sound }
    let bytes = try read(file)
    let shown = Files.joined(path, PadName.safe(file, atMost: 255, otherwise: "?", keepingSlashes: true))
    let sound = try Sound(decoding: bytes, named: shown, byteLimit: budget)
    budget -= sound.byteCountInMemory
    known[file] = sound
    return sound
  }
}
