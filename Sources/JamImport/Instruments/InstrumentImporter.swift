public import JamCore
public import JamKit

/// Turns other people's sampled instruments into ours.
public enum InstrumentImporter {
  /// The result of an import.
  public struct Report: Sendable {
    public let kind: ImportKind
    /// In order: the source of each zone, and the zone.
    public let zones: [(source: String, zone: InstrumentZone)]
    /// One for each file that could not be read.
    public let problems: [KitError]
    /// Notes of properties that could not be carried over.
    public let notes: [ImportNote]
  }

  /// Makes an instrument at `target` from `source`: an SFZ file, a folder with one, or a SoundFont.
  ///
  /// Sounds are stored as FLAC, with 24 bits where the source has more than 16.
  /// - Parameter file: chooses a file of the folder `source`, by its path in it; its sounds may lie
  ///   anywhere in that folder.
  /// - Parameter preset: chooses a preset of a SoundFont: its name, its number, or `BANK:NUMBER`.
  /// - Thread: any; decodes and encodes, not real-time safe.
  /// - Throws: `KitError` where nothing can be read, or the instrument cannot be written; `target`
  ///   is then as it was.
  public static func importInstrument(
    from source: String, file: String? = nil, to target: String, preset: String? = nil, limits: Limits = .standard
  ) throws(KitError) -> Report {
    let folder = KitFolder(target)
    try KitWriter.check(folder)
    let place = try ImportSource(source, file: file)
    let (kind, path) = (place.kind, place.path)
    var imported: ImportedInstrument
    switch kind {
    case .sfz: imported = try SFZInstrument(path: path, root: place.root, limits: limits).read()
    case .soundFont: imported = try SoundFontInstrument(path: path, limits: limits, wanted: preset).read()
    case .folder, .hydrogen, .recording: throw KitError(source, .noInstrument)
    }
    imported.kit.thin(to: limits)
    let finished = try InstrumentFinisher(id: folder.id, imported)
    let problems = imported.kit.problems + finished.problems
    guard !finished.instrument.zones.isEmpty else {
      throw imported.kit.nothing(kind, in: path, finished.problems, finished.notes)
    }
    try InstrumentWriter.write(finished.instrument, finished.layers, finished.files, to: target)
    return Report(
      kind: kind, zones: Array(zip(finished.sources, finished.instrument.zones)).map { (source: $0, zone: $1) },
      problems: problems, notes: imported.kit.notes + finished.notes)
  }
}
