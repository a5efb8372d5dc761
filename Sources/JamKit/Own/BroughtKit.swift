/// Kits that travel from one server to another, file by file.
///
/// Thread: any that may wait.
extension KitFolder {
  /// A kit's files together, and how many there may be.
  private static let mostBytes = 256 << 20
  private static let mostFiles = 512

  /// Its files, by their names. Folders in it are left out.
  public func files() throws(KitError) -> [String: [UInt8]] {
    guard let names = Files.names(in: path) else { throw KitError(path, .unreadable(cause: Files.lastError())) }
    var files: [String: [UInt8]] = [:]
    var left = KitFolder.mostBytes
    for name in names.sorted().prefix(KitFolder.mostFiles) where !Files.isFolder(Files.joined(path, name)) {
      let bytes = try read(name, limit: left)
      left -= bytes.count
      files[name] = bytes
    }
    return files
  }

  /// Writes a kit's files into a new folder in `parent`, whole or not at all.
  /// - Throws: also where it is no kit that can be played.
  public static func write(_ files: [String: [UInt8]], as id: String, in parent: String) throws(KitError) -> KitFolder {
    let path = Files.joined(parent, id)
    guard isID(id) else { throw KitError(path, .badID) }
    guard files[KitDescription.fileName] != nil, files.count <= mostFiles else { throw KitError(path, .noKit) }
    try Files.makeFolder(parent)
    let draft = try DraftFolder(for: path)
    do throws(KitError) {
      for (name, bytes) in files {
        // What came from elsewhere may name any path.
        guard !name.contains("/"), !name.hasPrefix(".") else { throw KitError(path, .leavesFolder(path: name)) }
        try Files.write(bytes, to: Files.joined(draft.path, name))
      }
      let description = KitFolder(draft.path).readDescription().problems.first { $0.reason != .badID }
      if let description { throw KitError(id, description.reason) }
      try Files.move(draft.path, to: path)
    } catch {
      Files.removeFolder(draft.path)
      throw error
    }
    Files.sync(folder: parent)
    return KitFolder(path)
  }
}
