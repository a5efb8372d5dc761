internal import JamCore
internal import JamKit

/// Where an importer finds its sounds: a folder, or an archive that was unpacked into memory. Each file is decoded once. A file whose
/// name differs in capitals alone is found, too: many instruments were made where that makes no difference.
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
        return try folder.read(Self.spelled(file, in: folder.path), limit: limits.kitBytes)
      } catch {
        // Its text speaks of kit.json.
        if case .noSuchFile = error.reason { throw KitError(shown, .noSuchSample) }
        throw KitError(shown, error.reason)
      }
    case .archive(let files, let root):
      let whole = root.isEmpty ? file : Files.joined(root, file)
      if let bytes = files[whole] { return bytes }
      let wanted = whole.lowercased()
      guard let name = files.keys.filter({ $0.lowercased() == wanted }).min(), let bytes = files[name] else {
        throw KitError(shown, .noSuchSample)
      }
      return bytes
    }
  }

  /// `file` with the capitals that its folders' names have; as it is, where nothing is called so.
  private static func spelled(_ file: String, in folder: String) -> String {
    guard !Files.exists(Files.joined(folder, file)) else { return file }
    var found: [String] = []
    for part in file.split(separator: "/").map({ String($0) }) where part != "." {
      let names = Files.names(in: ([folder] + found).joined(separator: "/")) ?? []
      let wanted = part.lowercased()
      guard let name = names.contains(part) ? part : names.filter({ $0.lowercased() == wanted }).min() else {
        return file
      }
      found.append(name)
    }
    return found.joined(separator: "/")
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
