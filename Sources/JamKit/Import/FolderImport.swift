import JamCore

/// A folder of sound files as a kit: files in the order of their names on pads 1–16.
struct FolderImport {
  let path: String
  let limits: Limits

  /// - Throws: `KitError` where there is no such folder, or nothing in it that can be read.
  func read() throws(KitError) -> ImportedKit {
    guard Files.isFolder(path), let names = Files.names(in: path) else { throw KitError(path, .noSourceFolder) }
    var kit = ImportedKit(name: PadName.cleaned(KitFolder(path).id))
    var budget = limits.kitBytes
    for name in names.sorted(by: precedesNaturally) {
      let file = Files.joined(path, name)
      guard !Files.isFolder(file) else { continue }
      guard kit.pads.count < Pad.count else {
        kit.leftOut.append(name)
        continue
      }
      do {
        let bytes = try Files.read(file, limit: limits.kitBytes)
        let sound = try Sound(decoding: bytes, named: file, byteLimit: budget)
        budget -= SampleMemory.byteCount(frames: sound.framesAfterResampling, channels: sound.channels)
        kit.pads.append(pad(kit.pads.count + 1, name: name, sound))
      } catch {
        kit.problems.append(budgetError(error))
      }
    }
    guard !kit.pads.isEmpty else { throw KitError(path, .nothingToImport(unread: kit.problems)) }
    chokeHats(of: &kit)
    return kit
  }

  private func pad(_ number: Int, name: String, _ sound: Sound) -> ImportedKit.ImportedPad {
    let cleaned = PadName.cleaned(PadName.stem(of: name))
    let file = "\(number < 10 ? "0" : "")\(number)-\(PadName.slug(cleaned)).flac"
    var description = PadDescription(
      file: file, name: cleaned, category: PadCategory(guessedFrom: PadName.stem(of: name)))
    var sound = sound
    // Whole numbers end at full scale: a louder float source is turned down, and up again by the pad.
    let peak = sound.peak
    if peak > 1 {
      sound.interleaved = sound.interleaved.map { $0 / peak }
      let decibels = (ForgeMath.decibels(Double(peak)) * 10).rounded() / 10
      description.settings.gain = Float(min(decibels, 12))
    }
    return ImportedKit.ImportedPad(description: description, sound: sound, source: name)
  }

  /// An open and a closed hat are one pair of cymbals.
  private func chokeHats(of kit: inout ImportedKit) {
    let hats = kit.pads.indices.filter { kit.pads[$0].description.category == .hat }
    guard hats.count > 1 else { return }
    for hat in hats { kit.pads[hat].description.settings.choke = 1 }
  }

  /// A sound that no longer fits names the kit's limit, not what is left of it.
  private func budgetError(_ error: KitError) -> KitError {
    if case .kitTooLarge = error.reason { return KitError(error.file, .kitTooLarge(limit: limits.kitBytes)) }
    return error
  }
}
