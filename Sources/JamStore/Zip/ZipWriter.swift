internal import JamCore

/// Writes a zip file in memory, as `ZipList` says.
///
/// `ZipReader` can read every file that this writes, within the reader's limits.
public struct ZipWriter: Sendable {
  /// One less than the values that send a reader to zip64's records.
  private static let mostBytes = Int(UInt32.max) - 1
  private static let mostEntries = Int(UInt16.max) - 1

  private let byteLimit: Int
  private let entryLimit: Int
  /// The entries, each with its header in front.
  private var archive: [UInt8] = []
  private var list = ZipList(names: .exchange)

  public init() { self.init(byteLimit: Self.mostBytes, entryLimit: Self.mostEntries) }

  /// With lower limits, for tests.
  init(byteLimit: Int, entryLimit: Int) {
    self.byteLimit = min(byteLimit, Self.mostBytes)
    self.entryLimit = min(entryLimit, Self.mostEntries)
  }

  /// - Throws: `ZipError` where the format, or a reader, would refuse the entry. The writer is then
  ///   unchanged.
  public mutating func add(_ name: String, _ bytes: [UInt8]) throws(ZipError) {
    guard list.count < entryLimit else { throw .tooManyToWrite(limit: entryLimit) }
    let heads = ZipReader.entryBytes + ZipReader.listedBytes + ZipReader.endBytes
    let frame = heads + 2 * name.utf8.count
    guard bytes.count <= byteLimit - archive.count - list.byteCount - frame else {
      throw .tooLargeToWrite(limit: byteLimit)
    }
    try list.claim(name)
    let entry = list.entry(name, bytes: bytes.count, checkSum: CRC32.of(bytes), at: archive.count)
    archive += entry.localHead
    archive += bytes
    list.append(entry)
  }

  /// Ends the file, and returns all of it.
  public consuming func finish() -> [UInt8] {
    archive += list.end(at: archive.count)
    return archive
  }
}
