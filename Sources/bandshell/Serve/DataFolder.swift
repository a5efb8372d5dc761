import Glibc
import JamCommand
import JamCore
import JamKit
import JamStore

/// The folder of `--data`: scores, sounds that people brought along, kits that they saved.
struct DataFolder: Sendable {
  let path: String
  /// Keeps other servers out; nil where the file system knows no locks.
  private let lock: FolderLock?

  /// Where sounds and kits lie in a folder of scores. Both are made with the first that is kept.
  static func sounds(in path: String) -> SoundFolder { SoundFolder("\(path)/sounds") }
  static func rooms(in path: String) -> String { "\(path)/rooms" }
  static func blocks(in path: String) -> String { "\(path)/blocks" }
  static func kits(in path: String) -> String { "\(path)/kits" }

  /// The folders that hold kits: those of `given` that are named, and the saved ones behind them.
  static func kitFolders(_ given: [String], and path: String?) -> [String] {
    guard let saved = path.map(DataFolder.kits), access(saved, F_OK) == 0 else { return given }
    return given + [saved]
  }

  /// Makes the folder where it is missing, and tries whether a file can be written into it.
  init(_ path: String) throws(StartError) {
    self.path = path
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw DataFolder.unwritable(path, code: errno) }
    // A file is the only proof: permissions say nothing to root, and nothing of a disk that is mounted read-only.
    var trial = Array("\(path)/.XXXXXX".utf8CString)
    let file = mkstemp(&trial)
    guard file >= 0 else { throw DataFolder.unwritable(path, code: errno) }
    close(file)
    unlink(trial)
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

  /// What is wrong with it, while it can be used all the same.
  var warning: String? {
    guard lock == nil else { return openness }
    return "\(path) cannot be locked: see to it that no second server uses it"
  }

  /// What others on this machine may read in it, told once: it was made otherwise, or before this server kept to itself.
  private var openness: String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
    return "others on this machine can look into \(path): chmod -R go-rwx \(path)"
  }

  /// Where a room's score goes: a file of its own for each start.
  func score(of room: PlayerName, at start: time_t) -> String {
    var start = start
    var date = tm()
    localtime_r(&start, &date)
    var stamp = [CChar](repeating: 0, count: 32)
    strftime(&stamp, stamp.count, "%Y-%m-%d-%H%M%S", &date)
    let text = String(decoding: stamp.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return "\(path)/\(room)-\(text).score"
  }

  private static func unwritable(_ path: String, code: Int32) -> StartError {
    StartError(
      "no score can be written into \(path) (\(SystemError.text(code))): name a folder of yours with --data DIR",
      .unavailable)
  }
}
