internal import JamCore
internal import JamKit

/// A tar archive, packed with gzip or not, as Hydrogen writes its kits.
enum Archive {
  /// The most files and folders in an archive.
  static let entries = 4_096
  /// The bytes that headers and padding may add to the sounds. Errors only tell the limit of the
  /// sounds.
  private static let overhead = 8 << 20

  /// Whether the file looks like an archive of this kind.
  /// - Throws: `KitError` where it cannot be read, or is an archive of another kind.
  static func isOne(_ path: String) throws(KitError) -> Bool {
    if path.lowercased().hasSuffix(".h2drumkit") { return true }
    let bytes = try Files.read(path, limit: .max, atMost: 512)
    if let kind = ForeignArchive.kind(of: bytes) { throw KitError(path, .foreignArchive(kind: kind)) }
    return Gzip.isOne(bytes) || TarReader.isOne(bytes)
  }

  /// The regular files in the archive, by path.
  /// - Throws: `KitError` where it is damaged, too large, or holds anything but files and folders
  ///   within itself.
  static func files(of path: String, limits: Limits) throws(KitError) -> [String: [UInt8]] {
    let limit = limits.kitBytes + overhead
    var bytes = try read(path, limit: limit, told: limits.kitBytes)
    if let kind = ForeignArchive.kind(of: bytes) { throw KitError(path, .foreignArchive(kind: kind)) }
    if Gzip.isOne(bytes) { bytes = try Gzip.unpacked(bytes, named: path, limit: limit, told: limits.kitBytes) }
    var reader = TarReader(bytes, named: path, byteLimit: limits.kitBytes, entryLimit: entries)
    return try reader.readAll()
  }

  private static func read(_ path: String, limit: Int, told: Int) throws(KitError) -> [UInt8] {
    do {
      return try Files.read(path, limit: limit)
    } catch {
      // The text of `.tooLarge` is about sounds.
      if case .tooLarge = error.reason { throw KitError(path, .unpacksTooLarge(limit: told)) }
      throw error
    }
  }
}
