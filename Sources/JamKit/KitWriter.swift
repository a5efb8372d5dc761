/// Writes a kit as a folder.
package enum KitWriter {
  /// - Parameters:
  ///   - files: by name in the kit's folder.
  ///   - path: the folder to be made; its name becomes the kit's id.
  /// - Throws: `KitError`; the folder is there whole or not at all.
  package static func write(
    _ description: KitDescription, _ files: [(name: String, bytes: [UInt8])], to path: String
  ) throws(KitError) {
    try write(files + [(KitDescription.fileName, Array(description.json.utf8))], to: path)
  }

  /// The same of any folder of files.
  static func write(_ files: [(name: String, bytes: [UInt8])], to path: String) throws(KitError) {
    let folder = KitFolder(path)
    try check(folder)
    var target = path
    while target.count > 1, target.hasSuffix("/") { target.removeLast() }
    let folderDraft = try DraftFolder(for: target)
    let draft = folderDraft.path
    do {
      for file in files { try Files.write(file.bytes, to: Files.joined(draft, file.name)) }
      try Files.move(draft, to: target)
    } catch {
      Files.removeFolder(draft)
      // The draft's name says nothing to anybody.
      let file = error.file.hasPrefix(draft) ? target + error.file.dropFirst(draft.count) : error.file
      throw KitError(file, field: error.field, error.reason)
    }
  }

  /// Whether a kit may be written there; asked before the work starts.
  package static func check(_ folder: KitFolder) throws(KitError) {
    guard KitFolder.isID(folder.id) else { throw KitError(folder.path, .badID) }
    if let names = Files.names(in: folder.path), !names.isEmpty { throw KitError(folder.path, .alreadyThere) }
    if Files.exists(folder.path), !Files.isFolder(folder.path) { throw KitError(folder.path, .alreadyThere) }
    let place = Files.parent(of: folder.path)
    guard Files.isFolder(place) else { throw KitError(place, .noPlace) }
  }
}
