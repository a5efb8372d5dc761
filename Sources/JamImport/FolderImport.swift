internal import JamCore
internal import JamKit

/// A folder of sound files as a kit: files in the order of their names on pads 1–16.
struct FolderImport {
  let path: String
  let limits: Limits

  /// - Throws: `KitError` where the folder cannot be opened, or nothing in it can be read.
  func read() throws(KitError) -> ImportedKit {
    guard let names = Files.names(in: path) else { throw KitError(path, .noSource) }
    var kit = ImportedKit(name: PadName.cleaned(KitFolder(path).id))
    var budget = limits.kitBytes
    var folders = 0
    for name in names.sorted(by: precedesNaturally) {
      let file = Files.joined(path, name)
      guard !Files.isFolder(file) else {
        folders += 1
        continue
      }
      guard kit.pads.count < Pad.count else {
        kit.leftOut.append(name.printable)
        continue
      }
      do throws(KitError) {
        let bytes = try read(file)
        if let kind = ForeignArchive.kind(of: bytes) { throw KitError(file, .foreignArchive(kind: kind)) }
        let sound = try Sound(decoding: bytes, named: file, byteLimit: budget)
        budget -= sound.byteCountInMemory
        let stem = PadName.stem(of: name)
        kit.add(
          ImportedPad(
            name: PadName.cleaned(stem), category: PadCategory(guessedFrom: stem),
            layers: [ImportedLayer(sounds: [sound])], source: name.printable))
      } catch {
        kit.problems.append(budgetError(error))
      }
    }
    if folders > 0 { kit.problems.append(KitError(path, .subfolders(folders))) }
    guard !kit.pads.isEmpty else { throw KitError(path, .nothingToImport(.folder, unread: kit.problems)) }
    chokeHats(of: &kit)
    return kit
  }

  private func read(_ file: String) throws(KitError) -> [UInt8] {
    do {
      return try Files.read(file, limit: limits.kitBytes)
    } catch {
      // The folder names it: bytes of its name that are no text were replaced, and so it cannot be found.
      if case .noSuchFile = error.reason { throw KitError(file, .badName) }
      throw error
    }
  }

  /// An open and a closed hat are one pair of cymbals.
  private func chokeHats(of kit: inout ImportedKit) {
    let hats = kit.pads.indices.filter { kit.pads[$0].category == .hat }
    guard hats.count > 1 else { return }
    for hat in hats { kit.pads[hat].settings.choke = 1 }
  }

  /// A sound that no longer fits names the kit's limit, not what is left of it.
  private func budgetError(_ error: KitError) -> KitError {
    if case .kitTooLarge = error.reason { return KitError(error.file, .kitTooLarge(limit: limits.kitBytes)) }
    return error
  }
}
