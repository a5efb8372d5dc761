internal import NIOCore

/// The page's service worker, `service-worker.js`, which opens the page while the server is out of
/// reach. The server writes a line in front of it that names all files of the page. So a server
/// with other files has another worker, and browsers replace the old one.
enum PageWorker {
  static let path = "/service-worker.js"

  /// The files, with that line in front of the worker.
  static func told(of files: [Asset]) -> [Asset] {
    let line = list(of: files.filter { $0.path != path })
    return files.map { file in
      guard file.path == path else { return file }
      let bytes = Array(line.utf8) + file.bytes.readableBytesView
      return Asset(path: path, contentType: file.contentType, bytes: bytes)
    }
  }

  /// `self.FILES` is each file's path with the hash of its bytes, `self.VERSION` the hash of all.
  static func list(of files: [Asset]) -> String {
    let entries = files.map { "\"\($0.path)\": \($0.tag)" }.sorted().joined(separator: ", ")
    return "self.FILES = {\(entries)}; self.VERSION = \(Asset.tag(of: Array(entries.utf8)));\n"
  }
}
