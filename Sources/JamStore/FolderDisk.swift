import Glibc

extension DiskError {
  static func text(_ code: Int32) -> String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}

/// A folder of the file system. It is created with its first file, and other users of the machine
/// cannot read it.
public struct FolderDisk: Disk {
  public let path: String

  public init(_ path: String) { self.path = path }

  private func file(_ name: String) -> String { "\(path)/\(name)" }

  public func names() throws(DiskError) -> [String] {
    guard let folder = opendir(path) else {
      if errno == ENOENT { return [] }
      throw DiskError("look into \(path)", code: errno)
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  public func read(_ name: String) throws(DiskError) -> [UInt8] {
    let descriptor = open(file(name), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw DiskError("read \(file(name))", code: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw DiskError("read \(file(name))", code: errno) }
    var bytes = [UInt8](repeating: 0, count: max(0, Int(status.st_size)))
    var count = 0
    while count < bytes.count {
      let part = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + count, $0.count - count) }
      if part < 0, errno == EINTR { continue }
      guard part >= 0 else { throw DiskError("read \(file(name))", code: errno) }
      if part == 0 { break }
      count += part
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  public func create(_ name: String) throws(DiskError) -> any DiskFile {
    try makeFolder(path)
    let descriptor = open(file(name), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DiskError("make \(file(name))", code: errno) }
    return FolderFile(descriptor, path: file(name))
  }

  /// Creates a folder, and the missing folders above it. The parent of each new one is synced, so
  /// that the folder survives a loss of power.
  private func makeFolder(_ path: String) throws(DiskError) {
    if mkdir(path, 0o700) == 0 { return syncParent(of: path) }
    if errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw DiskError("make the folder \(path)", code: errno)
    }
    try makeFolder(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw DiskError("make the folder \(path)", code: errno) }
    syncParent(of: path)
  }

  /// Where the parent cannot be synced, a loss of power may remove the folder. Nothing better can
  /// be done.
  private func syncParent(of path: String) {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
    let descriptor = open(String(path[..<slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  public func rename(_ name: String, to new: String) throws(DiskError) {
    guard Glibc.rename(file(name), file(new)) == 0 else { throw DiskError("name \(file(new))", code: errno) }
  }

  public func remove(_ name: String) throws(DiskError) {
    guard unlink(file(name)) == 0 || errno == ENOENT else { throw DiskError("remove \(file(name))", code: errno) }
  }

  public func syncFolder() throws(DiskError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw DiskError("sync \(path)", code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw DiskError("sync \(path)", code: errno) }
  }
}

/// Thread: one thread may append while another one syncs. The kernel allows that.
private final class FolderFile: DiskFile {
  private let descriptor: Int32
  private let path: String

  init(_ descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  func append(_ bytes: [UInt8]) throws(DiskError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, $0.count - written) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw DiskError("write \(path)", code: count < 0 ? errno : EIO) }
      written += count
    }
  }

  func sync() throws(DiskError) {
    guard fdatasync(descriptor) == 0 else { throw DiskError("sync \(path)", code: errno) }
  }
}
