public import JamCore
public import JamKit

/// Turns other people's sounds into kits.
public enum KitImporter {
  /// The result of an import.
  public struct Report: Sendable {
    public let kind: ImportKind
    /// Pads in order: the source of each, and its description.
    public let pads: [(pad: Pad, source: String, description: PadDescription)]
    /// The kits that took the sounds for which this one has no pad: their folders, and the number
    /// of sounds of each.
    public let following: [(path: String, sounds: Int)]
    /// Files or instruments that found no pad at all.
    public let leftOut: [String]
    /// One for each file that could not be read, and one for folders that were not searched.
    public let problems: [KitError]
    /// Notes of properties that could not be carried over.
    public let notes: [ImportNote]
  }

  /// Makes a kit at `target` from `source`: a Hydrogen kit (archive or folder), an SFZ file, a
  /// SoundFont, one recording to cut, or a folder of sound files. The kind is detected.
  ///
  /// A folder or a Hydrogen kit of more than sixteen sounds becomes several kits: `target`,
  /// `target-2`, and so on.
  ///
  /// Sounds are stored as FLAC, with 24 bits where the source has more than 16. Faults that `kits
  /// check` would find are repaired.
  /// - Parameter file: chooses a file of the folder `source`, by its path in it; its sounds may lie
  ///   anywhere in that folder.
  /// - Parameter preset: chooses a preset of a SoundFont: its name, its number, or `BANK:NUMBER`.
  /// - Parameter trim: whether silence of more than 2 ms at a sound's beginning is cut. A note
  ///   tells it in any case.
  /// - Parameter levels: whether all pads are turned up or down alike where the kit's demo beat is
  ///   not as loud as other kits' (`BeatLoudness`). A note tells it.
  /// - Parameter guessesBeats: whether loops get the beats that their names, hits or lengths
  ///   suggest. A note tells each guess.
  /// - Thread: any; decodes and encodes, not real-time safe.
  /// - Throws: `KitError` where nothing can be read, or the kit cannot be written; `target` is then
  ///   as it was.
  public static func importKit(
    from source: String, file: String? = nil, to target: String, preset: String? = nil, trim: Bool = false,
    guessesBeats: Bool = true, levels: Bool = true, limits: Limits = .standard
  ) throws(KitError) -> Report {
    let folder = KitFolder(target)
    try KitWriter.check(folder)
    let place = try ImportSource(source, file: file)
    let (kind, path) = (place.kind, place.path)
    var kit =
      switch kind {
      case .folder: try FolderImport(path: path, limits: limits).read()
      case .hydrogen: try HydrogenImport(path: path, limits: limits).read()
      case .sfz: try SFZImport(path: path, root: place.root, limits: limits).read()
      case .soundFont: try SoundFontImport(path: path, limits: limits, wanted: preset).read()
      case .recording: try RecordingImport(path: path, limits: limits).read()
      }
    func treat(_ kit: inout ImportedKit) {
      if kind != .recording { kit.treatLeadIns(trim: trim) }
      if guessesBeats, kind != .recording { kit.guessBeats() }
      kit.thin(to: limits)
    }
    treat(&kit)
    var finished = try KitFinisher(id: folder.id, kit)
    var problems = kit.problems + finished.problems
    guard !finished.sources.isEmpty else { throw kit.nothing(kind, in: path, finished.problems, finished.notes) }
    try finished.write(to: target, levels: levels, limits: limits)
    var (notes, leftOut) = (kit.notes + finished.notes, kit.leftOut)
    var following: [(path: String, sounds: Int)] = []
    for (index, var more) in kit.following.enumerated() {
      do throws(KitError) {
        let place = KitFolder(Files.joined(Files.parent(of: folder.path), "\(folder.id)-\(index + 2)"))
        try KitWriter.check(place)
        treat(&more)
        var finished = try KitFinisher(id: place.id, more)
        problems += more.problems + finished.problems
        if !finished.sources.isEmpty {
          try finished.write(to: place.path, levels: levels, limits: limits)
        }
        notes += more.notes + finished.notes
        guard !finished.sources.isEmpty else { continue }
        following.append((place.path, finished.sources.count))
      } catch {
        // The first kit was written, so the sounds of this further kit are listed as left out.
        problems.append(error)
        leftOut += more.pads.map(\.source)
      }
    }
    return Report(
      kind: kind,
      pads: zip(Pad.all, zip(finished.sources, finished.description.pads)).compactMap { pad, made in
        made.1.map { (pad: pad, source: made.0, description: $0) }
      },
      following: following, leftOut: leftOut, problems: problems, notes: notes)
  }
}
