internal import JamCore
internal import JamKit

/// A folder of sound files as a kit, or as several: files in the order of their names on pads 1–16.
struct FolderImport {
  let path: String
  let limits: Limits

  /// - Throws: `KitError` where the folder cannot be opened, or nothing in it can be read.
  func read() throws(KitError) -> ImportedKit {
    guard let names = Files.names(in: path) else { throw KitError(path, .noSource) }
    var kit = ImportedKit(name: PadName.cleaned(KitFolder(path).id))
    var budget = limits.kitBytes
    var filled = 0
    var folders = 0
    let sorted = names.sorted(by: precedesNaturally)
    let files = sorted.filter { !Files.isFolder(Files.joined(path, $0)) }
    folders = sorted.count - files.count
    let order = CategorySpread.order(files.map { PadCategory(guessedFrom: PadName.stem(of: $0)) })
    var places: [(place: Int, pad: ImportedPad)] = []
    var leftOut: [Int] = []
    for place in files.count > Pad.count ? order : Array(files.indices) {
      let name = files[place]
      let file = Files.joined(path, name)
      guard places.count < Pad.count * ImportedKit.most else {
        leftOut.append(place)
        continue
      }
      // Each kit has its own memory.
      if places.count.isMultiple(of: Pad.count), places.count > filled {
        filled = places.count
        budget = limits.kitBytes
      }
      do throws(KitError) {
        let bytes = try read(file)
        if let kind = ForeignArchive.kind(of: bytes) { throw KitError(file, .foreignArchive(kind: kind)) }
        // Decoded as floats, which take twice as much as the kit needs for the sound.
        let source = SoundFile(bytes)
        var notes: [String] = []
        let sound = try Sound(decoding: source, named: file, byteLimit: budget * 2, notes: &notes)
        guard sound.byteCountInMemory <= budget else { throw KitError(file, .kitTooLarge(limit: budget)) }
        budget -= sound.byteCountInMemory
        kit.notes += notes.map { ImportNote(name.printable, $0) }
        let stem = PadName.stem(of: name)
        let pad = ImportedPad(
          name: PadName.cleaned(stem), category: PadCategory(guessedFrom: stem),
          layers: [ImportedLayer(sounds: [sound])], source: name.printable)
        if let twin = places.first(where: { $0.pad.soundsLike(pad) })?.pad {
          kit.notes.append(ImportNote(pad.name, "left out: it is the same as \(twin.name)"))
        } else {
          places.append((place, pad))
        }
      } catch {
        kit.problems.append(budgetError(error))
      }
    }
    kit.take(places)
    kit.leftOut = leftOut.sorted().map { files[$0].printable }
    if folders > 0 { kit.problems.append(KitError(path, .subfolders(folders))) }
    guard !kit.pads.isEmpty else { throw kit.nothing(.folder, in: path) }
    kit.chokeHats()
    return kit
  }

  private func read(_ file: String) throws(KitError) -> [UInt8] {
    do {
      return try Files.read(file, limit: limits.kitBytes)
    } catch {
      // The folder lists the name, but its bytes are no valid text. Some were replaced, so the file
      // cannot be found.
      if case .noSuchFile = error.reason { throw KitError(file, .badName) }
      throw error
    }
  }

  /// If a sound no longer fits, the error states the kit's limit, not the rest of it.
  private func budgetError(_ error: KitError) -> KitError {
    if case .kitTooLarge = error.reason { return KitError(error.file, .kitTooLarge(limit: limits.kitBytes)) }
    return error
  }
}
