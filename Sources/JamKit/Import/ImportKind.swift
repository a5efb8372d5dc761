/// What a source of sounds is.
public enum ImportKind: Hashable, Sendable {
  case folder
  /// A Hydrogen drum kit, as an archive or unpacked.
  case hydrogen
  case sfz
  /// One sound file, cut at its onsets.
  case recording

  /// What is said of one that holds nothing to import.
  var lookedFor: String {
    switch self {
    case .folder:
      "holds no sound file that can be read, so nothing was imported; name a folder of WAV, AIFF, FLAC, OGG or MP3 files"
    case .hydrogen:
      "holds no instrument with a sound that can be read, so nothing was imported; name a Hydrogen kit with drumkit.xml and its sounds"
    case .sfz:
      "holds no region with a sound that can be read, so nothing was imported; name an SFZ file beside its samples"
    case .recording:
      "holds nothing above silence, so nothing was imported; name a recording with hits in it"
    }
  }

  /// Finds out by looking.
  /// - Throws: `KitError` where there is no such thing.
  static func of(_ path: String) throws(KitError) -> (kind: ImportKind, path: String) {
    guard Files.exists(path) else { throw KitError(path, .noSource) }
    guard !Files.isFolder(path) else { return try ofFolder(path) }
    if path.lowercased().hasSuffix(".sfz") { return (.sfz, path) }
    let isArchive = try Archive.isOne(path)
    return (isArchive ? .hydrogen : .recording, path)
  }

  private static func ofFolder(_ path: String) throws(KitError) -> (kind: ImportKind, path: String) {
    guard let names = Files.names(in: path) else { throw KitError(path, .unreadable(cause: Files.lastError())) }
    if names.contains(HydrogenImport.fileName) { return (.hydrogen, path) }
    let instruments = names.filter { $0.lowercased().hasSuffix(".sfz") }
    if instruments.count == 1 { return (.sfz, Files.joined(path, instruments[0])) }
    if !instruments.isEmpty { throw KitError(path, .severalInstruments(instruments.sorted(by: precedesNaturally))) }
    return (.folder, path)
  }
}
