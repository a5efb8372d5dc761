import JamCore
import KitTestSupport
import TestSupport
import Testing

@testable import JamImport
@testable import JamKit

@Suite("Archives")
struct ArchiveTests {
  private func read(_ tar: Tar, byteLimit: Int = 1 << 20, entryLimit: Int = 16) throws(KitError) -> [String: [UInt8]] {
    var reader = TarReader(tar.finished, named: "a.tar", byteLimit: byteLimit, entryLimit: entryLimit)
    return try reader.readAll()
  }

  @Test("files come out as they went in")
  func plain() throws {
    var tar = Tar()
    tar.add("kit/", kind: "5")
    tar.add("kit/a", Array("hello".utf8))
    tar.add("./b", [UInt8](repeating: 7, count: 1_024))
    tar.add("././@LongLink", Array((String(repeating: "d/", count: 90) + "long").utf8) + [0], kind: "L")
    tar.add("cut", [1])
    tar.add("PaxHeaders/x", Array("15 path=pax/é\n".utf8), kind: "x")
    tar.add("cut", [2])
    let files = try read(tar)
    #expect(files["kit/a"] == Array("hello".utf8) && files["b"]?.count == 1_024)
    #expect(files[String(repeating: "d/", count: 90) + "long"] == [1] && files["pax/é"] == [2] && files.count == 4)
  }

  @Test(
    "what has no place in a kit is refused by name",
    arguments: [
      ("/etc/passwd", "0", "/etc/passwd leads out of it"), ("a/../../b", "0", "leads out of it"),
      ("l", "2", "l is a link"), ("h", "1", "h is a link"), ("d", "3", "d is a device"), ("p", "6", "p is a pipe"),
      ("s", "S", "s is of an unknown kind"),
    ])
  func tricks(path: String, kind: String, text: String) {
    var tar = Tar()
    tar.add(path, kind: Character(kind))
    let error = #expect(throws: KitError.self) { try read(tar) }
    guard case .badArchive(let cause)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.contains(text))
  }

  @Test("bombs are refused: too many entries, too many bytes, sizes beyond the end")
  func bombs() {
    var many = Tar()
    for n in 0..<17 { many.add("\(n)") }
    #expect(throws: KitError("a.tar", .badArchive(cause: "it holds more than 16 entries"))) { try read(many) }
    var large = Tar()
    for n in 0..<3 { large.add("\(n)", [UInt8](repeating: 0, count: 400_000)) }
    #expect(throws: KitError("a.tar", .unpacksTooLarge(limit: 1 << 20))) { try read(large) }
    var lying = Tar()
    lying.add("a", [1], size: 1 << 32)
    #expect(throws: KitError("a.tar", .badArchive(cause: "an entry is longer than the archive"))) { try read(lying) }
    var pax = Tar()
    pax.add("x", Array("30 size=99999999999999999999\n".utf8), kind: "x")
    #expect(throws: KitError("a.tar", .badArchive(cause: "an extended header is damaged"))) { try read(pax) }
  }

  @Test("gzip is unpacked up to its limit, and damage is told")
  func gzip() throws {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let packed = HydrogenImportTests.gzipped(bytes)
    #expect(try Gzip.unpacked(packed, named: "a.gz", limit: 100_000) == bytes)
    #expect(throws: KitError("a.gz", .unpacksTooLarge(limit: 99_999))) {
      try Gzip.unpacked(packed, named: "a.gz", limit: 99_999)
    }
    #expect(throws: KitError("a.gz", .badArchive(cause: "it ends too early"))) {
      try Gzip.unpacked(Array(packed.dropLast(20)), named: "a.gz", limit: 100_000)
    }
    var damaged = packed
    damaged[damaged.count - 5] ^= 1
    #expect(throws: KitError("a.gz", .badArchive(cause: "its gzip data is damaged"))) {
      try Gzip.unpacked(damaged, named: "a.gz", limit: 100_000)
    }
  }

  @Test("damaged archives end in an error or in files, never in a crash")
  func fuzz() {
    var tar = Tar()
    tar.add("PaxHeaders/x", Array("14 path=pax/a\n".utf8), kind: "x")
    tar.add("a", Array(0..<200))
    tar.add("b", Array(0..<100))
    var random = SplitMix(seed: 87)
    var (read, refused) = (0, 0)
    for round in 0..<2_000 {
      var bytes = tar.finished
      for _ in 0...round / 2 % 4 {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if round % 2 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      var reader = TarReader(bytes, named: "a", byteLimit: 1 << 20, entryLimit: 16)
      do throws(KitError) {
        let files = try reader.readAll()
        read += 1
        #expect(files.keys.allSatisfy { KitFolder.objection(to: $0) == nil }, "\(files.keys) of \(bytes)")
        #expect(files.values.reduce(0) { $0 + $1.count } < bytes.count, "\(bytes)")
      } catch {
        refused += 1
        guard case .badArchive(let cause) = error.reason, error.file == "a", !cause.isEmpty else {
          Issue.record("\(error) of \(bytes)")
          return
        }
      }
    }
    #expect(read > 50 && refused > 500, "\(read), \(refused)")
  }
}
