internal import Glibc
internal import JamCommand

/// A temporary folder, which is deleted with the last reference.
final class BenchFolder {
  let path: String

  init() throws(ChildProcess.Failure) {
    var name = Array("/tmp/bandshell-bench-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw ChildProcess.Failure(description: "no temporary folder") }
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { BenchFolder.remove(path) }

  static func remove(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) }
        if name != ".", name != ".." { remove("\(path)/\(name)") }
      }
      closedir(folder)
    }
    Glibc.remove(path)
  }
}
