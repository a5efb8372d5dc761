import Foundation
import TestSupport
import Testing

@testable import JamStore

@Suite("Zip files")
struct ZipTests {
  // MARK: - Writing

  private static let files: [(String, [UInt8])] = [
    ("kit.json", Array("{\"pads\": [1, 2]}\n".utf8)), ("sounds/kick é.wav", Array(0...255)), ("empty", []),
  ]

  private func written(_ files: [(String, [UInt8])] = files) throws(ZipError) -> [UInt8] {
    var writer = ZipWriter()
    for (name, bytes) in files { try writer.add(name, bytes) }
    return writer.finish()
  }

  @Test("the same names and bytes give the same file, to the bit")
  func golden() throws {
    #expect(try written() == written())
    let hex =
      // The entry: 2.0, UTF-8, stored, 00:00 on 1980-01-01, check sum, sizes, the name's length, no extra field.
      "504b0304 1400 0008 0000 0000 2100 f1866c7a 03000000 03000000 0100 0000 61 6f6e65"
      // The same in the list: made on Unix, 0644, at 0.
      + "504b0102 1403 1400 0008 0000 0000 2100 f1866c7a 03000000 03000000 0100 0000"
      + "0000 0000 0000 0000a481 00000000 61"
      + "504b0506 0000 0000 0100 0100 2f000000 22000000 0000"
    #expect(try written([("a", Array("one".utf8))]) == Example.bytes(hex: hex))
    #expect(try written([]) == Example.bytes(hex: "504b0506 0000 0000 0000 0000 00000000 00000000 0000"))
  }

  @Test("what is written is read again, in its order")
  func again() throws {
    let reader = try ZipReader(written(), named: "a.zip")
    #expect(reader.names == Self.files.map(\.0))
    #expect(try reader.readAll() == Dictionary(uniqueKeysWithValues: Self.files))
    #expect(try ZipReader(written([]), named: "a.zip").readAll().isEmpty)
  }

  @Test("Python reads what is written", .enabled(if: Tool.runs("python3", "-c", "import zipfile")))
  func python() throws {
    let program = """
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[1]) as z:
          assert z.testzip() is None
          for i in z.infolist():
              assert i.date_time == (1980, 1, 1, 0, 0, 0) and i.external_attr == 0o100644 << 16, i
              print(i.filename, z.read(i).hex())
      """
    let told = try Tool.output(of: "python3", "-c", program, file: written())
    let hex = Self.files.map { name, bytes in
      "\(name) \(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())\n"
    }
    #expect(told == hex.joined())
  }

  @Test("unzip finds no fault with what is written", .enabled(if: Tool.runs("unzip", "-v")))
  func unzip() throws {
    #expect(try Tool.output(of: "unzip", "-t", file: written())?.contains("No errors detected") == true)
  }

  @Test("names that no reader would take, and names that are taken, are not written; the others are")
  func refusedNames() throws {
    var writer = ZipWriter()
    try writer.add("a", [1])
    #expect(throws: ZipError.nameNotWritten("../a", fault: .dots)) { try writer.add("../a", []) }
    #expect(throws: ZipError.nameNotWritten("a/", fault: .emptyPart)) { try writer.add("a/", []) }
    #expect(throws: ZipError.sameNameNotWritten("A")) { try writer.add("A", [2]) }
    #expect(try ZipReader(writer.finish(), named: "a.zip").readAll() == ["a": [1]])
  }

  @Test("what the format has no room for is not written")
  func room() throws {
    // 30 and 46 bytes of headers, the name twice, 22 at the end.
    var exact = ZipWriter(byteLimit: 200, entryLimit: 9)
    try exact.add("a", [UInt8](repeating: 0, count: 100))
    #expect(throws: ZipError.tooLargeToWrite(limit: 200)) { try exact.add("b", []) }
    #expect(exact.finish().count == 200)
    var large = ZipWriter(byteLimit: 200, entryLimit: 9)
    #expect(throws: ZipError.tooLargeToWrite(limit: 200)) {
      try large.add("a", [UInt8](repeating: 0, count: 101))
    }
    var many = ZipWriter(byteLimit: .max, entryLimit: .max)
    for n in 0..<65_534 { try many.add("\(n)", []) }
    #expect(throws: ZipError.tooManyToWrite(limit: 65_534)) { try many.add("a", []) }
    #expect(try ZipReader(many.finish(), named: "a.zip", entryLimit: 65_534).names.count == 65_534)
  }

  // MARK: - Reading

  @Test(
    "archives by others are read: stored, deflated, with a comment, written to a pipe",
    arguments: Example.allCases)
  private func others(example: Example) throws {
    let reader = try ZipReader(example.bytes, named: "a.zip")
    #expect(reader.names == ["kit/a.txt", "kit/é.json"])
    #expect(try reader.readAll() == Example.files)
    #expect(throws: ZipError.noSuchEntry(file: "a.zip", entry: "kit/")) { try reader.contents(of: "kit/") }
  }

  @Test("a comment may have 65,535 bytes")
  func longComment() throws {
    var zip = RawZip([RawZip.Entry("a", [1])])
    zip.comment = [UInt8](repeating: 0x50, count: 65_535)
    #expect(try read(zip) == ["a": [1]])
  }

  private func read(
    _ zip: RawZip, byteLimit: Int = 1 << 20, entryLimit: Int = 16
  ) throws(ZipError) -> [String: [UInt8]] {
    try ZipReader(zip.finished, named: "a.zip", byteLimit: byteLimit, entryLimit: entryLimit).readAll()
  }

  @Test("what is no zip file is told from one that is cut short")
  func noZip() {
    for bytes in [[], [0x50], Array("a sound, say".utf8), [UInt8](repeating: 0, count: 100_000)] as [[UInt8]] {
      #expect(throws: ZipError.notZip(file: "a.zip")) { try ZipReader(bytes, named: "a.zip") }
    }
    for bytes in [
      Array(Example.stored.bytes.dropLast()), Example.stored.bytes + [0], Array(Example.commented.bytes.dropLast(3)),
    ] {
      #expect(throws: ZipError.cutShort(file: "a.zip")) { try ZipReader(bytes, named: "a.zip") }
    }
    #expect(throws: ZipError.damagedList(file: "a.zip")) {
      try ZipReader(Array(Example.stored.bytes.dropFirst()), named: "a.zip")
    }
  }

  @Test("an entry that is not plain is refused by name", arguments: Trick.all)
  private func tricks(trick: Trick) {
    var entry = RawZip.Entry("b", [1, 2, 3])
    trick.make(&entry)
    #expect(throws: trick.error) { try read(RawZip([RawZip.Entry("a", [9]), entry, RawZip.Entry("c", [])])) }
  }

  @Test("a list that does not add up is refused", arguments: ListTrick.all)
  private func listTricks(trick: ListTrick) {
    var zip = RawZip([RawZip.Entry("a", [9]), RawZip.Entry("b", [1, 2, 3])])
    trick.make(&zip)
    #expect(throws: trick.error) { try read(zip) }
  }

  @Test(
    "a name that leads elsewhere on some system is refused",
    arguments: [
      ("/a", .absolute), ("/", .empty), ("", .empty), ("//", .absolute), ("..", .dots), ("../a", .dots),
      ("a/../b", .dots), ("a/..", .dots), ("a/../", .dots), (".", .dots), ("./a", .dots), ("a/./b", .dots),
      ("a//b", .emptyPart), ("a//", .emptyPart), ("a\\b", .backslash), ("..\\a", .backslash), ("a\0b", .control),
      ("a\nb", .control), ("a\u{7f}", .control), ("a\u{85}", .control), ("C:a", .drive), ("c:/a", .drive),
      (String(repeating: "a", count: 241), .tooLong(limit: 240)),
      (String(repeating: "é/", count: 80) + "a", .tooLong(limit: 240)),
    ] as [(String, ZipError.NameFault)])
  func names(name: String, fault: ZipError.NameFault) {
    let shown = name.last == "/" ? String(name.dropLast()) : name
    #expect(throws: ZipError.badName(file: "a.zip", entry: shown, fault: fault)) {
      try read(RawZip([RawZip.Entry(name, [])]))
    }
  }

  @Test("a kit's zip may have backslashes, and then leads nowhere either")
  func backslashes() throws {
    func files(_ names: String...) throws(ZipError) -> [String: [UInt8]] {
      try KitFile.files(in: RawZip(names.map { RawZip.Entry($0, [7]) }).finished, named: "a.zip")
    }
    #expect(try files("kit\\kit.json", "kit\\hats/a.flac") == ["kit/kit.json": [7], "kit/hats/a.flac": [7]])
    for (name, fault) in [("..\\a", .dots), ("\\a", .absolute), ("a\\\\b", .emptyPart), ("C:\\a", .drive)]
      as [(String, ZipError.NameFault)]
    {
      let shown = name.replacing("\\", with: "/")
      #expect(throws: ZipError.badName(file: "a.zip", entry: shown, fault: fault)) { try files(name) }
    }
    #expect(throws: ZipError.sameName(file: "a.zip", entry: "a/b")) { try files("a\\b", "a/b") }
  }

  @Test("a name that only looks dangerous is none")
  func harmlessNames() throws {
    for name in ["...", "..a", "a..", "a.b/.c", "été/ß", "🥁", "aC:", "x y"] {
      #expect(try read(RawZip([RawZip.Entry(name, [7])])) == [name: [7]])
    }
    let long = String(repeating: "a", count: 240)
    #expect(try read(RawZip([RawZip.Entry(long, [7])])) == [long: [7]])
  }

  @Test("a slash with an accent is a slash")
  func accents() {
    let name = "a/\u{301}/\u{301}../\u{301}"
    #expect(ZipReader.fault(inName: Array(name.utf8)[...]) == nil)
    #expect(ZipReader.fault(inName: Array("../\u{301}".utf8)[...]) == .dots)
    #expect(ZipReader.fault(inName: Array("/\u{301}".utf8)[...]) == .absolute)
  }

  @Test("names that are not UTF-8 are refused, with the sign for UTF-8 and without")
  func notUTF8() {
    for (name, flags) in [([0x61, 0xff], 1 << 11), ([0x82], 0), ([0xc0, 0xaf], 0)] as [([UInt8], Int)] {
      var entry = RawZip.Entry("", [])
      entry.name = name
      entry.flags = flags
      let shown = String(decoding: name, as: UTF8.self)
      #expect(throws: ZipError.badName(file: "a.zip", entry: shown, fault: .notUTF8)) { try read(RawZip([entry])) }
    }
  }

  @Test("the same name twice is refused, however it is written")
  func twice() {
    for (first, second) in [("a", "a"), ("a/B", "A/b"), ("é", "E\u{301}"), ("a", "a/")] {
      let shown = second.last == "/" ? String(second.dropLast()) : second
      #expect(throws: ZipError.sameName(file: "a.zip", entry: shown)) {
        try read(RawZip([RawZip.Entry(first, []), RawZip.Entry(second, [])]))
      }
    }
  }

  @Test("folders are skipped, and something with bytes is no folder")
  func folders() throws {
    var folder = RawZip.Entry("a/b/", [])
    folder.attributes = 0o040755 << 16 | 0x10
    #expect(try read(RawZip([RawZip.Entry("a/", []), folder, RawZip.Entry("a/b/c", [1])])) == ["a/b/c": [1]])
    #expect(throws: ZipError.badName(file: "a.zip", entry: "a/", fault: .emptyPart)) {
      try read(RawZip([RawZip.Entry("a/", [1])]))
    }
  }

  @Test("entries and bytes are counted")
  func limits() throws {
    let many = RawZip((0..<17).map { RawZip.Entry("\($0)", [1]) })
    #expect(throws: ZipError.tooManyEntries(file: "a.zip", limit: 16)) { try read(many) }
    #expect(try read(many, entryLimit: 17).count == 17)
    #expect(throws: ZipError.unpacksTooLarge(file: "a.zip", limit: 16)) {
      try read(many, byteLimit: 16, entryLimit: 17)
    }
    #expect(try read(many, byteLimit: 17, entryLimit: 17).count == 17)
  }

  @Test("a bomb is refused, whether it says what it is or not")
  func bombs() throws {
    let zeros = 64 << 20
    let packed = Example.deflatedZeros(zeros)
    #expect(packed.count < 500_000)
    var bomb = RawZip.Entry("b", [])
    (bomb.packed, bomb.method, bomb.size) = (packed, 8, zeros)
    #expect(throws: ZipError.unpacksTooLarge(file: "a.zip", limit: 1 << 20)) { try read(RawZip([bomb])) }
    for size in [0, 1, 1_000, 256 << 10, 1 << 20] {
      bomb.size = size
      #expect(throws: ZipError.wrongSize(file: "a.zip", entry: "b")) { try read(RawZip([bomb])) }
    }
    // Nobody waits for its end: that this one has none is not found out.
    (bomb.packed, bomb.size) = (Array(packed.dropLast(1_000)), 1_000)
    #expect(throws: ZipError.wrongSize(file: "a.zip", entry: "b")) { try read(RawZip([bomb])) }
    bomb.packed = packed
    // It says more than there is.
    bomb.size = zeros + 1
    #expect(throws: ZipError.wrongSize(file: "a.zip", entry: "b")) { try read(RawZip([bomb]), byteLimit: 1 << 30) }
    // The same method, told truly and within the limit.
    let few = [UInt8](repeating: 0, count: 600_000)
    var harmless = RawZip.Entry("b", few)
    (harmless.packed, harmless.method) = (Example.deflatedZeros(few.count), 8)
    #expect(try read(RawZip([harmless])) == ["b": few])
    #expect(try Inflate.unpacked(packed[...], size: zeros).count == zeros)
  }

  @Test("a deflate stream without an end, or with something after it, is refused")
  func deflate() throws {
    let zeros = Example.deflatedZeros(1_000)
    for packed in [[], Array(zeros.dropLast()), zeros + [0], [7], [0xff], zeros + zeros] {
      var entry = RawZip.Entry("b", [UInt8](repeating: 0, count: 1_000))
      (entry.packed, entry.method) = (packed, 8)
      #expect(throws: ZipError.damaged(file: "a.zip", entry: "b")) { try read(RawZip([entry])) }
    }
  }

  // MARK: - Damage

  @Test("cut anywhere, an archive is refused", arguments: Example.allCases)
  private func cut(example: Example) {
    let bytes = example.bytes
    for count in bytes.indices {
      let error = #expect(throws: ZipError.self) { try ZipReader(Array(bytes.prefix(count)), named: "a.zip").readAll() }
      let isTold = error == .cutShort(file: "a.zip") || error == .notZip(file: "a.zip")
      #expect(isTold, "cut at \(count): \(String(describing: error))")
    }
  }

  @Test("with any byte changed, an archive is refused or gives what it gave", arguments: Example.allCases)
  private func flips(example: Example) {
    let bytes = example.bytes
    var refused = 0
    for index in bytes.indices {
      for change in [0xff, 0x20] + (0..<8).map({ UInt8(1) << $0 }) {
        var changed = bytes
        changed[index] ^= change
        guard let files = try? ZipReader(changed, named: "a.zip").readAll() else {
          refused += 1
          continue
        }
        #expect(files == Example.files, "byte \(index) changed by \(change)")
      }
    }
    #expect(refused > bytes.count * 4)
  }

  @Test("damaged archives end in an error or in files, never in a crash")
  func fuzz() {
    var (read, refused) = (0, 0)
    func check(_ bytes: [UInt8]) {
      do throws(ZipError) {
        let files = try ZipReader(bytes, named: "a.zip", byteLimit: 1 << 20).readAll()
        read += 1
        // Check sums hold what the files hold; their names may be others.
        let known = Set(Example.files.values)
        #expect(files.values.allSatisfy { known.contains($0) || $0.isEmpty }, "\(bytes)")
        #expect(files.keys.allSatisfy { ZipReader.fault(inName: Array($0.utf8)[...]) == nil }, "\(bytes)")
      } catch {
        refused += 1
        #expect("\(error)".hasPrefix("\"a.zip\" ") && !"\(error)".contains("\n"), "\(error) of \(bytes)")
      }
    }
    var random = RunSeed.numbers()
    for _ in 0..<5_000 {
      guard var bytes = Example.allCases.randomElement(using: &random)?.bytes else { continue }
      for _ in 0..<4 {
        // Mostly the list, where the numbers are.
        let from = Bool.random(using: &random) ? bytes.count - 150 : 0
        bytes[Int.random(in: from..<bytes.count, using: &random)] =
          [0, 1, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
      }
      check(bytes)
      // A record that is whole among bytes that are not.
      bytes.removeFirst(Int.random(in: 0..<bytes.count, using: &random))
      check(bytes)
    }
    #expect(read > 0 && refused > 5_000, "\(read), \(refused)")
  }

  @Test("an error is one line that names the file, whatever its names hold")
  func told() {
    #expect("\(ZipError.notZip(file: "x.zip"))" == "\"x.zip\" is no zip file")
    #expect("\(ZipError.unpacksTooLarge(file: "x.zip", limit: 256 << 20))" == "\"x.zip\" unpacks to more than 256 MiB")
    let steering = ZipError.badName(file: "x.zip", entry: "a\n\u{1b}[2J\u{202e}b\"", fault: .control)
    #expect("\(steering)" == "\"x.zip\" holds \"a??[2J?b?\", a name that has control characters")
    let long = ZipError.damaged(file: String(repeating: "x", count: 1_000), entry: "a")
    #expect("\(long)".count < 200)
  }
}

// MARK: - What is tried

/// What is wrong with an entry, and what is said of it.
private struct Trick: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var error: ZipError
  var make: @Sendable (inout RawZip.Entry) -> Void

  init(_ what: String, _ error: ZipError, _ make: @escaping @Sendable (inout RawZip.Entry) -> Void) {
    (testDescription, self.error, self.make) = (what, error, make)
  }

  static let all = [
    Trick("encrypted", .encrypted(file: "a.zip", entry: "b")) { $0.flags |= 1 },
    Trick("strongly encrypted", .encrypted(file: "a.zip", entry: "b")) { $0.flags |= 1 << 6 },
    Trick("with a hidden header", .encrypted(file: "a.zip", entry: "b")) { $0.flags |= 1 << 13 },
    Trick("encrypted by itself only", .encrypted(file: "a.zip", entry: "b")) { $0.ownFlags = 1 },
    Trick("a patch", .unknownMethod(file: "a.zip", entry: "b", method: 0)) { $0.flags |= 1 << 5 },
    Trick("deflate64", .unknownMethod(file: "a.zip", entry: "b", method: 9)) { $0.method = 9 },
    Trick("LZMA", .unknownMethod(file: "a.zip", entry: "b", method: 14)) { $0.method = 14 },
    Trick("AES", .unknownMethod(file: "a.zip", entry: "b", method: 99)) { $0.method = 99 },
    Trick("zip64's size", .zip64(file: "a.zip")) { $0.size = 0xffff_ffff },
    Trick("zip64's packed size", .zip64(file: "a.zip")) { $0.packedSize = 0xffff_ffff },
    Trick("zip64's offset", .zip64(file: "a.zip")) { $0.header = 0xffff_ffff },
    Trick("zip64's disk", .zip64(file: "a.zip")) { $0.disk = 0xffff },
    Trick("zip64's own size", .zip64(file: "a.zip")) { $0.ownSize = 0xffff_ffff },
    Trick("another disk", .severalDisks(file: "a.zip")) { $0.disk = 1 },
    Trick("a link", .notAFile(file: "a.zip", entry: "b")) { $0.attributes = 0o120777 << 16 },
    Trick("a device", .notAFile(file: "a.zip", entry: "b")) { $0.attributes = 0o020644 << 16 },
    Trick("a disk", .notAFile(file: "a.zip", entry: "b")) { $0.attributes = 0o060644 << 16 },
    Trick("a pipe", .notAFile(file: "a.zip", entry: "b")) { $0.attributes = 0o010644 << 16 },
    Trick("a socket", .notAFile(file: "a.zip", entry: "b")) { $0.attributes = 0o140644 << 16 },
    Trick("a folder by its mode", .notAFile(file: "a.zip", entry: "b")) { $0.attributes = 0o040755 << 16 },
    Trick("another check sum", .damaged(file: "a.zip", entry: "b")) { $0.checkSum = 1 },
    Trick("another size, stored", .wrongSize(file: "a.zip", entry: "b")) { $0.size = 4 },
    Trick("less than listed, deflated", .wrongSize(file: "a.zip", entry: "b")) {
      ($0.method, $0.packed, $0.size) = (8, [1, 3, 0, 252, 255, 1, 2, 3], 4)
    },
    Trick("more than listed, deflated", .wrongSize(file: "a.zip", entry: "b")) {
      ($0.method, $0.packed, $0.size) = (8, [1, 3, 0, 252, 255, 1, 2, 3], 2)
    },
    Trick("reaching into the next", .overlap(file: "a.zip", entry: "c")) { ($0.size, $0.packedSize) = (4, 4) },
    Trick("reaching into the list", .overlap(file: "a.zip", entry: "b")) { ($0.size, $0.packedSize) = (99, 99) },
    Trick("reaching far beyond", .overlap(file: "a.zip", entry: "b")) {
      ($0.method, $0.size, $0.packedSize) = (8, 9, 0xffff_fffe)
    },
    Trick("a header elsewhere", .contradiction(file: "a.zip", entry: "b")) { $0.header = 1 },
    Trick("a header beyond the end", .contradiction(file: "a.zip", entry: "b")) { $0.header = 0xffff_fffe },
    Trick("another's header", .contradiction(file: "a.zip", entry: "b")) { $0.header = 0 },
    Trick("another name of its own", .contradiction(file: "a.zip", entry: "b")) { $0.ownName = [0x63] },
    Trick("another method of its own", .contradiction(file: "a.zip", entry: "b")) { $0.ownMethod = 8 },
    Trick("another size of its own", .contradiction(file: "a.zip", entry: "b")) { $0.ownSize = 2 },
  ]
}

/// What is wrong with the list and the record at the end, and what is said of it.
private struct ListTrick: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var error: ZipError
  var make: @Sendable (inout RawZip) -> Void

  init(_ what: String, _ error: ZipError, _ make: @escaping @Sendable (inout RawZip) -> Void) {
    (testDescription, self.error, self.make) = (what, error, make)
  }

  static let all = [
    ListTrick("the second disk", .severalDisks(file: "a.zip")) { $0.disk = 1 },
    ListTrick("the list on another disk", .severalDisks(file: "a.zip")) { $0.listDisk = 1 },
    ListTrick("only some entries here", .severalDisks(file: "a.zip")) { $0.countHere = 1 },
    ListTrick("zip64's disk", .zip64(file: "a.zip")) { $0.disk = 0xffff },
    ListTrick("zip64's count", .zip64(file: "a.zip")) { ($0.countHere, $0.count) = (0xffff, 0xffff) },
    ListTrick("zip64's size", .zip64(file: "a.zip")) { $0.listSize = 0xffff_ffff },
    ListTrick("zip64's offset", .zip64(file: "a.zip")) { $0.listStart = 0xffff_ffff },
    ListTrick("zip64's records", .zip64(file: "a.zip")) {
      $0.beforeEnd = [0x50, 0x4b, 6, 6] + [UInt8](repeating: 0, count: 52) + [0x50, 0x4b, 6, 7]
      $0.beforeEnd += [UInt8](repeating: 0, count: 16)
    },
    ListTrick("more entries than listed", .damagedList(file: "a.zip")) { ($0.countHere, $0.count) = (1, 1) },
    ListTrick("fewer entries than listed", .damagedList(file: "a.zip")) { ($0.countHere, $0.count) = (3, 3) },
    ListTrick("a list that is too short", .damagedList(file: "a.zip")) { $0.listSize = 93 },
    ListTrick("a list that begins too early", .damagedList(file: "a.zip")) { $0.listStart = 0 },
    ListTrick("a list that begins beyond the end", .damagedList(file: "a.zip")) { $0.listStart = 0xffff_fffe },
    ListTrick("a list that begins elsewhere", .damagedList(file: "a.zip")) {
      ($0.listStart, $0.listSize) = (1, 30 + 2 + 30 + 4 + 2 * 47 - 1)
    },
    ListTrick("something between list and end", .damagedList(file: "a.zip")) { $0.beforeEnd = [0] },
    ListTrick("a comment that is longer than told", .cutShort(file: "a.zip")) {
      ($0.comment, $0.commentSize) = ([1, 2], 1)
    },
    ListTrick("entries that share their bytes", .overlap(file: "a.zip", entry: "B")) {
      // A header that looks the same from both: the list alone has two.
      $0.entries[1] = $0.entries[0]
      ($0.entries[0].header, $0.entries[1].header) = (0, 30 + 1)
      $0.entries[0].name = [0x41]
      $0.entries[1].name = [0x42]
      let inner = RawZip([RawZip.Entry("B", [1, 2, 3])])
      $0.entries[0].content = Array(inner.finished.prefix(34))
      $0.entries[1].content = [1, 2, 3]
    },
    ListTrick("an extra field beyond the list", .damagedList(file: "a.zip")) { $0.entries[1].listedExtra = 60_000 },
  ]
}

/// Writes zip files, wrong ones too.
private struct RawZip: Sendable {
  struct Entry: Sendable {
    var name: [UInt8]
    var content: [UInt8]
    /// What stands in the file instead of `content`.
    var packed: [UInt8]?
    var flags = 1 << 11
    var method = 0
    /// What headers claim, where that is not the truth.
    var checkSum: Int?
    var size: Int?
    var packedSize: Int?
    var header: Int?
    var listedExtra = 0
    var disk = 0
    var attributes = 0
    /// What its own header claims, where that is not what the list does.
    var ownName: [UInt8]?
    var ownFlags: Int?
    var ownMethod: Int?
    var ownSize: Int?

    init(_ name: String, _ content: [UInt8]) { (self.name, self.content) = (Array(name.utf8), content) }
  }

  var entries: [Entry]
  var comment: [UInt8] = []
  /// Between the list and the record at the end.
  var beforeEnd: [UInt8] = []
  var disk = 0
  var listDisk = 0
  var countHere: Int?
  var count: Int?
  var listSize: Int?
  var listStart: Int?
  var commentSize: Int?

  init(_ entries: [Entry]) { self.entries = entries }

  var finished: [UInt8] {
    var (bytes, list): ([UInt8], [UInt8]) = ([], [])
    for entry in entries {
      let offset = bytes.count
      let content = entry.packed ?? entry.content
      let ownName = entry.ownName ?? entry.name
      let sum = entry.checkSum ?? Int(CRC32.of(entry.content))
      let packedSize = entry.packedSize ?? content.count
      let size = entry.size ?? entry.content.count
      bytes += Self.little([(0x0403_4b50, 4), (20, 2), (entry.ownFlags ?? entry.flags, 2)])
      bytes += Self.little([(entry.ownMethod ?? entry.method, 2), (0, 4), (sum, 4), (packedSize, 4)])
      bytes += Self.little([(entry.ownSize ?? size, 4), (ownName.count, 2), (0, 2)]) + ownName + content
      list += Self.little([(0x0201_4b50, 4), (0x0314, 2), (20, 2), (entry.flags, 2), (entry.method, 2), (0, 4)])
      list += Self.little([(sum, 4), (packedSize, 4), (size, 4), (entry.name.count, 2), (entry.listedExtra, 2)])
      list += Self.little([(0, 2), (entry.disk, 2), (0, 2), (entry.attributes, 4), (entry.header ?? offset, 4)])
      list += entry.name
    }
    let start = bytes.count
    bytes += list + beforeEnd
    bytes += Self.little([(0x0605_4b50, 4), (disk, 2), (listDisk, 2), (countHere ?? entries.count, 2)])
    bytes += Self.little([(count ?? entries.count, 2), (listSize ?? list.count, 4), (listStart ?? start, 4)])
    return bytes + Self.little([(commentSize ?? comment.count, 2)]) + comment
  }

  private static func little(_ numbers: [(value: Int, bytes: Int)]) -> [UInt8] {
    numbers.flatMap { number in
      (0..<number.bytes).map { UInt8(truncatingIfNeeded: number.value >> (8 * $0)) }
    }
  }
}

/// Archives that others made.
private enum Example: CaseIterable {
  static let files = [
    "kit/a.txt": Array("hello, band\n".utf8),
    "kit/é.json": Array(String(repeating: "{\"pads\": [1, 2, 3, 4]}\n", count: 12).utf8),
  ]

  /// Python's zipfile, method 0.
  case stored
  /// Python's zipfile, method 8, with a folder.
  case deflated
  /// Python's zipfile, a comment that holds the end record's signature.
  case commented
  /// Python's zipfile, written to a pipe: sizes and check sums come after the bytes.
  case streamed

  var bytes: [UInt8] { Data(base64Encoded: base64).map { Array($0) } ?? [] }

  private var base64: String {
    switch self {
    case .stored:
      "UEsDBBQAAAAAAABgQV24gZvADAAAAAwAAAAJAAAAa2l0L2EudHh0aGVsbG8sIGJhbmQKUEsDBBQAAAgAAABgQV0oGQoyFAEAABQBAAAL"
        + "AAAAa2l0L8OpLmpzb257InBhZHMiOiBbMSwgMiwgMywgNF19CnsicGFkcyI6IFsxLCAyLCAzLCA0XX0KeyJwYWRzIjogWzEsIDIsIDMs"
        + "IDRdfQp7InBhZHMiOiBbMSwgMiwgMywgNF19CnsicGFkcyI6IFsxLCAyLCAzLCA0XX0KeyJwYWRzIjogWzEsIDIsIDMsIDRdfQp7InBh"
        + "ZHMiOiBbMSwgMiwgMywgNF19CnsicGFkcyI6IFsxLCAyLCAzLCA0XX0KeyJwYWRzIjogWzEsIDIsIDMsIDRdfQp7InBhZHMiOiBbMSwg"
        + "MiwgMywgNF19CnsicGFkcyI6IFsxLCAyLCAzLCA0XX0KeyJwYWRzIjogWzEsIDIsIDMsIDRdfQpQSwECFAMUAAAAAAAAYEFduIGbwAwA"
        + "AAAMAAAACQAAAAAAAAAAAAAApIEAAAAAa2l0L2EudHh0UEsBAhQDFAAACAAAAGBBXSgZCjIUAQAAFAEAAAsAAAAAAAAAAAAAAKSBMwAA"
        + "AGtpdC/DqS5qc29uUEsFBgAAAAACAAIAcAAAAHABAAAAAA=="
    case .deflated:
      "UEsDBBQAAAAAAABgQV0AAAAAAAAAAAAAAAAEAAAAa2l0L1BLAwQUAAAACAAAYEFduIGbwA4AAAAMAAAACQAAAGtpdC9hLnR4dMtIzcnJ"
        + "11FISsxL4QIAUEsDBBQAAAgIAABgQV0oGQoyHAAAABQBAAALAAAAa2l0L8OpLmpzb26rVipITClWslKINtRRMNJRMNZRMImt5aoeycIA"
        + "UEsBAhQDFAAAAAAAAGBBXQAAAAAAAAAAAAAAAAQAAAAAAAAAAAAQAO1BAAAAAGtpdC9QSwECFAMUAAAACAAAYEFduIGbwA4AAAAMAAAA"
        + "CQAAAAAAAAAAAAAApIEiAAAAa2l0L2EudHh0UEsBAhQDFAAACAgAAGBBXSgZCjIcAAAAFAEAAAsAAAAAAAAAAAAAAKSBVwAAAGtpdC/D"
        + "qS5qc29uUEsFBgAAAAADAAMAogAAAJwAAAAAAA=="
    case .commented:
      "UEsDBBQAAAAIAABgQV24gZvADgAAAAwAAAAJAAAAa2l0L2EudHh0y0jNycnXUUhKzEvhAgBQSwMEFAAACAgAAGBBXSgZCjIcAAAAFAEA"
        + "AAsAAABraXQvw6kuanNvbqtWKkhMKVayUog21FEw0lEw1lEwia3lqh7JwgBQSwECFAMUAAAACAAAYEFduIGbwA4AAAAMAAAACQAAAAAA"
        + "AAAAAAAApIEAAAAAa2l0L2EudHh0UEsBAhQDFAAACAgAAGBBXSgZCjIcAAAAFAEAAAsAAAAAAAAAAAAAAKSBNQAAAGtpdC/DqS5qc29u"
        + "UEsFBgAAAAACAAIAcAAAAHoAAAARAG1hZGUgYnkgUEsFBiBoYW5k"
    case .streamed:
      "UEsDBBQACAAIAABgQV0AAAAAAAAAAAAAAAAJAAAAa2l0L2EudHh0y0jNycnXUUhKzEvhAgBQSwcIuIGbwA4AAAAMAAAAUEsDBBQACAgI"
        + "AABgQV0AAAAAAAAAAAAAAAALAAAAa2l0L8OpLmpzb26rVipITClWslKINtRRMNJRMNZRMImt5aoeycIAUEsHCCgZCjIcAAAAFAEAAFBL"
        + "AQIUAxQACAAIAABgQV24gZvADgAAAAwAAAAJAAAAAAAAAAAAAACkgQAAAABraXQvYS50eHRQSwECFAMUAAgICAAAYEFdKBkKMhwAAAAU"
        + "AQAACwAAAAAAAAAAAAAApIFFAAAAa2l0L8OpLmpzb25QSwUGAAAAAAIAAgBwAAAAmgAAAAAA"
    }
  }

  static func bytes(hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// A deflate stream that unpacks to `count` zeros, one at least: a zero, and copies of it by 258.
  /// - Source: RFC 1951, 3.2.6, the fixed codes.
  static func deflatedZeros(_ count: Int) -> [UInt8] {
    var (bytes, byte, used): ([UInt8], UInt8, UInt8) = ([], 0, 0)
    func put(_ bits: [UInt8]) {
      for bit in bits {
        byte |= bit << used
        used += 1
        if used == 8 {
          bytes.append(byte)
          (byte, used) = (0, 0)
        }
      }
    }
    let zero: [UInt8] = [0, 0, 1, 1, 0, 0, 0, 0]
    // The last block, by the fixed codes.
    put([1, 1, 0])
    put(zero)
    for _ in 0..<(count - 1) / 258 { put([1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]) }
    for _ in 0..<(count - 1) % 258 { put(zero) }
    put([0, 0, 0, 0, 0, 0, 0])
    if used > 0 { bytes.append(byte) }
    return bytes
  }
}

/// Programs that this machine has, or has not.
private enum Tool {
  static func runs(_ command: String...) -> Bool { run(command) != nil }

  /// What the program says of a file with these bytes, whose path is its last argument; nil where it fails.
  static func output(of command: String..., file bytes: [UInt8]) throws -> String? {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("bandshell-\(UUID().uuidString).zip")
    defer { try? FileManager.default.removeItem(at: path) }
    try Data(bytes).write(to: path)
    return run(command + [path.path])
  }

  /// By `popen`, since Foundation's `Process` leaks, which the address sanitizer tells. No word may hold an apostrophe.
  private static func run(_ command: [String]) -> String? {
    let words = command.map { "'\($0)'" }.joined(separator: " ")
    guard let pipe = popen("PYTHONIOENCODING=utf-8 \(words) 2>/dev/null", "r") else { return nil }
    var told: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while case let count = fread(&chunk, 1, chunk.count, pipe), count > 0 { told += chunk.prefix(count) }
    return pclose(pipe) == 0 ? String(decoding: told, as: UTF8.self) : nil
  }
}
