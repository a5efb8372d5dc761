/// Reads zip files in memory, and trusts nothing that they say.
///
/// The facts of an entry come from the list at the file's end. The entry's own header has to agree,
/// because other programs may read only that header, and must not see another file. Contents are
/// unpacked and checked when they are asked for.
/// - Source: PKWARE APPNOTE 6.3.10.
public struct ZipReader: Sendable {
  /// - Source: PKWARE APPNOTE 6.3.10, 4.3.7.
  static let entrySignature: UInt32 = 0x0403_4b50
  static let entryBytes = 30
  /// - Source: PKWARE APPNOTE 6.3.10, 4.3.12.
  static let listedSignature: UInt32 = 0x0201_4b50
  static let listedBytes = 46
  /// - Source: PKWARE APPNOTE 6.3.10, 4.3.16.
  static let endSignature: UInt32 = 0x0605_4b50
  static let endBytes = 22
  /// - Source: PKWARE APPNOTE 6.3.10, 4.4.5.
  static let stored: UInt16 = 0
  static let deflated: UInt16 = 8
  /// - Source: PKWARE APPNOTE 6.3.10, 4.3.15.
  static let zip64Locator: UInt32 = 0x0706_4b50
  private static let zip64LocatorBytes = 20
  /// These values stand in place of numbers that are in zip64's records.
  private static let beyond16 = Int(UInt16.max)
  private static let beyond32 = Int(UInt32.max)
  /// Bits that mean: encrypted, strongly encrypted, and encrypted with its header.
  /// - Source: PKWARE APPNOTE 6.3.10, 4.4.4, bits 0, 6 and 13.
  private static let hiding = 1 | 1 << 6 | 1 << 13
  /// The entry's check sum and sizes come after its bytes, because the writer did not know them
  /// before.
  /// - Source: PKWARE APPNOTE 6.3.10, 4.4.4, bit 3.
  private static let streamed = 1 << 3
  /// The entry is a patch for another file.
  /// - Source: PKWARE APPNOTE 6.3.10, 4.4.4, bit 5.
  private static let patch = 1 << 5

  /// The facts of an entry in the list.
  private struct Entry {
    var name: String
    /// The bytes of the name in the list, which the entry's own header has to repeat.
    var path: [UInt8]
    var isFolder: Bool
    var flags: Int
    var method: Int
    var checkSum: Int
    var packed: Int
    var size: Int
    /// The offset of the entry's own header.
    var header: Int
    /// The offset of the entry's bytes, behind the header.
    var start = 0
  }

  private let bytes: [UInt8]
  private let file: String
  private var entries: [String: Entry] = [:]
  private let turnsBackslashes: Bool
  /// The names of the files, in the order of the list.
  public private(set) var names: [String] = []

  /// - Parameters:
  ///   - file: the file's name for errors.
  ///   - byteLimit: the most bytes of all files together, unpacked.
  ///   - entryLimit: the most files and folders.
  ///   - turnsBackslashes: whether `\` in a name is read as `/`, against APPNOTE 4.4.17.1, because
  ///     old programs for Windows write it so.
  /// - Throws: `ZipError` at the first part that a plain zip file must not have.
  public init(
    _ bytes: [UInt8], named file: String, byteLimit: Int = 256 << 20, entryLimit: Int = 4_096,
    turnsBackslashes: Bool = false
  ) throws(ZipError) {
    self.bytes = bytes
    self.file = file
    self.turnsBackslashes = turnsBackslashes
    let (listed, directory) = try list(entryLimit: entryLimit)
    var total = 0
    var taken: Set<String> = []
    var located: [Entry] = []
    for var entry in listed {
      guard taken.insert(Self.folded(entry.name)).inserted else { throw .sameName(file: file, entry: entry.name) }
      // A size has 32 bits and the number of entries 16, so the sum cannot overflow.
      total += entry.size
      guard total <= byteLimit else { throw .unpacksTooLarge(file: file, limit: byteLimit) }
      entry.start = try start(of: entry)
      located.append(entry)
    }
    try refuseOverlaps(located, before: directory)
    for entry in located where !entry.isFolder {
      names.append(entry.name)
      entries[entry.name] = entry
    }
  }

  /// The bytes of a file. They are unpacked at every call.
  public func contents(of name: String) throws(ZipError) -> [UInt8] {
    guard let entry = entries[name] else { throw .noSuchEntry(file: file, entry: name) }
    guard let packed = part(entry.start, entry.packed) else { throw .damaged(file: file, entry: name) }
    let contents = entry.method == Int(Self.stored) ? Array(packed) : try unpacked(packed, entry)
    guard Int(CRC32.of(contents)) == entry.checkSum else { throw .damaged(file: file, entry: name) }
    return contents
  }

  /// The bytes of all files, by name.
  public func readAll() throws(ZipError) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in names { files[name] = try contents(of: name) }
    return files
  }

  private func unpacked(_ packed: ArraySlice<UInt8>, _ entry: Entry) throws(ZipError) -> [UInt8] {
    do throws(Inflate.Fault) {
      return try Inflate.unpacked(packed, size: entry.size)
    } catch {
      switch error {
      case .wrongSize: throw .wrongSize(file: file, entry: entry.name)
      case .damaged: throw .damaged(file: file, entry: entry.name)
      case .noMemory: throw .noMemory(file: file)
      }
    }
  }

  /// `count` bytes from `offset` on; nil where there are not so many.
  private func part(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
    return bytes.dropFirst(offset).prefix(count)
  }

  /// The record at `offset`, if its signature is right.
  private func record(_ signature: UInt32, at offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
    guard let record = part(offset, count), record.number(at: 0, 4) == Int(signature) else { return nil }
    return record
  }
}

// MARK: - The list

extension ZipReader {
  /// The offset of the record at the file's end. A comment of up to 65,535 bytes may follow it, but
  /// must end exactly at the end of the file.
  private func end() throws(ZipError) -> Int {
    var offset = bytes.count - Self.endBytes
    let first = max(0, offset - Int(UInt16.max))
    while offset >= first {
      let end = record(Self.endSignature, at: offset, Self.endBytes)
      if let end, end.number(at: 20, 2) == bytes.count - Self.endBytes - offset { return offset }
      offset -= 1
    }
    let isBegun =
      record(Self.entrySignature, at: 0, 4) != nil || record(Self.endSignature, at: 0, 4) != nil
    throw isBegun ? .cutShort(file: file) : .notZip(file: file)
  }

  /// The entries of the list, and the offset of the list.
  private func list(entryLimit: Int) throws(ZipError) -> (entries: [Entry], start: Int) {
    let end = try end()
    guard let tail = part(end, Self.endBytes) else { throw .cutShort(file: file) }
    let numbers = [4, 6, 8, 10].map { tail.number(at: $0, 2) }
    let (disk, listDisk, countHere, count) = (numbers[0], numbers[1], numbers[2], numbers[3])
    let (size, start) = (tail.number(at: 12, 4), tail.number(at: 16, 4))
    guard !numbers.contains(Self.beyond16), size != Self.beyond32, start != Self.beyond32 else {
      throw .zip64(file: file)
    }
    guard disk == 0, listDisk == 0, countHere == count else { throw .severalDisks(file: file) }
    guard start <= end, size == end - start else {
      let locator = record(Self.zip64Locator, at: end - Self.zip64LocatorBytes, Self.zip64LocatorBytes)
      throw locator == nil ? .damagedList(file: file) : .zip64(file: file)
    }
    guard count <= entryLimit else { throw .tooManyEntries(file: file, limit: entryLimit) }

    var entries: [Entry] = []
    var offset = start
    while offset < end {
      guard entries.count < count, let head = record(Self.listedSignature, at: offset, Self.listedBytes) else {
        throw .damagedList(file: file)
      }
      let nameBytes = head.number(at: 28, 2)
      let next = offset + Self.listedBytes + nameBytes + head.number(at: 30, 2) + head.number(at: 32, 2)
      guard next <= end, let name = part(offset + Self.listedBytes, nameBytes) else { throw .damagedList(file: file) }
      entries.append(try entry(head, name))
      offset = next
    }
    guard entries.count == count else { throw .damagedList(file: file) }
    return (entries, start)
  }

  private func entry(_ head: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>) throws(ZipError) -> Entry {
    let size = head.number(at: 24, 4)
    let written = Array(path)
    var path = path
    if turnsBackslashes {
      for index in path.indices where path[index] == UInt8(ascii: "\\") { path[index] = UInt8(ascii: "/") }
    }
    let isFolder = size == 0 && path.last == UInt8(ascii: "/")
    if isFolder { path.removeLast() }
    let name = String(decoding: path, as: UTF8.self)
    if let fault = Self.fault(inName: path) { throw .badName(file: file, entry: name, fault: fault) }
    let entry = Entry(
      name: name, path: written, isFolder: isFolder, flags: head.number(at: 8, 2), method: head.number(at: 10, 2),
      checkSum: head.number(at: 16, 4), packed: head.number(at: 20, 4), size: size, header: head.number(at: 42, 4))
    guard ![entry.packed, entry.size, entry.header].contains(Self.beyond32) else { throw .zip64(file: file) }
    let disk = head.number(at: 34, 2)
    guard disk == 0 else { throw disk == Self.beyond16 ? .zip64(file: file) : .severalDisks(file: file) }
    // The kind of file in a Unix mode. It is read whatever system the entry names: for other
    // systems these bits are mostly 0.
    let kind = head.number(at: 38, 4) >> 16 & 0o170000
    guard kind == 0 || kind == 0o100000 || isFolder && kind == 0o040000 else {
      throw .notAFile(file: file, entry: name)
    }
    guard entry.flags & Self.hiding == 0 else { throw .encrypted(file: file, entry: name) }
    let isReadable = entry.method == Int(Self.stored) || entry.method == Int(Self.deflated)
    guard isReadable, entry.flags & Self.patch == 0 else {
      throw .unknownMethod(file: file, entry: name, method: entry.method)
    }
    guard entry.method != Int(Self.stored) || entry.packed == size else { throw .wrongSize(file: file, entry: name) }
    return entry
  }
}

// MARK: - The headers of the entries

extension ZipReader {
  /// The offset of the entry's bytes, after its own header was compared with the list.
  private func start(of entry: Entry) throws(ZipError) -> Int {
    let contradiction = ZipError.contradiction(file: file, entry: entry.name)
    guard let head = record(Self.entrySignature, at: entry.header, Self.entryBytes) else { throw contradiction }
    let nameBytes = head.number(at: 26, 2)
    guard let path = part(entry.header + Self.entryBytes, nameBytes) else { throw contradiction }
    guard path.elementsEqual(entry.path) else {
      throw contradiction
    }
    let flags = head.number(at: 6, 2)
    guard flags & Self.hiding == 0 else { throw .encrypted(file: file, entry: entry.name) }
    guard head.number(at: 8, 2) == entry.method else { throw contradiction }
    if (flags | entry.flags) & Self.streamed == 0 {
      let (packed, size) = (head.number(at: 18, 4), head.number(at: 22, 4))
      guard packed != Self.beyond32, size != Self.beyond32 else { throw .zip64(file: file) }
      let agrees = head.number(at: 14, 4) == entry.checkSum && packed == entry.packed && size == entry.size
      guard agrees else { throw contradiction }
    }
    return entry.header + Self.entryBytes + nameBytes + head.number(at: 28, 2)
  }

  /// Refuses entries that share bytes. A zip bomb can consist of such entries, without any packing.
  /// - Source: Fifield, "A better zip bomb", WOOT 2019.
  private func refuseOverlaps(_ entries: [Entry], before directory: Int) throws(ZipError) {
    var end = 0
    for entry in entries.sorted(by: { $0.header < $1.header }) {
      guard entry.header >= end else { throw .overlap(file: file, entry: entry.name) }
      end = entry.start + entry.packed
      guard end <= directory else { throw .overlap(file: file, entry: entry.name) }
    }
  }
}

// MARK: - Names

extension ZipReader {
  /// The names that are refused beyond those that are no path on some system.
  package struct NameRules: Sendable {
    var mostBytes: Int
    /// Windows has no colons in names.
    var hasColons: Bool

    /// The names of files that servers exchange. With a folder in front of it, the longest name
    /// still fits into the 255 bytes that disks allow.
    package static let exchange = NameRules(mostBytes: 240, hasColons: true)
    /// The names of files for other programs, which may be in several folders.
    package static let export = NameRules(mostBytes: 1_024, hasColons: false)
  }

  /// The reason why `name` cannot be used as a file's path; nil where it can.
  ///
  /// Names without the flag for UTF-8 have to be UTF-8, too. Most programs write UTF-8 there, and
  /// ASCII is valid UTF-8.
  static func fault(
    inName name: ArraySlice<UInt8>, _ rules: NameRules = .exchange
  ) -> ZipError.NameFault? {
    guard !name.isEmpty else { return .empty }
    guard name.count <= rules.mostBytes else { return .tooLong(limit: rules.mostBytes) }
    guard let text = String(validating: name, as: UTF8.self) else { return .notUTF8 }
    guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else { return .control }
    // This compares bytes, because Swift takes a slash with an accent for another character, and a
    // disk does not.
    guard !name.contains(UInt8(ascii: "\\")) else { return .backslash }
    guard name.first != UInt8(ascii: "/") else { return .absolute }
    guard name.dropFirst().first != UInt8(ascii: ":") else { return .drive }
    guard rules.hasColons || !name.contains(UInt8(ascii: ":")) else { return .colon }
    for part in name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      if part.isEmpty { return .emptyPart }
      if part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8) { return .dots }
    }
    return nil
  }

  /// The same text for names that are one file on some disk. Swift strings are equal however their
  /// accents are written.
  static func folded(_ name: String) -> String { name.lowercased() }
}

extension ArraySlice<UInt8> {
  /// The number of `count` bytes at `offset`, the lowest byte first. Missing bytes count as 0.
  /// - Source: PKWARE APPNOTE 6.3.10, 4.4.1.1.
  fileprivate func number(at offset: Int, _ count: Int) -> Int {
    dropFirst(offset).prefix(count).reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
