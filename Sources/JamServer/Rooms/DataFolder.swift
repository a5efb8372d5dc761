import Glibc
package import JamCommand
import JamCore
package import JamKit
import JamStore

/// The folder of `--data`: scores, rooms, takes, the catalogue, and the sounds, kits and blocks of
/// players.
package struct DataFolder: Sendable {
  package let path: String
  /// Keeps other servers out of the folder; nil where the file system does not support locks.
  private let lock: FolderLock?

  /// The folder of sounds, inside a data folder. It is created with the first sound.
  package static func sounds(in path: String) -> SoundFolder { SoundFolder("\(path)/sounds") }
  static func rooms(in path: String) -> String { "\(path)/rooms" }
  package static func blocks(in path: String) -> String { "\(path)/blocks" }
  package static func catalogue(in path: String) -> String { "\(path)/projects.db" }
  /// Renames a catalogue that cannot be read, and its journal with it, so that a new one can be
  /// created.
  /// - Returns: whether the catalogue's name is free now.
  package static func setCatalogueAside(in path: String) -> Bool {
    let file = catalogue(in: path)
    rename("\(file)-journal", "\(file).damaged-journal")
    return rename(file, "\(file).damaged") == 0
  }

  /// Recorded scores, and the sounds that were made of them.
  package static func takes(in path: String) -> String { "\(path)/takes" }
  /// The certificate authority of `--tls auto`, and its key.
  package static func certificates(in path: String) -> String { "\(path)/certificates" }
  package static func kits(in path: String) -> String { "\(path)/kits" }

  /// The folders that contain kits: those of `given`, and behind them the folder of saved kits
  /// where it exists.
  package static func kitFolders(_ given: [String], and path: String?) -> [String] {
    guard let saved = path.map(DataFolder.kits), access(saved, F_OK) == 0 else { return given }
    return given + [saved]
  }

  /// Creates the folder where it is missing, and locks it against other servers.
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

  /// The data folder of a server that was started without `--data`: `$XDG_STATE_HOME/bandshell`, or
  /// `/var/lib/bandshell` as root. Nil where there is no home folder.
  package static var standard: String? {
    func value(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    if let state = value("XDG_STATE_HOME") { return "\(state)/bandshell" }
    if geteuid() == 0 { return "/var/lib/bandshell" }
    return value("HOME").map { "\($0)/.local/state/bandshell" }
  }

  /// The folder of `--data`, or the standard one.
  /// - Parameter given: `none` keeps nothing; nil is the standard folder. Where the standard folder
  ///   cannot be used, the server plays without one.
  /// - Returns: the folder, and a warning where there is none although nobody asked for `none`.
  package static func chosen(_ given: String?) throws(StartError) -> (folder: DataFolder?, warning: String?) {
    if given == "none" { return (nil, nil) }
    if let given { return (try DataFolder(given), nil) }
    guard let standard else { return (nil, "nothing is kept, for there is no home folder: name one with --data DIR") }
    do throws(StartError) {
      try prepare(standard)
    } catch {
      // Nobody asked for this folder, so the server starts without it: playing matters more than
      // keeping.
      return (nil, "nothing is kept: \(error.text)")
    }
    return (try DataFolder(standard), nil)
  }

  /// A warning about a folder that can be used nevertheless: it has no lock, or others can read it.
  package var warning: String? {
    guard lock == nil else { return openness }
    return "\(path) cannot be locked: see to it that no second server uses it"
  }

  /// Warns where other users of this machine can read the folder: somebody else created it, or an
  /// older server that did not protect it.
  private var openness: String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
    return "others on this machine can look into \(path): chmod -R go-rwx \(path)"
  }

  /// Creates the folder where it is missing, and tries to write a file into it.
  private static func prepare(_ path: String) throws(StartError) {
    guard make(path) else { throw unwritable(path, code: errno) }
    // Only a file proves it. Permissions do not bind root, and say nothing of a disk that is
    // mounted read-only.
    var trial = Array("\(path)/.XXXXXX".utf8CString)
    let file = mkstemp(&trial)
    guard file >= 0 else { throw unwritable(path, code: errno) }
    close(file)
    unlink(trial)
  }

  /// Creates a folder, and the missing folders above it.
  private static func make(_ path: String) -> Bool {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex, make(String(path[..<slash]))
    else { return false }
    return mkdir(path, 0o700) == 0 || errno == EEXIST
  }

  private static func unwritable(_ path: String, code: Int32) -> StartError {
    StartError(
      """
      nothing can be written into \(path) (\(SystemError.text(code))): name a folder of yours with --data DIR, \
      or keep nothing with --data none
      """,
      .unavailable)
  }
}
