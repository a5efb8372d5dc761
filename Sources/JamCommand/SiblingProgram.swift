internal import Glibc

/// A program of this project in the same folder as this one.
public enum SiblingProgram: String {
  case bandshell
  case bench = "bandshell-bench"

  /// The path of the program; nil where there is none that can be run.
  public var path: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard length > 0 else { return nil }
    let own = String(decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard let slash = own.lastIndex(of: "/") else { return nil }
    let path = own[...slash] + rawValue
    return access(String(path), X_OK) == 0 ? String(path) : nil
  }
}
