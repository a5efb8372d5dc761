public import JamCore
public import JamKit

/// Turns other people's sounds into kits.
public enum KitImporter {
  /// What was made, and what was not.
  public struct Report: Sendable {
    public let kind: ImportKind
    /// Pads in order: where each came from, and what it became.
    public let pads: [(pad: Pad, source: String, description: PadDescription)]
    /// Files or instruments beyond the sixteenth.
    public let leftOut: [String]
    /// One for each file that could not be read, and one for folders that were not looked into.
    public let problems: [KitError]
    /// What could not be carried over.
    public let notes: [ImportNote]
  }

  /// Makes a kit at `target` from `source`: a Hydrogen kit (archive or folder), an SFZ file, a SoundFont, one recording to be cut, or a folder of
  /// sound files; which of them it is shows by itself.
  ///
  /// Sounds are stored as FLAC, with 24 bits where the source has more than 16; what `kits check` would object to is put right.
  /// - Parameter preset: which one of a SoundFont: its name, its number, or `BANK:NUMBER`.
  /// - Parameter trim: whether silence of more than 2 ms at a sound's beginning is cut; it is told in any case.
  /// - Parameter guessesBeats: whether loops get the beats that their names or lengths tell; that is told.
  /// - Thread: any; decodes and encodes, not real-time safe.
  /// - Throws: `KitError` where nothing can be read, or the kit cannot be written; `target` is then as it was.
  public static func importKit(
    from source: String, to target: String, preset: String? = nil, trim: Bool = false, guessesBeats: Bool = true,
    limits: Limits = .standard
  ) throws(KitError) -> Report {
    let folder = KitFolder(target)
    try KitWriter.check(folder)
    let (kind, path) = try ImportKind.of(source)
    var kit =
      switch kind {
      case .folder: try FolderImport(path: path, limits: limits).read()
      case .hydrogen: try HydrogenImport(path: path, limits: limits).read()
      case .sfz: try SFZImport(path: path, limits: limits).read()
      case .soundFont: try SoundFontImport(path: path, limits: limits, wanted: preset).read()
      case .recording: try RecordingImport(path: path, limits: limits).read()
      }
    if kind != .recording { kit.treatLeadIns(trim: trim) }
    if guessesBeats, kind != .recording { kit.guessBeats() }
    kit.thin(to: limits)
    let finished = try KitFinisher(id: folder.id, kit)
    let problems = kit.problems + finished.problems
    guard !finished.sources.isEmpty else { throw KitError(path, .nothingToImport(kind, unread: problems)) }
    try KitWriter.write(finished.description, finished.files, to: target)
    return Report(
      kind: kind,
      pads: zip(Pad.all, zip(finished.sources, finished.description.pads)).compactMap { pad, made in
        made.1.map { (pad: pad, source: made.0, description: $0) }
      },
      leftOut: kit.leftOut, problems: problems, notes: kit.notes + finished.notes)
  }
}
