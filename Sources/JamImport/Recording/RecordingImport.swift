internal import JamCore
internal import JamKit

/// One sound file as a kit: cut at its onsets, each piece on a pad. A sound without onsets is cut
/// at its pauses.
struct RecordingImport {
  let path: String
  let limits: Limits

  func read() throws(KitError) -> ImportedKit {
    // The whole recording may be longer than a kit allows, because its pieces are trimmed.
    let source = SoundFile(try Files.read(path, limit: limits.kitBytes))
    var notes: [String] = []
    let sound = try Sound(decoding: source, named: path, byteLimit: limits.kitBytes * 4, notes: &notes)
    let file = String(path.split(separator: "/").last ?? "")
    let stem = PadName.cleaned(PadName.stem(of: file))
    var kit = ImportedKit(name: stem)
    kit.notes = notes.map { ImportNote(file, $0) }
    let starts = starts(in: sound, file, &kit)
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : sound.frames
      let source = seconds(start, of: sound)
      guard kit.pads.count < Pad.count else {
        kit.leftOut.append("the piece at \(source)")
        continue
      }
      // In order: each piece begins behind the one before, and within the sound.
      guard let piece = trimmed(sound.part(start..<end)) else { continue }
      let name = starts.count == 1 ? stem : PadName.numbered(stem, index + 1)
      kit.pads.append(
        ImportedPad(
          name: name, category: PadCategory(guessedFrom: stem), layers: [ImportedLayer(sounds: [piece])], source: source
        ))
    }
    if !kit.pads.isEmpty {
      kit.notes.append(
        ImportNote(file, "each piece is faded in over 1 ms, out over 5 ms, and cut where it is 60 dB below its peak"))
    }
    guard !kit.pads.isEmpty else { throw kit.nothing(.recording, in: path) }
    return kit
  }

  /// The frames at which pieces begin. A sound that swells has no onset. So the sound in front of
  /// the first onset becomes a piece, too, and a note tells it. No sound is lost.
  private func starts(in sound: Sound, _ file: String, _ kit: inout ImportedKit) -> [Int] {
    let detector = OnsetDetector(sound)
    let onsets = detector.onsets()
    let soundings = detector.soundings()
    guard let first = onsets.first else {
      switch soundings.count {
      case 0: break
      case 1: kit.notes.append(ImportNote(file, "no hit found in it: it became one pad, as a whole"))
      default:
        kit.notes.append(ImportNote(file, "no hit found in it: cut where its sound begins after a pause"))
      }
      return soundings.map(\.lowerBound)
    }
    let shortest = OnsetDetector.gapMilliseconds * sound.rate / 1_000
    guard let start = soundings.first?.lowerBound, first - start > shortest else { return onsets }
    kit.notes.append(
      ImportNote(file, "no hit found where it begins: what sounds from \(seconds(start, of: sound)) on is a piece, too")
    )
    return [start] + onsets
  }

  private func seconds(_ frame: Int, of sound: Sound) -> String {
    "\(legible((Double(frame) / Double(sound.rate) * 1_000).rounded() / 1_000)) s"
  }

  /// The piece without its end below −60 dB of its peak, and with soft edges.
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
