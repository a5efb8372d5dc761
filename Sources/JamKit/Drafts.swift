import Glibc

/// Files and folders that are being written: hidden, named so that they are known again, and locked while
/// somebody writes. What a killed server left behind has no lock, and is swept away at the next start.
///
/// Thread: any that may wait.
public enum Drafts {
  private static let prefix = ".draft-"

  /// For mkstemp(3) and mkdtemp(3).
  static func template(for path: String) -> String {
    let slash = path.lastIndex(of: "/")
    let place = slash.map { path[...$0] } ?? ""
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    return "\(place)\(prefix)\(name).XXXXXX"
  }

  /// Locks it until its descriptor is closed.
  static func claim(_ descriptor: Int32) { _ = flock(descriptor, LOCK_EX | LOCK_NB) }

  /// Removes the drafts in a folder that nobody writes any more.
  /// - Returns: how many there were.
  @discardableResult
  public static func sweep(_ folder: String) -> Int {
    var count = 0
    for name in Files.names(in: folder, hidden: true) ?? [] where isDraft(name) {
      let path = Files.joined(folder, name)
      // A link is followed by nothing here: neither opened nor what it leads to removed.
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
    // As they were named before: `.my-kit.XXXXXX`, `….flac.XXXXXX`, `….json.XXXXXX`. Somebody's `names.json.backup` is
    // none: only marks with a digit and a letter count.
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let mark = parts.last, mark.utf8.count == 6, mark.utf8.allSatisfy({ $0 < 128 }),
      mark.allSatisfy({ $0.isLetter || $0.isNumber }), mark.contains(where: \.isLetter),
      mark.contains(where: \.isNumber)
    else { return false }
    return parts[0].isEmpty ? KitFolder.isID(String(parts[1])) : parts[1] == "flac" || parts[1] == "json"
  }
}

/// A hidden folder for a kit that is not finished yet. It is locked as long as this lives.
struct DraftFolder: ~Copyable {
  let path: String
  private let descriptor: Int32

  /// - Parameter path: what it will be called.
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
