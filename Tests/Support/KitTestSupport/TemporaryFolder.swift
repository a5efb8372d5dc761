internal import Glibc
internal import JamKit

/// A folder that goes away with its last reference.
package final class TemporaryFolder {
  package let path: String

  package init() throws {
    var template = Array("/tmp/jamkit-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw KitError("/tmp", .unwritable(cause: Files.lastError())) }
    path = String(cString: made)
  }

  deinit { Self.remove(path) }

  package func write(_ bytes: some Collection<UInt8>, to name: String) throws {
    var folder = path
    for part in name.split(separator: "/").dropLast() {
      folder += "/" + part
      try Files.makeFolder(folder)
    }
    try Files.write(bytes, to: path + "/" + name)
  }

  package func write(_ text: String, to name: String) throws { try write(text.utf8, to: name) }

  /// A kit with one pad for each of `sounds`, in order.
  package func writeKit(_ id: String, sounds: [(file: String, bytes: [UInt8])]) throws {
    let pads = sounds.enumerated().map { index, sound in
      #"{ "pad": \#(index + 1), "file": "\#(sound.file)", "name": "Sound \#(index + 1)" }"#
    }
    try write(#"{ "format": 1, "name": "Kit", "pads": [\#(pads.joined(separator: ","))] }"#, to: "\(id)/kit.json")
    for sound in sounds { try write(sound.bytes, to: "\(id)/\(sound.file)") }
  }

  /// The names in the folder, drafts and other hidden ones too.
  package var everything: [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  private static func remove(_ path: String) {
    var status = stat()
    // A link is removed, not followed.
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      for name in (Files.names(in: path) ?? []) + [".hidden"] { remove(path + "/" + name) }
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}
