internal import JamKit

extension ImportKind {
  /// Finds out by looking.
  /// - Throws: `KitError` where there is no such thing.
  static func of(_ path: String) throws(KitError) -> (kind: ImportKind, path: String) {
    guard Files.exists(path) else { throw KitError(path, .noSource) }
    guard !Files.isFolder(path) else { return try ofFolder(path) }
    if path.lowercased().hasSuffix(".sfz") { return (.sfz, path) }
    if SoundFontChunks.isOne(try Files.read(path, limit: .max, atMost: 12)) { return (.soundFont, path) }
    if SoundFonts.isSoundFont(path) {
      throw KitError(path, .notSoundFont(cause: "it is no RIFF file of kind sfbk"))
    }
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
