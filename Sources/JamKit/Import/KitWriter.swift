/// Writes an imported kit as a folder.
enum KitWriter {
  /// - Parameter path: the folder to be made; its name becomes the kit's id.
  /// - Throws: `KitError`; the folder is there whole or not at all.
  static func write(_ kit: ImportedKit, to path: String) throws(KitError) {
    let folder = KitFolder(path)
    try check(folder)
    var target = path
    while target.count > 1, target.hasSuffix("/") { target.removeLast() }
    let draft = try Files.makeDraftFolder(beside: target)
    do {
      try fill(draft, with: kit, id: folder.id)
      try Files.move(draft, to: target)
    } catch {
      Files.removeFolder(draft)
      // The draft's name says nothing to anybody.
      let file = error.file.hasPrefix(draft) ? target + error.file.dropFirst(draft.count) : error.file
      throw KitError(file, field: error.field, error.reason)
    }
  }

  private static func fill(_ draft: String, with kit: ImportedKit, id: String) throws(KitError) {
    var description = KitDescription(id: id)
    description.name = kit.name
    description.credits = kit.credits
    for (index, pad) in kit.pads.enumerated() {
      let file = Files.joined(draft, pad.description.file)
      try Files.write(try pad.sound.flac(named: file), to: file)
      description.pads[index] = pad.description
    }
    try Files.write(description.json.utf8, to: Files.joined(draft, KitDescription.fileName))
  }

  /// Whether a kit may be written there; asked before the work starts.
  static func check(_ folder: KitFolder) throws(KitError) {
    guard KitFolder.isID(folder.id) else { throw KitError(folder.path, .badID) }
    if let names = Files.names(in: folder.path), !names.isEmpty { throw KitError(folder.path, .alreadyThere) }
    if Files.exists(folder.path), !Files.isFolder(folder.path) { throw KitError(folder.path, .alreadyThere) }
  }
}
