internal import JamCore
internal import JamKit

/// An SFZ file as a sampled instrument: its regions with their keys, velocities, turns and loops.
/// - Source: sfzformat.com, "Opcodes".
struct SFZInstrument {
  let path: String
  /// The folder that holds the file and its sounds; nil is the file's own folder.
  var root: String?
  let limits: Limits

  func read() throws(KitError) -> ImportedInstrument {
    let file = try SFZFile(path, in: root, limits: limits)
    var (files, kit) = (file.files, ImportedKit(name: file.name))
    kit.notes += file.notes(strangers: \.strangersOfKeys)
    let sounding = file.sounding
    guard !sounding.isEmpty else { throw kit.nothing(.sfz, in: path) }
    let regions = sounding.enumerated().map { index, region in
      SFZInstrument.region(region, index, region.asksSound ? files.marks(of: region.sample ?? "")?.root : nil)
    }
    let isBent = sounding.contains { $0.number("pitch_keytrack", in: -1_200...1_200, else: 100) != 100 }
    if isBent {
      kit.notes.append(ImportNote(kit.name, "its pitch_keytrack not carried over: each key has its own pitch"))
    }
    var instrument = ImportedInstrument(kit, regions: regions) { index, notes throws(KitError) in
      try SFZInstrument.sound(of: sounding[index], &files, &notes)
    }
    instrument.kit.notes += files.notes
    return instrument
  }

  private static func region(_ region: SFZRegion, _ index: Int, _ root: Double?) -> KeyRegion {
    let isWhole = region.loopMode == "one_shot"
    return KeyRegion(
      keys: region.keys ?? 60...60, center: region.center(root), tuning: region.tuning(root),
      low: region.softest, high: region.loudest, gain: region.gain, turn: region.turn(index),
      takesTurns: region.takesTurns,
      // A sound that plays to its end gets such a slow release that it does so even after the key
      // is released.
      release: isWhole
        ? PadSettings.releases.upperBound
        : region.number("ampeg_release").map { min(max($0, 0) * 1_000, PadSettings.releases.upperBound) },
      name: region.text("sample") ?? "a region")
  }

  /// The sound from `offset` to `end`, or to the loop's end, with the loop counted from the sound's
  /// start. Where the SFZ file states no loop, the loop of the sound's own file counts.
  private static func sound(
    of region: SFZRegion, _ files: inout ImportFiles, _ notes: inout [String]
  ) throws(KitError) -> (sound: Sound, loop: SoundLoop?) {
    let file = region.sample ?? ""
    let sound = try files.sound(file)
    let (start, end) = region.ends(in: sound)
    guard let frames = region.frames(of: sound) else {
      throw KitError(file, field: "offset", .outOfRange(found: "\(start)", expected: "less than its end, \(end)"))
    }
    let own = files.marks(of: file)?.loop
    let mode = region.loopMode ?? (own == nil ? "no_loop" : "loop_continuous")
    guard mode == "loop_continuous" || mode == "loop_sustain" else { return (sound.part(frames), nil) }
    let first = region.frame("loop_start") ?? region.frame("loopstart") ?? own?.start ?? 0
    // `+ 1`: SFZ counts the last frame as a part of the loop.
    let last = (region.frame("loop_end") ?? region.frame("loopend")).map { $0 + 1 } ?? own?.end ?? end
    guard let loop = SoundLoop.fitting(first, last, within: frames, of: file, &notes) else {
      return (sound.part(frames), nil)
    }
    if mode == "loop_sustain" { notes.append("what lies behind its loop is not heard: a key that is let go of fades") }
    return (sound.part(Range(from: start, to: start + loop.end)), loop)
  }
}

extension SFZRegion {
  fileprivate func frame(_ opcode: String) -> Int? { number(opcode).map { Int(min(max($0, 0), 1e9)) } }
}
