/// Everything of a zip file that is not the contents of its entries: it checks the names, makes the
/// heads in front of the contents, and makes the list at the end.
///
/// The same names and bytes in the same order give the same file on every machine. For that reason
/// nothing is packed, because zlib's output differs from version to version, and no entry has a
/// time or a user.
/// - Source: PKWARE APPNOTE 6.3.10.
package struct ZipList: Sendable {
  package private(set) var count = 0
  /// The bytes of the list so far.
  package var byteCount: Int { records.count }

  private let rules: ZipReader.NameRules
  private let limit: Int
  private var taken: Set<String> = []
  private var records: [UInt8] = []

  /// - Parameter limit: a number from here on is too large for 32 bits; tests set a low value.
  package init(names rules: ZipReader.NameRules, limit: Int = Int(UInt32.max)) {
    self.rules = rules
    self.limit = limit
  }

  /// Takes a name for the next entry.
  /// - Throws: `ZipError.nameNotWritten`, `.sameNameNotWritten`; the list is then unchanged.
  package mutating func claim(_ name: String) throws(ZipError) {
    if let fault = ZipReader.fault(inName: Array(name.utf8)[...], rules) {
      throw .nameNotWritten(name, fault: fault)
    }
    guard taken.insert(ZipReader.folded(name)).inserted else { throw .sameNameNotWritten(name) }
  }

  /// The entry of a name that was taken.
  /// - Parameters:
  ///   - checkSum: of the contents. It may be set later, until the entry is appended.
  ///   - offset: the place of the entry's head in the file.
  package func entry(_ name: String, bytes: Int, checkSum: UInt32 = 0, at offset: Int) -> ZipEntry {
    ZipEntry(name: name, bytes: bytes, checkSum: checkSum, offset: offset, limit: limit)
  }

  /// Appends an entry whose contents are written.
  package mutating func append(_ entry: ZipEntry) {
    records += entry.listed
    count += 1
  }

  /// The list and the records behind it.
  /// - Parameter start: the place of the list in the file.
  package consuming func end(at start: Int) -> [UInt8] {
    records + ZipEntry.end(count: count, start: start, bytes: records.count, limit: limit)
  }
}
