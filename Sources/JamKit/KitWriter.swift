/// Writes a kit as a folder.
package enum KitWriter {
  /// - Parameters:
  ///   - files: by name in the kit's folder.
  ///   - path: the folder to create; its name becomes the kit's id.
  /// - Throws: `KitError`; the folder is written completely or not at all.
  package static func write(
    _ description: KitDescription, _ files: [(name: String, bytes: [UInt8])], to path: String
  ) throws(KitError) {
    try write(files + [(KitDescription.fileName, Array(description.json.utf8))], to: path)
  }

  /// The same for any folder of files.
  /// - Parameter finish: gets the path of the draft, which holds all files, and may change them.
  static func write(
    _ files: [(name: String, bytes: [UInt8])], to path: String,
    finish: (_ draft: String) throws(KitError) -> Void = { _ throws(KitError) in }
  ) throws(KitError) {
    let folder = KitFolder(path)
    try check(folder)
    var target = path
    while target.count > 1, target.hasSuffix("/") { target.removeLast() }
    let folderDraft = try DraftFolder(for: target)
    let draft = folderDraft.path
    do {
      for file in files { try Files.write(file.bytes, to: Files.joined(draft, file.name)) }
      try finish(draft)
      try Files.move(draft, to: target)
    } catch {
      Files.removeFolder(draft)
      // The error must name the target, because the draft's name means nothing to the user.
      let file = error.file.hasPrefix(draft) ? target + error.file.dropFirst(draft.count) : error.file
      throw KitError(file, field: error.field, error.reason)
    }
  }

  /// Checks that a kit may be written there, before the work starts.
  package static func check(_ folder: KitFolder) throws(KitError) {
    guard KitFolder.isID(folder.id) else { throw KitError(folder.path, .badID) }
    if let names = Files.names(in: folder.path), !names.isEmpty { throw KitError(folder.path, .alreadyThere) }
    if Files.exists(folder.path), !Files.isFolder(folder.path) { throw KitError(folder.path, .alreadyThere) }
    let place = Files.parent(of: folder.path)
    guard Files.isFolder(place) else { throw KitError(place, .noPlace) }
  }
}
