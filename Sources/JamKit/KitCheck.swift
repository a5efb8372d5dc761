public import JamCore

/// Checks a kit completely: its `kit.json`, every sound, and the level of its demo beat.
public enum KitCheck {
  /// Everything that is wrong with the kit in `folder`; empty where all is well.
  /// - Thread: any; decodes every sound, not real-time safe.
  public static func problems(of folder: KitFolder, limits: Limits = .standard) -> [KitError] {
    let description = folder.readDescription()
    var problems = description.problems + description.remarks
    let place = SoundSource(folder, description.pack)
    // The sounds are not installed, so nothing more can be checked.
    if let problem = place.problem(with: description), place.folder == nil { return problems + [problem] }
    let json = Files.joined(folder.path, KitDescription.fileName)
    var contents: [String: ContentHash] = [:]
    var bytes: [ContentHash: Int] = [:]
    let mentions = Dictionary(grouping: description.mentions, by: \.file)
    for file in description.mentions.map(\.file)
    where !file.isEmpty && KitFolder.objection(to: file) == nil && contents[file] == nil {
      let sound = look(at: file, in: place, limits: limits)
      let here = mentions[file] ?? []
      let isLoop = !here.isEmpty && here.allSatisfy(\.loops)
      problems += sound.problems.filter { !(isLoop && $0.reason == .click(atEnd: true)) }.map {
        KitError($0.file, field: SoundMention.places(here), $0.reason)
      }
      if let frames = sound.frames {
        problems += late(here, frames: frames, file: json)
      }
      // The content is unknown. The hash of the path stands for it, so that no other sound seems to
      // be the same.
      let content = sound.content ?? Array(file.utf8).withUnsafeBytes { ContentHash($0) }
      contents[file] = content
      bytes[content] = sound.byteCount
    }
    problems += keys(of: description, file: json)
    problems += duplicates(among: description, contents, file: json)
    // A problem of the whole kit, not of one sound.
    if bytes.values.reduce(0, +) > limits.kitBytes {
      problems.append(KitError(folder.path, .kitTooLarge(limit: limits.kitBytes)))
    }
    if problems.isEmpty {
      do {
        let beat = BeatLoudness(of: try folder.load(limits: limits))
        if let reason = beat?.problem {
          problems.append(KitError(json, field: "demo beat", reason))
        }
      } catch { problems.append(error) }
    }
    return problems
  }

  private static func look(
    at file: String, in place: SoundSource, limits: Limits
  ) -> (problems: [KitError], content: ContentHash?, byteCount: Int, frames: Int?) {
    let shown = place.shown(file)
    do {
      let bytes = try place.read(file, limit: limits.kitBytes)
      let sound = try Sound(decoding: bytes, named: shown, byteLimit: limits.kitBytes * 2, keeping: .none)
      // The sounds of a package are read-only, so the author of a kit cannot repair them.
      let faults = place.pack == nil ? SoundMeasure.faults(of: sound).map { KitError(shown, $0) } : []
      return (
        faults, bytes.withUnsafeBytes { ContentHash($0) },
        SampleMemory.leastByteCount(frames: sound.frames, channels: sound.channels), sound.frames
      )
    } catch {
      return ([error], nil, 0, nil)
    }
  }

  /// Pads that start behind the end of a sound of `frames` at 48 kHz: they are silent.
  private static func late(_ mentions: [SoundMention], frames: Int, file: String) -> [KitError] {
    let milliseconds = Double(frames) * 1_000 / Double(Frames.perSecond)
    var told: Set<String> = []
    return mentions.filter { $0.start >= milliseconds * $0.stretch && told.insert($0.pad).inserted }.map {
      KitError(
        file, field: "\($0.pad), start",
        .outOfRange(
          found: "\(legible($0.start)) ms into \($0.file)",
          expected: "less than its \(Int((milliseconds * $0.stretch).rounded())) ms"))
    }
  }

  /// Pads whose key is no musical key: no tuning would move them.
  private static func keys(of description: KitDescription, file: String) -> [KitError] {
    zip(Pad.all, description.pads).compactMap { pad, entry in
      guard let key = entry?.key, PitchClass(key: key) == nil else { return nil }
      return KitError(
        file, field: "pad \(pad.number), key",
        .outOfRange(found: "\"\(key)\"", expected: "a note, as A, F# minor or Bb"))
    }
  }

  /// Pads that sound the same as an earlier pad.
  private static func duplicates(
    among description: KitDescription, _ contents: [String: ContentHash], file: String
  ) -> [KitError] {
    var first: [PadLikeness: Pad] = [:]
    var problems: [KitError] = []
    for (pad, entry) in zip(Pad.all, description.pads) {
      // A pad that could not be read completely cannot be compared.
      guard let entry, !entry.layers.isEmpty, !description.unclear.contains(pad) else { continue }
      let likeness = PadLikeness(entry.settings, layers: entry.layers.map { $0.files.compactMap { contents[$0] } })
      if let twin = first[likeness] {
        problems.append(KitError(file, field: "pad \(pad.number)", .sameSound(as: "pad \(twin.number)")))
      } else {
        first[likeness] = pad
      }
    }
    return problems
  }
}
