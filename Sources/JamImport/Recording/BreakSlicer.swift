internal import JamCore
internal import JamKit

/// Turns one break into pads, cut at the beginnings of its hits.
struct BreakSlicer {
  let sound: Sound
  let order: KitImporter.SliceOrder
  let source: String

  /// A cut ends a piece in the middle of its sound, so the piece fades out over this time.
  private static let fadeMilliseconds = 3.0
  /// Sound in front of the first hit becomes a piece of its own if it is longer than this.
  private static let pickUpMilliseconds = 60

  private var seconds: Double { Double(sound.frames) / Double(sound.rate) }

  /// - Throws: where nothing in the break is above silence.
  func kit() throws(KitError) -> ImportedKit {
    var kit = ImportedKit(name: PadName.cleaned(order.name))
    kit.category = "breaks"
    kit.credits = order.credits
    let attacks = sound.hits()
    let hits = places(of: attacks)
    guard !hits.isEmpty else { throw KitError(source, .nothingToImport(.recording, unread: [])) }
    let starts = joined(hits, to: order.pads)
    if starts.count < hits.count {
      kit.notes.append(
        ImportNote(
          kit.name, "it has \(hits.count) hits: the closest ones share a pad, so that it fits on \(starts.count)"))
    }
    let beats = beats(&kit, attacks)
    if let beats { kit.bpm = bpm(beats) }
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : sound.frames
      let range = Range(from: start, to: end)
      guard !range.isEmpty else { continue }
      var piece = sound.part(range)
      piece.fadeOut(milliseconds: Self.fadeMilliseconds)
      var pad = ImportedPad(
        name: PadName.numbered(kit.name, index + 1), category: .percussion,
        layers: [ImportedLayer(sounds: [piece])], source: place(start))
      pad.settings.choke = 1
      pad.settings.voices = 1
      if let beats { pad.settings.beats = Float(beats * Double(piece.frames) / Double(sound.frames)) }
      kit.pads.append(pad)
    }
    kit.notes.append(
      ImportNote(
        kit.name, "each piece begins on the frame of its hit, fades over its last 3 ms, and cuts the others off"))
    return kit
  }

  /// The places where pieces begin if there are enough pads.
  private func places(of hits: [Int]) -> [Int] {
    let pickUp = Self.pickUpMilliseconds * sound.rate / 1_000
    guard let begin = OnsetDetector(sound).soundings().first?.lowerBound else { return hits }
    guard let first = hits.first, first - begin <= pickUp else { return [begin] + hits }
    return hits
  }

  /// Joins the shortest pieces to those before them, until there are no more than `most`.
  private func joined(_ starts: [Int], to most: Int) -> [Int] {
    var starts = starts
    while starts.count > max(1, most) {
      let gaps = zip(starts, starts.dropFirst()).map { $1 - $0 }
      // In order: there are two starts at least, and so one gap.
      let shortest = gaps.indices.min { gaps[$0] < gaps[$1] } ?? 0
      starts.remove(at: shortest + 1)
    }
    return starts
  }

  private func beats(_ kit: inout ImportedKit, _ hits: [Int]) -> Double? {
    if let beats = order.beats { return beats }
    let named = BeatGuess.tempo(named: order.name)
    guard let beats = BeatGuess.beats(of: sound, bpm: named, hits: hits) else {
      kit.notes.append(
        ImportNote(kit.name, "its pieces follow no tempo: how many beats it is long is not known; --beats says so"))
      return nil
    }
    let guess = BeatGuess.words(beats, seconds: seconds, isNamed: named != nil)
    kit.notes.append(ImportNote(kit.name, "\(guess); --beats says otherwise"))
    return beats
  }

  /// Nil where it is no tempo that a kit may name.
  private func bpm(_ beats: Double) -> Float? {
    let bpm = (beats * 6_000 / seconds).rounded() / 100
    return Tempo.range.contains(bpm) ? Float(bpm) : nil
  }

  private func place(_ frame: Int) -> String {
    "\(legible((Double(frame) / Double(sound.rate) * 1_000).rounded() / 1_000)) s"
  }
}
