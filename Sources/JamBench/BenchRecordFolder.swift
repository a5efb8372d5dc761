internal import Glibc
internal import JamCommand

/// The folder for records.
struct BenchRecordFolder {
  /// The path in the project's folder.
  static let standard = "docs/bench/records"
  let path: String

  enum Failure: Error, CustomStringConvertible {
    case noFolder(String)
    case notRelease
    case notWritten(String, code: Int32)

    var description: String {
      switch self {
      case .noFolder(BenchRecordFolder.standard):
        """
        there is no folder \(BenchRecordFolder.standard) here: run it in the project's folder, \
        by make bench ARGS=--record, or name another folder by --record-into
        """
      case .noFolder(let path): "there is no folder \(path) that can be written: --record-into takes one that is there"
      case .notRelease:
        """
        this program is built for debugging or for tests, so its figures are not recorded: \
        run make bench ARGS=--record
        """
      case .notWritten(let path, let code): "\(path) cannot be written: \(SystemError.text(code))"
      }
    }
  }

  init(_ path: String) throws(Failure) {
    var entry = stat()
    guard stat(path, &entry) == 0, entry.st_mode & S_IFMT == S_IFDIR, access(path, W_OK | X_OK) == 0 else {
      throw .noFolder(path)
    }
    self.path = path
  }

  /// - Returns: the path of the new file.
  func write(_ record: BenchRecord) throws(Failure) -> String {
    let path = "\(path)/\(record.fileName)"
    guard let file = fopen(path, "wx") else { throw .notWritten(path, code: errno) }
    let bytes = Array(record.json.utf8)
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    let code = errno
    guard fclose(file) == 0, isWritten else { throw .notWritten(path, code: isWritten ? errno : code) }
    return path
  }
}
