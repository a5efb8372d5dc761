import Glibc

/// A path of its own for a test, removed at the end.
final class TemporaryFile {
  let path: String

  init(_ suffix: String) {
    var name = Array("/tmp/bandshell-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    precondition(descriptor >= 0)
    close(descriptor)
    let made = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    unlink(made)
    path = made + suffix
  }

  deinit { unlink(path) }

  /// The file's content as machine-order floats.
  var floats: [Float] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var result: [Float] = []
    var chunk = [Float](repeating: 0, count: 4_096)
    while true {
      let count = fread(&chunk, 4, chunk.count, file)
      guard count > 0 else { return result }
      result += chunk[0..<count]
    }
  }
}
