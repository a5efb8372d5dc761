import Glibc

/// The file system calls that kits need. Thread: any; not real-time safe.
package enum Files {
  package static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// The folder of a path. The path may end with slashes. `.` for a path of one part.
  package static func parent(of path: String) -> String {
    var rest = path[...]
    while rest.count > 1, rest.hasSuffix("/") { rest.removeLast() }
    guard let slash = rest.lastIndex(of: "/") else { return "." }
    return slash == rest.startIndex ? "/" : String(rest[..<slash])
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The size in bytes; nil where nothing is at the path.
  static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The path without links and dots; nil where nothing is at the path.
  static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The names in a folder, in no particular order; nil where the folder cannot be opened.
  /// - Parameter hidden: also include the names that begin with a dot.
  package static func names(in folder: String, hidden: Bool = false) -> [String]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if hidden ? name != "." && name != ".." : !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// The whole content of a regular file.
  /// - Parameters:
  ///   - shown: the path that errors name, where it is not `path`.
  ///   - limit: the largest size in bytes that is accepted.
  ///   - count: the most bytes that are read, from the beginning of the file.
  package static func read(
    _ path: String, named shown: String? = nil, limit: Int, atMost count: Int = .max
  ) throws(KitError) -> [UInt8] {
    let shown = shown ?? path
    // Non-blocking, so that a named pipe cannot hang the opening.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      throw KitError(shown, errno == ENOENT ? .noSuchFile : .unreadable(cause: lastError()))
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw KitError(shown, .unreadable(cause: lastError())) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw KitError(shown, .notAFile) }
    guard status.st_size <= limit else { throw KitError(shown, .tooLarge(limit: limit)) }
    var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), count))
    var filled = 0
    while filled < bytes.count {
      let got = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + filled, $0.count - filled) }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw KitError(shown, .unreadable(cause: lastError())) }
      if got == 0 { break }
      filled += got
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }

  /// Writes a new file beside `path` and renames it to `path`, so that nobody ever sees half of a
  /// file, also after a loss of power.
  /// - Parameter isPrivate: nobody else on the machine may read the file.
  package static func write(
    _ bytes: some Collection<UInt8>, to path: String, isPrivate: Bool = false
  ) throws(KitError) {
    var template = Array(Drafts.template(for: path).utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw KitError(path, .unwritable(cause: lastError())) }
    Drafts.claim(file)
    let draft = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    fchmod(file, isPrivate ? 0o600 : 0o666 & ~withheld)
    let bytes = Array(bytes)
    var written = 0
    var failure: String?
    while written < bytes.count, failure == nil {
      let put = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + written, $0.count - written) }
      if put < 0, errno != EINTR { failure = lastError() }
      written += max(put, 0)
    }
    if failure == nil, fdatasync(file) != 0 { failure = lastError() }
    if failure == nil, rename(draft, path) != 0 { failure = lastError() }
    // The kernel may report a full disk only when the file is closed.
    if close(file) != 0, failure == nil { failure = lastError() }
    if failure == nil { sync(folder: parent(of: path)) }
    if let failure {
      unlink(draft)
      throw KitError(path, .unwritable(cause: failure))
    }
  }

  package static func makeFolder(_ path: String) throws(KitError) {
    if mkdir(path, 0o755) != 0, errno != EEXIST || !isFolder(path) {
      throw KitError(path, .unwritable(cause: lastError()))
    }
  }

  /// Makes the names in a folder survive a loss of power. Errors are ignored: some file systems
  /// cannot sync a folder, and there is no better way.
  static func sync(folder path: String) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// The process's umask, which `mkstemp` and `mkdtemp` ignore. A server withholds everything from
  /// others.
  static let withheld: mode_t = {
    // The umask can only be read by setting it. A file that another thread creates in between is
    // closed to others.
    let mask = umask(0o077)
    umask(mask)
    return mask
  }()

  static func remove(_ path: String) { unlink(path) }

  /// Removes a folder with everything in it. Links are removed, and not followed.
  static func removeFolder(_ path: String) {
    for name in names(in: path, hidden: true) ?? [] {
      let entry = joined(path, name)
      // A link to a folder is unlinked like a file, so only folders themselves are entered.
      if unlink(entry) != 0, isFolder(entry) { removeFolder(entry) }
    }
    rmdir(path)
  }

  /// Renames a finished folder to its final path. An empty folder at that path is replaced.
  static func move(_ folder: String, to path: String) throws(KitError) {
    guard rename(folder, path) == 0 else { throw KitError(path, .unwritable(cause: lastError())) }
    sync(folder: parent(of: path))
  }

  package static func lastError() -> String { String(cString: strerror(errno)) }
}
