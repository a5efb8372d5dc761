internal import JamCore
internal import JamKit

/// An SFZ file as a sampled instrument: its regions with their keys, velocities, turns and loops.
/// - Source: sfzformat.com, "Opcodes".
struct SFZInstrument {
  let path: String
  let limits: Limits

  func read() throws(KitError) -> ImportedInstrument {
    let file = try SFZFile(path, limits: limits)
    var (files, kit) = (file.files, ImportedKit(name: file.name))
    kit.notes += file.notes(strangers: \.strangersOfKeys)
    let sounding = file.sounding
    let regions = sounding.enumerated().map { index, region in SFZInstrument.region(region, index) }
    guard !regions.isEmpty else { throw KitError(path, .nothingToImport(.sfz, unread: [])) }
    let isBent = sounding.contains { $0.number("pitch_keytrack", in: -1_200...1_200, else: 100) != 100 }
    if isBent {
      kit.notes.append(ImportNote(kit.name, "its pitch_keytrack not carried over: each key has its own pitch"))
    }
    return ImportedInstrument(kit, regions: regions) { index, notes throws(KitError) in
      try SFZInstrument.sound(of: sounding[index], &files, &notes)
    }
  }

  private static func region(_ region: SFZRegion, _ index: Int) -> KeyRegion {
    let isWhole = region.text("loop_mode") == "one_shot" || region.text("loopmode") == "one_shot"
    return KeyRegion(
      keys: region.keys ?? 60...60, center: region.center, tuning: region.tuning,
      low: region.softest, high: region.loudest, gain: region.gain, turn: region.turn(index),
      takesTurns: region.takesTurns,
      // A sound that plays to its end is let go of so slowly that it does.
      release: isWhole
        ? PadSettings.releases.upperBound
        : region.number("ampeg_release").map { min(max($0, 0) * 1_000, PadSettings.releases.upperBound) },
      name: region.text("sample") ?? "a region")
  }

  /// From `offset` to `end`, or to the loop's end, with the loop counted from there.
  private static func sound(
    of region: SFZRegion, _ files: inout ImportFiles, _ notes: inout [String]
  ) throws(KitError) -> (sound: Sound, loop: SoundLoop?) {
    let file = region.sample ?? ""
    let sound = try files.sound(file)
    let (start, end) = region.ends(in: sound)
    guard let frames = region.frames(of: sound) else {
      throw KitError(file, field: "offset", .outOfRange(found: "\(start)", expected: "less than its end, \(end)"))
    }
    let mode = region.loopMode ?? "no_loop"
    let goesRound = mode == "loop_continuous" || mode == "loop_sustain"
    let places = 0.0...1e9
    let first = Int(
      region.number("loop_start", in: places, else: region.number("loopstart", in: places, else: 0)))
    // The last frame is a part of it.
    let last =
      Int(
        region.number(
          "loop_end", in: places, else: region.number("loopend", in: places, else: Double(end - 1)))) + 1
    guard goesRound else { return (sound.part(frames), nil) }
    guard first >= start, last <= end, let loop = SoundLoop(start: first - start, end: last - start) else {
      notes.append("\(file): its loop, \(first)–\(last), does not lie within its frames \(start)–\(end); played once")
      return (sound.part(frames), nil)
    }
    if mode == "loop_sustain" { notes.append("what lies behind its loop is not heard: a key that is let go of fades") }
    return (sound.part(Range(from: start, to: last)), loop)
  }
}
