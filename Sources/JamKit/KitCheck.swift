public import JamCore

/// Looks at a kit as closely as it can: its `kit.json`, and every sound.
public enum KitCheck {
  /// Everything that is wrong with the kit in `folder`; empty where all is well.
  /// - Thread: any; decodes every sound, not real-time safe.
  public static func problems(of folder: KitFolder, limits: Limits = .standard) -> [KitError] {
    let description = folder.readDescription()
    var problems = description.problems + description.remarks
    var contents: [String: ContentHash] = [:]
    var bytes: [ContentHash: Int] = [:]
    for file in (description.pads.compactMap { $0 } + description.strays).flatMap(\.layers).flatMap(\.files)
    where !file.isEmpty && KitFolder.objection(to: file) == nil && contents[file] == nil {
      let sound = look(at: file, in: folder, limits: limits)
      problems += sound.problems
      // What cannot be read is like nothing else.
      let content = sound.content ?? Array(file.utf8).withUnsafeBytes { ContentHash($0) }
      contents[file] = content
      bytes[content] = sound.byteCount
    }
    problems += duplicates(among: description, contents, file: Files.joined(folder.path, KitDescription.fileName))
    // What only the whole kit shows.
    if bytes.values.reduce(0, +) > limits.kitBytes {
      problems.append(KitError(folder.path, .kitTooLarge(limit: limits.kitBytes)))
    }
    if problems.isEmpty {
      do { _ = try folder.load(limits: limits) } catch { problems.append(error) }
    }
    return problems
  }

  private static func look(
    at file: String, in folder: KitFolder, limits: Limits
  ) -> (problems: [KitError], content: ContentHash?, byteCount: Int) {
    let shown = Files.joined(folder.path, file)
    do {
      let bytes = try folder.read(file, limit: limits.kitBytes)
      let sound = try Sound(decoding: bytes, named: shown, byteLimit: limits.kitBytes).resampled(named: shown)
      let faults = SoundMeasure.faults(of: sound).map { KitError(shown, $0) }
      return (
        faults, bytes.withUnsafeBytes { ContentHash($0) },
        SampleMemory.byteCount(frames: sound.frames, channels: sound.channels)
      )
    } catch {
      return ([error], nil, 0)
    }
  }

  /// Pads that nobody could tell from an earlier one.
  private static func duplicates(
    among description: KitDescription, _ contents: [String: ContentHash], file: String
  ) -> [KitError] {
    var first: [PadLikeness: Pad] = [:]
    var problems: [KitError] = []
    for (pad, entry) in zip(Pad.all, description.pads) {
      // Of what could not be read nobody knows what it is like.
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
