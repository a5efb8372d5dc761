import Glibc

/// Files and folders that are being written. They are hidden, have a name that marks them as
/// drafts, and are locked while somebody writes. A draft that a killed server left behind has no
/// lock; the next start removes it.
///
/// Thread: any that may wait.
public enum Drafts {
  private static let prefix = ".draft-"

  /// The name pattern for mkstemp(3) and mkdtemp(3).
  static func template(for path: String) -> String {
    let slash = path.lastIndex(of: "/")
    let place = slash.map { path[...$0] } ?? ""
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    return "\(place)\(prefix)\(name).XXXXXX"
  }

  /// Locks the draft until its descriptor is closed.
  static func claim(_ descriptor: Int32) { _ = flock(descriptor, LOCK_EX | LOCK_NB) }

  /// Removes the drafts in a folder that no process writes any more.
  /// - Returns: how many there were.
  @discardableResult
  public static func sweep(_ folder: String) -> Int {
    var count = 0
    for name in Files.names(in: folder, hidden: true) ?? [] where isDraft(name) {
      let path = Files.joined(folder, name)
      // `O_NOFOLLOW`: a link is not opened, so neither the link nor its target is removed.
      let draft = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard draft >= 0 else { continue }
      if flock(draft, LOCK_EX | LOCK_NB) == 0 {
        if Files.isFolder(path) { Files.removeFolder(path) } else { Files.remove(path) }
        count += 1
      }
      close(draft)
    }
    return count
  }

  private static func isDraft(_ name: String) -> Bool {
    if name.hasPrefix(prefix) { return true }
    // Names of drafts from earlier versions: `.my-kit.XXXXXX`, `….flac.XXXXXX`, `….json.XXXXXX`.
    // The last part must hold a digit and a letter, so that a user's `names.json.backup` is not
    // taken for a draft.
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let mark = parts.last, mark.utf8.count == 6, mark.utf8.allSatisfy({ $0 < 128 }),
      mark.allSatisfy({ $0.isLetter || $0.isNumber }), mark.contains(where: \.isLetter),
      mark.contains(where: \.isNumber)
    else { return false }
    return parts[0].isEmpty ? KitFolder.isID(String(parts[1])) : parts[1] == "flac" || parts[1] == "json"
  }
}

/// A hidden folder for a kit that is not finished yet. The folder stays locked as long as this
/// value lives.
struct DraftFolder: ~Copyable {
  let path: String
  private let descriptor: Int32

  /// - Parameter path: the final path of the folder.
  init(for path: String) throws(KitError) {
    var template = Array(Drafts.template(for: path).utf8CString)
    guard mkdtemp(&template) != nil else { throw KitError(path, .unwritable(cause: Files.lastError())) }
    self.path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    chmod(self.path, 0o777 & ~Files.withheld)
    descriptor = open(self.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 { Drafts.claim(descriptor) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
