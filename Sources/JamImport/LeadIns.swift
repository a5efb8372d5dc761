internal import JamCore
internal import JamKit

extension ImportedKit {
  /// Notes the sounds that begin with more than 2 ms of silence, which would sound late, and cuts
  /// the silence where that is asked for.
  /// - Parameter trim: whether to cut. All sounds of a pad are cut alike, by the shortest lead-in,
  ///   so that its layers stay together.
  mutating func treatLeadIns(trim: Bool) {
    for index in pads.indices {
      let leads = pads[index].layers.flatMap(\.sounds).compactMap(\.leadIn)
      guard let shortest = leads.min(), shortest > Sound.longestLeadIn else { continue }
      let milliseconds = legible((shortest * 10_000).rounded() / 10)
      guard trim else {
        notes.append(ImportNote(pads[index].name, "begins after \(milliseconds) ms of silence; --trim cuts that"))
        continue
      }
      for layer in pads[index].layers.indices {
        for sound in pads[index].layers[layer].sounds.indices {
          let whole = pads[index].layers[layer].sounds[sound]
          let frames = Int(saturating: (shortest * Double(whole.rate)).rounded())
          guard frames >= 0, frames < whole.frames else { continue }
          pads[index].layers[layer].sounds[sound] = whole.part(Range(from: frames, to: whole.frames))
        }
      }
      notes.append(ImportNote(pads[index].name, "\(milliseconds) ms of silence cut from its beginning"))
    }
  }
}

extension Sound {
  /// Seconds.
  fileprivate static let longestLeadIn = 0.002

  /// Seconds before the first frame that is above a thousandth of the peak; nil in silence.
  fileprivate var leadIn: Double? {
    guard peak >= 1e-4 else { return nil }
    let threshold = peak * 0.001
    return interleaved.firstIndex { abs($0) > threshold }.map { Double($0 / channels) / Double(rate) }
  }
}
