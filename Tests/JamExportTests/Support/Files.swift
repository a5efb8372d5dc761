internal import Glibc

/// A folder that is there for one test.
final class Folder: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/jamexport-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
  }

  deinit {
    for name in names { _ = unlink(path + "/" + name) }
    _ = rmdir(path)
  }

  var names: [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  func bytes(_ name: String) -> [UInt8] {
    guard let file = fopen(path + "/" + name, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      if count == 0 { return bytes }
      bytes += piece[..<count]
    }
  }

  func write(_ name: String, _ bytes: [UInt8]) {
    guard let file = fopen(path + "/" + name, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }
}
