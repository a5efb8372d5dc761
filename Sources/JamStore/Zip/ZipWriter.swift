/// Writes a zip file in memory. The same names and bytes in the same order give the same file on
/// every machine. For that reason nothing is packed, because zlib's output differs from version to
/// version, and no entry has a time, a user or an extra field.
///
/// `ZipReader` can read every file that this writes, within the reader's limits.
/// - Source: PKWARE APPNOTE 6.3.10.
public struct ZipWriter: Sendable {
  /// One less than the values that send a reader to zip64's records.
  private static let mostBytes = Int(UInt32.max) - 1
  private static let mostEntries = Int(UInt16.max) - 1
  /// 2.0, the lowest version that knows folders.
  private static let version: UInt16 = 20
  /// The name is UTF-8.
  /// - Source: PKWARE APPNOTE 6.3.10, 4.4.4, bit 11.
  private static let flags: UInt16 = 1 << 11
  /// Made on Unix, so that the upper half of the attributes is a file's mode.
  /// - Source: PKWARE APPNOTE 6.3.10, 4.4.2.
  private static let madeBy: UInt16 = 3 << 8 | version
  /// A regular file that everybody may read and its owner may write.
  private static let attributes: UInt32 = 0o100644 << 16
  /// The first day that DOS knows, 1980-01-01. The time is 0.
  private static let date: UInt16 = 1 << 5 | 1

  private let byteLimit: Int
  private let entryLimit: Int
  /// The entries, each with its header in front.
  private var archive: [UInt8] = []
  /// The list of entries, which comes after the entries.
  private var directory: [UInt8] = []
  private var count = 0
  private var taken: Set<String> = []

  public init() { self.init(byteLimit: Self.mostBytes, entryLimit: Self.mostEntries) }

  /// With lower limits, for tests.
  init(byteLimit: Int, entryLimit: Int) {
    self.byteLimit = min(byteLimit, Self.mostBytes)
    self.entryLimit = min(entryLimit, Self.mostEntries)
  }

  /// - Throws: `ZipError` where the format, or a reader, would refuse the entry. The writer is then
  ///   unchanged.
  public mutating func add(_ name: String, _ bytes: [UInt8]) throws(ZipError) {
    let path = Array(name.utf8)
    if let fault = ZipReader.fault(inName: path[...]) { throw .nameNotWritten(name, fault: fault) }
    guard count < entryLimit else { throw .tooManyToWrite(limit: entryLimit) }
    let frame = ZipReader.entryBytes + ZipReader.listedBytes + 2 * path.count + ZipReader.endBytes
    guard bytes.count <= byteLimit - archive.count - directory.count - frame else {
      throw .tooLargeToWrite(limit: byteLimit)
    }
    guard taken.insert(ZipReader.folded(name)).inserted else { throw .sameNameNotWritten(name) }

    // Within `byteLimit` every offset and every size has 32 bits, and an accepted name is short.
    let offset = UInt32(truncatingIfNeeded: archive.count)
    var shared: [UInt8] = []
    shared.appendLittle(Self.version)
    shared.appendLittle(Self.flags)
    shared.appendLittle(ZipReader.stored)
    shared.appendLittle(UInt16(0))
    shared.appendLittle(Self.date)
    shared.appendLittle(CRC32.of(bytes))
    // The packed and the unpacked size, which are equal.
    shared.appendLittle(UInt32(truncatingIfNeeded: bytes.count))
    shared.appendLittle(UInt32(truncatingIfNeeded: bytes.count))
    shared.appendLittle(UInt16(truncatingIfNeeded: path.count))
    // No extra field.
    shared.appendLittle(UInt16(0))

    // - Source: PKWARE APPNOTE 6.3.10, 4.3.7.
    archive.appendLittle(ZipReader.entrySignature)
    archive.append(contentsOf: shared)
    archive.append(contentsOf: path)
    archive.append(contentsOf: bytes)

    // - Source: PKWARE APPNOTE 6.3.10, 4.3.12.
    directory.appendLittle(ZipReader.listedSignature)
    directory.appendLittle(Self.madeBy)
    directory.append(contentsOf: shared)
    // No comment, the first disk, and bytes rather than text.
    for _ in 0..<3 { directory.appendLittle(UInt16(0)) }
    directory.appendLittle(Self.attributes)
    directory.appendLittle(offset)
    directory.append(contentsOf: path)
    count += 1
  }

  /// Ends the file, and returns all of it.
  /// - Source: PKWARE APPNOTE 6.3.10, 4.3.16.
  public consuming func finish() -> [UInt8] {
    let start = UInt32(truncatingIfNeeded: archive.count)
    archive.append(contentsOf: directory)
    archive.appendLittle(ZipReader.endSignature)
    // This disk and the disk of the list are the first one, which contains all entries.
    for number in [0, 0, count, count] { archive.appendLittle(UInt16(truncatingIfNeeded: number)) }
    archive.appendLittle(UInt32(truncatingIfNeeded: directory.count))
    archive.appendLittle(start)
    // No comment.
    archive.appendLittle(UInt16(0))
    return archive
  }
}

extension [UInt8] {
  /// - Source: PKWARE APPNOTE 6.3.10, 4.4.1.1: the lowest byte first.
  fileprivate mutating func appendLittle(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
