internal import Glibc

/// A file that appears under its name only when it is complete. Until `finish` it is `NAME.part`. A
/// value that is dropped before `finish` removes that file.
///
/// Thread: any one at a time; blocks on the disk.
struct PartFile: ~Copyable {
  let path: String
  private let descriptor: Int32
  private var isClosed = false
  private var isRenamed = false
  /// Bytes written one after the other.
  private(set) var count = 0

  private var partPath: String { path + ".part" }

  /// Creates `NAME.part`, or empties the file that an earlier attempt left.
  init(path: String) throws(ExportError) {
    self.path = path
    descriptor = open(path + ".part", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      let code = errno
      // `deinit` must not remove anything, because there is no file.
      isClosed = true
      isRenamed = true
      throw .file(action: .open, path: path, code: code)
    }
  }

  deinit {
    if !isClosed { _ = close(descriptor) }
    if !isRenamed { _ = unlink(partPath) }
  }

  mutating func write(_ bytes: [UInt8]) throws(ExportError) {
    let code = bytes.withUnsafeBytes { PartFile.writeAll($0, to: descriptor) }
    guard code == 0 else { throw .file(action: .write, path: path, code: code) }
    count += bytes.count
  }

  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(ExportError) {
    let code = PartFile.writeAll(bytes, to: descriptor)
    guard code == 0 else { throw .file(action: .write, path: path, code: code) }
    count += bytes.count
  }

  /// Replaces bytes that are written already. The end of the file stays where it is.
  func overwrite(_ bytes: [UInt8], at place: Int) throws(ExportError) {
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress! + done, $0.count - done, place + done) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw .file(action: .write, path: path, code: written < 0 ? errno : ENOSPC) }
      done += written
    }
  }

  /// Leaves a hole of so many bytes, which reads as zeros.
  mutating func skip(_ bytes: Int) throws(ExportError) {
    guard lseek(descriptor, bytes, SEEK_CUR) >= 0 else { throw .file(action: .write, path: path, code: errno) }
    count += bytes
  }

  /// Removes all bytes from a position on.
  mutating func cut(to bytes: Int) throws(ExportError) {
    guard bytes < count else { return }
    guard ftruncate(descriptor, off_t(bytes)) == 0, lseek(descriptor, off_t(bytes), SEEK_SET) >= 0 else {
      throw .file(action: .write, path: path, code: errno)
    }
    count = bytes
  }

  /// Makes the file durable, and gives it its name.
  consuming func finish() throws(ExportError) {
    // A hole at the end belongs to the file, so its length is set.
    guard ftruncate(descriptor, off_t(count)) == 0, fsync(descriptor) == 0 else {
      throw .file(action: .sync, path: path, code: errno)
    }
    isClosed = true
    guard close(descriptor) == 0 else { throw .file(action: .close, path: path, code: errno) }
    guard rename(partPath, path) == 0 else { throw .file(action: .rename, path: path, code: errno) }
    isRenamed = true
    try syncFolder()
  }

  /// A new name survives a power cut only if its folder was synced too.
  private func syncFolder() throws(ExportError) {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard handle >= 0 else { throw .file(action: .open, path: folder, code: errno) }
    defer { _ = close(handle) }
    // Some file systems cannot sync a folder, and report that.
    guard fsync(handle) == 0 || errno == EINVAL else { throw .file(action: .sync, path: folder, code: errno) }
  }

  /// - Returns: 0, or `errno`.
  private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    guard let memory = bytes.baseAddress else { return 0 }
    var done = 0
    while done < bytes.count {
      let written = Glibc.write(descriptor, memory + done, bytes.count - done)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return written < 0 ? errno : ENOSPC }
      done += written
    }
    return 0
  }
}
