internal import Glibc

/// Reads and writes keys and certificates as files.
public enum PEMFile {
  private static let mostBytes = 1 << 20

  /// - Returns: nil where the file cannot be read, is not text, or has a megabyte or more.
  public static func read(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: mostBytes) { buffer, count in
      count = fread(buffer.baseAddress, 1, mostBytes, file)
    }
    guard !bytes.isEmpty, bytes.count < mostBytes else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Writes a file that only the server's own user can read. The file is written completely or not
  /// at all.
  static func write(_ text: String, to path: String) throws(TLSProblem) {
    let draft = "\(path).new"
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(path, reason: String(cString: strerror(errno))) }
    let bytes = Array(text.utf8)
    let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
    guard close(descriptor) == 0, isWritten, rename(draft, path) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(draft)
      throw .file(path, reason: reason)
    }
  }
}
