import Glibc

/// Keeps a second server out of a folder. The lock ends with the process, even after a crash.
public final class FolderLock: Sendable {
  public enum Problem: Error, Hashable, CustomStringConvertible {
    /// - Parameter process: the id of the other server's process; 0 where it is not known.
    case taken(process: Int32)
    /// The file system does not support locks.
    case unsupported
    case disk(DiskError)

    public var description: String {
      switch self {
      case .taken(0): "another server uses it"
      case .taken(let process): "another server uses it (process \(process))"
      case .unsupported: "its file system cannot lock files"
      case .disk(let error): "\(error)"
      }
    }
  }

  private let descriptor: Int32

  public init(_ folder: String) throws(Problem) {
    let path = "\(folder)/lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .disk(DiskError("make \(path)", code: errno)) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      defer { close(descriptor) }
      guard code == EWOULDBLOCK else {
        throw [ENOLCK, EOPNOTSUPP, ENOSYS].contains(code)
          ? .unsupported : .disk(DiskError("lock \(path)", code: code))
      }
      var text = [UInt8](repeating: 0, count: 16)
      let count = max(0, pread(descriptor, &text, text.count, 0))
      let process = Int32(String(decoding: text.prefix(count), as: UTF8.self).filter(\.isNumber)) ?? 0
      throw .taken(process: process)
    }
    self.descriptor = descriptor
    // A second server reads this number for its error; nothing else depends on it.
    let process = Array("\(getpid())\n".utf8)
    _ = ftruncate(descriptor, 0)
    _ = pwrite(descriptor, process, process.count, 0)
  }

  deinit { close(descriptor) }
}
