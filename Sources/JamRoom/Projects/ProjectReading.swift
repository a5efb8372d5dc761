internal import JamCore
internal import JamEngine

/// A project's items, read into what they are. One that cannot be read is left out and told.
struct ProjectReading {
  private(set) var music = ProjectMusic()
  private(set) var problems: [String] = []
  private let sounds: KeptSounds

  init(_ items: [KeptItem], _ sounds: KeptSounds) {
    self.sounds = sounds
    let rows = Dictionary(items.map { ($0.name, $0.values) }) { $1 }
    if let measures = read(rows["project"], "project", { r throws(KeptError) in try r.take(Int.self) }),
      OpenProject.measuresRange.contains(measures)
    {
      music.measures = measures
    }
    if let clock = read(
      rows["clock"], "clock",
      { r throws(KeptError) in
        (tempo: try r.take(Tempo.self), signature: try r.take(TimeSignature.self), swing: try r.take(Float.self))
      })
    {
      (music.tempo, music.signature) = (clock.tempo, clock.signature)
      music.swing = min(max(clock.swing, GridLines.swingRange.lowerBound), GridLines.swingRange.upperBound)
    }
    if let row = rows["key"], let key = read(row, "key", { r throws(KeptError) in try r.take(MusicalKey.self) }) {
      music.key = key
    }
    if let row = rows["effects"] {
      music.effects = RoomEffectSettings(
        read(row, "effects") { r throws(KeptError) in try r.takeSettings() } ?? [])
    }
    if let row = rows["scenes"] {
      music.scenes = SceneBook(read(row, "scenes") { r throws(KeptError) in try r.take([SceneBook.Entry].self) } ?? [])
    }
    for number in 0..<Limits.standard.playersPerRoom {
      guard let row = rows["part/\(number)"] else { continue }
      guard var part = part(row, rows["part/\(number)/music"], number) else { continue }
      part.definitions = sounds.definitions
      if let row = rows["part/\(number)/loans"] {
        let loans = read(row, "part/\(number)/loans") { r throws(KeptError) in
          try r.take([KeptLoan].self)
        }
        part.music.loop.putLoans(loans ?? [])
      }
      if let row = rows["part/\(number)/settings"] {
        part.settings =
          read(row, "part/\(number)/settings") { r throws(KeptError) in try r.takeSettings() } ?? []
        part.settings.removeAll { kept in
          !Player.partSettings.contains(kept.setting) || kept.setting.row.kind.nearest(kept.value) != kept.value
        }
      }
      music.sequence = max(music.sequence, UInt64(clamping: part.definitions.keys.max() ?? 0))
      music.parts.append(part)
    }
  }

  private mutating func part(_ row: [KeptValue], _ music: [KeptValue]?, _ number: Int) -> ProjectPart? {
    let sounds = sounds
    sounds.begin(PlayerID(index: UInt8(number)))
    let checkpoint = read(music, "part/\(number)/music") { r throws(KeptError) in
      let checkpoint = try r.take(Checkpoint.self)
      guard checkpoint.isPossible, sounds.numbers.greatest <= Int(UInt32.max), sounds.numbers.least >= 0 else {
        throw KeptError.unexpected(.integer(Int64(number)))
      }
      return checkpoint
    }
    guard let checkpoint else { return nil }
    return read(row, "part/\(number)") { r throws(KeptError) in
      let (name, gain, isMuted) = (try r.take(PlayerName.self), try r.take(Float.self), try r.take(Bool.self))
      let (hostGain, isMutedByHost, bars) = (try r.take(Float.self), try r.take(Bool.self), try r.take(Int.self))
      let levels = Setting.gain
      guard levels.allows(.float(gain)), levels.allows(.float(hostGain)) else {
        throw KeptError.unexpected(.number(gain))
      }
      return ProjectPart(
        name: name, gain: gain, isMuted: isMuted, hostGain: hostGain, isMutedByHost: isMutedByHost,
        bars: OpenProject.measuresRange.contains(bars) ? bars : OpenProject.standardMeasures, music: checkpoint)
    }
  }

  private mutating func read<Thing>(
    _ row: [KeptValue]?, _ name: String, _ body: (inout KeptReader) throws(KeptError) -> Thing
  ) -> Thing? {
    guard let row else {
      problems.append("\(name) is missing")
      return nil
    }
    var reader = KeptReader(row, sounds)
    do throws(KeptError) {
      return try body(&reader)
    } catch {
      problems.append("\(name): \(error)")
      return nil
    }
  }

  /// The sounds that its hits have, once it was read.
  var hitSounds: Set<VoicedSound> { sounds.wanted }
  var kits: Set<String> { Set(music.parts.map(\.music.kit.kit)) }
  /// The instruments of the keys.
  var instruments: Set<String> { KeptSetting.instruments(in: music.parts.flatMap(\.settings)) }
  var padSamples: Set<SampleID> { Set(music.parts.flatMap { $0.music.kit.pads.map(\.sample) }) }
  /// The sounds that the blocks in lanes name. Those of hits that were played are in `hitSounds`,
  /// too.
  var blockSamples: Set<SampleID> {
    let slots = music.parts.flatMap { $0.music.lanes.flatMap { $0.slots.compactMap { $0 } } }
    var samples: Set<SampleID> = []
    for hit in slots.flatMap(\.block.hits) {
      if case .voicing(let voicing) = hit.sound { samples.insert(voicing.sample) }
    }
    return samples
  }
  /// Of pads, hits, and blocks.
  var samples: Set<SampleID> { padSamples.union(hitSounds.map(\.sample)) }
}
