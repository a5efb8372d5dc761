import JamCore

/// One sound file as a kit: cut at its onsets, each piece on a pad.
struct RecordingImport {
  let path: String
  let limits: Limits

  func read() throws(KitError) -> ImportedKit {
    // The whole may be longer than a kit: its pieces are trimmed.
    let sound = try Sound(
      decoding: Files.read(path, limit: limits.kitBytes), named: path, byteLimit: limits.kitBytes * 4)
    let stem = PadName.cleaned(PadName.stem(of: String(path.split(separator: "/").last ?? "")))
    var kit = ImportedKit(name: stem)
    let onsets = OnsetDetector(sound).onsets()
    for (index, start) in onsets.enumerated() {
      let end = index + 1 < onsets.count ? onsets[index + 1] : sound.frames
      let source = "\(legible((Double(start) / Double(sound.rate) * 1_000).rounded() / 1_000)) s"
      guard kit.pads.count < Pad.count else {
        kit.leftOut.append("the piece at \(source)")
        continue
      }
      guard let piece = trimmed(sound.part(start..<end)) else { continue }
      let name = onsets.count == 1 ? stem : PadName.numbered(stem, index + 1)
      kit.pads.append(
        ImportedPad(
          name: name, category: PadCategory(guessedFrom: stem), layers: [ImportedLayer(sounds: [piece])], source: source
        ))
    }
    guard !kit.pads.isEmpty else { throw KitError(path, .nothingToImport(.recording, unread: [])) }
    return kit
  }

  /// Without what is 60 dB below its peak at its end, and with soft edges.
  private func trimmed(_ piece: Sound) -> Sound? {
    let threshold = max(piece.peak * 0.001, 1e-5)
    guard let last = piece.interleaved.lastIndex(where: { abs($0) > threshold }) else { return nil }
    // Room for the fade.
    let frames = min(piece.frames, last / piece.channels + 1 + piece.rate / 200)
    var piece = piece.part(0..<frames)
    piece.fadeIn(milliseconds: 1)
    piece.fadeOut(milliseconds: 5)
    return piece
  }
}
