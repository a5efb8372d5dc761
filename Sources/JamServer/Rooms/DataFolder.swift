import Glibc
package import JamCommand
import JamCore
package import JamKit
import JamStore

/// The folder of `--data`: scores, sounds that people brought along, kits that they saved.
package struct DataFolder: Sendable {
  package let path: String
  /// Keeps other servers out; nil where the file system knows no locks.
  private let lock: FolderLock?

  /// Where sounds and kits lie in a folder of scores. Both are made with the first that is kept.
  package static func sounds(in path: String) -> SoundFolder { SoundFolder("\(path)/sounds") }
  static func rooms(in path: String) -> String { "\(path)/rooms" }
  package static func blocks(in path: String) -> String { "\(path)/blocks" }
  package static func catalogue(in path: String) -> String { "\(path)/projects.db" }
  /// A catalogue that cannot be read makes room for another; its own journal goes with it.
  /// - Returns: whether it is out of the way.
  package static func setCatalogueAside(in path: String) -> Bool {
    let file = catalogue(in: path)
    rename("\(file)-journal", "\(file).damaged-journal")
    return rename(file, "\(file).damaged") == 0
  }

  /// What was played: scores, and sounds that were made of them.
  package static func takes(in path: String) -> String { "\(path)/takes" }
  /// The authority of `--tls auto`, and its key.
  package static func certificates(in path: String) -> String { "\(path)/certificates" }
  package static func kits(in path: String) -> String { "\(path)/kits" }

  /// The folders that hold kits: those of `given` that are named, and the saved ones behind them.
  package static func kitFolders(_ given: [String], and path: String?) -> [String] {
    guard let saved = path.map(DataFolder.kits), access(saved, F_OK) == 0 else { return given }
    return given + [saved]
  }

  /// Makes the folder where it is missing, and keeps other servers out of it.
  package init(_ path: String) throws(StartError) {
    try DataFolder.prepare(path)
    self.path = path
    do throws(FolderLock.Problem) {
      lock = try FolderLock(path)
    } catch {
      guard error == .unsupported else {
        throw StartError(
          "\(path) cannot be used: \(error); end that server, or name another folder with --data DIR", .unavailable)
      }
      lock = nil
    }
  }

  /// Where a server keeps its data that was not told where: `$XDG_STATE_HOME/bandshell`, or `/var/lib/bandshell` as root. Nil where there is
  /// no home.
  package static var standard: String? {
    func value(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    if let state = value("XDG_STATE_HOME") { return "\(state)/bandshell" }
    if geteuid() == 0 { return "/var/lib/bandshell" }
    return value("HOME").map { "\($0)/.local/state/bandshell" }
  }

  /// The folder of `--data`, or the one that there is without it.
  /// - Parameter given: `none` keeps nothing; nil is the standard folder, without which the server plays all the same.
  /// - Returns: the folder, and what to tell where there is none that was not asked for so.
  package static func chosen(_ given: String?) throws(StartError) -> (folder: DataFolder?, warning: String?) {
    if given == "none" { return (nil, nil) }
    if let given { return (try DataFolder(given), nil) }
    guard let standard else { return (nil, "nothing is kept, for there is no home folder: name one with --data DIR") }
    do throws(StartError) {
      try prepare(standard)
    } catch {
      // Nobody asked for it: music goes before keeping it.
      return (nil, "nothing is kept: \(error.text)")
    }
    return (try DataFolder(standard), nil)
  }

  /// What is wrong with it, while it can be used all the same.
  package var warning: String? {
    guard lock == nil else { return openness }
    return "\(path) cannot be locked: see to it that no second server uses it"
  }

  /// What others on this machine may read in it, told once: it was made otherwise, or before this server kept to itself.
  private var openness: String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
    return "others on this machine can look into \(path): chmod -R go-rwx \(path)"
  }

  /// Makes the folder where it is missing, and tries whether a file can be written into it.
  private static func prepare(_ path: String) throws(StartError) {
    guard make(path) else { throw unwritable(path, code: errno) }
    // A file is the only proof: permissions say nothing to root, and nothing of a disk that is mounted read-only.
    var trial = Array("\(path)/.XXXXXX".utf8CString)
    let file = mkstemp(&trial)
    guard file >= 0 else { throw unwritable(path, code: errno) }
    close(file)
    unlink(trial)
  }

  /// With the folders above it that are missing.
  private static func make(_ path: String) -> Bool {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex, make(String(path[..<slash]))
    else { return false }
    return mkdir(path, 0o700) == 0 || errno == EEXIST
  }

  private static func unwritable(_ path: String, code: Int32) -> StartError {
    StartError(
      "nothing can be written into \(path) (\(SystemError.text(code))): name a folder of yours with --data DIR, or keep nothing with --data none",
      .unavailable)
  }
}
