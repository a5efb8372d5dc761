package import JamCore

extension KitWriter {
  /// The result of a kit that was written with its beat levelled.
  package struct Levelled {
    /// As it was written.
    package let description: KitDescription
    /// The beat before; nil where the kit has none, or where nothing had to be changed.
    package let before: BeatLoudness?
    /// The change of all pads' gains, in dB.
    package let change: Double
  }

  /// Writes a kit as `write` does. Where the demo beat is too loud or too soft, all pads' gains are
  /// changed alike, so that `kits check` finds it right, or as far as each pad's peaks allow.
  /// - Throws: `KitError`; the folder is written completely or not at all.
  package static func writeLevelled(
    _ description: KitDescription, _ files: [(name: String, bytes: [UInt8])], to path: String,
    limits: Limits = .standard
  ) throws(KitError) -> Levelled {
    var levelled = Levelled(description: description, before: nil, change: 0)
    try write(files, to: path) { draft throws(KitError) in
      levelled = Self.levelled(description, in: KitFolder(draft), limits)
      let file = Files.joined(draft, KitDescription.fileName)
      try Files.write(levelled.description.json.utf8, to: file)
    }
    return levelled
  }

  /// - Parameter folder: holds the sounds.
  private static func levelled(
    _ description: KitDescription, in folder: KitFolder, _ limits: Limits
  ) -> Levelled {
    let unchanged = Levelled(description: description, before: nil, change: 0)
    guard let kit = try? folder.load(description, limits: limits), let beat = BeatLoudness(of: kit),
      beat.problem != nil
    else { return unchanged }
    let greatest = Double(description.pads.compactMap { $0?.settings.gain }.max() ?? 0)
    let room = max(0, Decibels.levels.upperBound - greatest)
    // Rounded down, so that no peak passes its bound.
    var tenths = Int(saturating: (min(beat.correction, room) * 10).rounded(.down))
    // Loops and effects that the beat does not play stay within what the limiter can take.
    let (others, most) = (peakOutsideBeat(of: kit), Decibels.gain(mostOutside))
    while tenths > 0, others * Decibels.gain(Float(tenths) / 10) > most { tenths -= 1 }
    let change = Double(tenths) / 10
    guard change != 0 else { return unchanged }
    var changed = description
    for index in changed.pads.indices { changed.pads[index]?.turn(by: change) }
    return Levelled(description: changed, before: beat, change: change)
  }

  /// In dBFS.
  private static let mostOutside: Float = 6

  /// The greatest peak, linear, of the pads that the kit's demo beat does not play.
  private static func peakOutsideBeat(of kit: LoadedKit) -> Float {
    let played = Set(DemoBeat(of: kit.kit).hits.map(\.pad))
    var greatest: Float = 0
    for pad in Pad.all where !played.contains(pad) {
      guard let settings = kit.kit[pad]?.settings else { continue }
      for layer in kit.layers(pad) {
        let gain = Decibels.gain(layer.gain) * Decibels.gain(settings.gain)
        for view in layer.sounds.map(\.view) {
          for frame in Range(from: 0, to: Int(view.frameCount)) {
            greatest = max(greatest, gain * max(abs(view.left[frame]), abs(view.right[frame])))
          }
        }
      }
    }
    return greatest
  }
}

extension PadDescription {
  /// Changes the gain, in tenths of dB, within its range.
  fileprivate mutating func turn(by decibels: Double) {
    let wanted = ((Double(settings.gain) + decibels) * 10).rounded() / 10
    settings.gain = Float(min(max(wanted, Decibels.levels.lowerBound), Decibels.levels.upperBound))
  }
}
