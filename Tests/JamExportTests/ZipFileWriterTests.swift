internal import Glibc
@testable internal import JamExport
internal import JamStore
internal import Testing

@Suite("Zip files") struct ZipFileWriterTests {
  @Test("the check sum is that of the standard, at any length and place")
  func checkSum() {
    #expect(CRC32.of(Array("123456789".utf8)) == 0xcbf4_3926)
    #expect(CRC32.of([]) == 0)
    let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for cut in [0, 1, 7, 8, 9, 500, 993] {
      var sum = CRC32()
      Array(bytes[..<cut]).withUnsafeBytes { sum.update($0) }
      Array(bytes[cut...]).withUnsafeBytes { sum.update($0) }
      #expect(sum.value == CRC32.of(bytes))
    }
  }

  @Test("entries are stored as they are, at no time, in order")
  func stored() throws {
    let folder = Folder()
    let sound = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
    folder.write("sound", sound)
    var zip = try ZipFileWriter(path: folder.path + "/a.zip")
    try zip.add("é.txt", [1, 2, 3])
    try zip.add("stems/sound.wav", fileAt: folder.path + "/sound")
    try zip.finish()
    #expect(folder.names == ["a.zip", "sound"])
    let bytes = folder.bytes("a.zip")
    #expect(Array(bytes[..<14]) == [0x50, 0x4b, 3, 4, 20, 0, 0, 8, 0, 0, 0, 0, 0x21, 0])
    #expect(RIFFReader.number(bytes, at: 14, 4) == Int(CRC32.of([1, 2, 3])))
    #expect(Array(bytes[30..<39]) == Array("é.txt".utf8) + [1, 2, 3])
    // The second head was written again with the check sum.
    #expect(RIFFReader.number(bytes, at: 39 + 14, 4) == Int(CRC32.of(sound)))
    #expect(RIFFReader.number(bytes, at: 39 + 18, 4) == sound.count)
    #expect(Array(bytes[39 + 30 + 15..<39 + 30 + 15 + sound.count]) == sound)
    let end = Array(bytes.suffix(22))
    #expect(RIFFReader.number(end, at: 8, 2) == 2)
    #expect(RIFFReader.number(end, at: 16, 4) == 39 + 30 + 15 + sound.count)
  }

  @Test("beyond the limit sizes and places have 64 bits")
  func large() throws {
    let folder = Folder()
    var zip = try ZipFileWriter(path: folder.path + "/a.zip", limit: 100)
    try zip.add("a", [UInt8](repeating: 7, count: 200))
    try zip.add("b", [8])
    try zip.finish()
    let bytes = folder.bytes("a.zip")
    #expect(RIFFReader.number(bytes, at: 4, 2) == 45)
    #expect(RIFFReader.number(bytes, at: 18, 4) == 0xffff_ffff)
    #expect(Array(bytes[31..<35]) == [1, 0, 16, 0])
    #expect(RIFFReader.number(bytes, at: 35, 8) == 200)
    let second = 30 + 1 + 20 + 200
    let list = second + 32
    // The list holds the first's sizes and the second's place.
    #expect(RIFFReader.number(bytes, at: list, 4) == 0x0201_4b50)
    #expect(Array(bytes[list + 47..<list + 51]) == [1, 0, 16, 0])
    let listed = list + 47 + 20
    #expect(RIFFReader.number(bytes, at: listed + 42, 4) == 0xffff_ffff)
    #expect(RIFFReader.number(bytes, at: listed + 51, 8) == second)
    let end = listed + 47 + 12
    #expect(RIFFReader.number(bytes, at: end, 4) == 0x0606_4b50)
    #expect(RIFFReader.number(bytes, at: end + 48, 8) == list)
    #expect(RIFFReader.number(bytes, at: end + 56, 4) == 0x0706_4b50)
    #expect(RIFFReader.number(bytes, at: end + 64, 8) == end)
    #expect(bytes.count == end + 56 + 20 + 22)
  }

  @Test(
    "paths that leave the folder are refused",
    arguments: ["", "/a", "../a", "a/../b", "a//b", "a\\b", "C:a", "b/c:a", "a\nb", "a\u{85}b", "."])
  func badPaths(path: String) throws {
    let folder = Folder()
    #expect(throws: ExportError.badPath(path)) {
      var zip = try ZipFileWriter(path: folder.path + "/a.zip")
      try zip.add(path, [])
    }
    #expect(folder.names == [])
  }

  @Test("a path is there once")
  func twice() throws {
    let folder = Folder()
    #expect(throws: ExportError.duplicatePath("a")) {
      var zip = try ZipFileWriter(path: folder.path + "/a.zip")
      try zip.add("a", [])
      try zip.add("a", [])
    }
  }

  @Test("a wish to stop leaves nothing")
  func cancelled() throws {
    let folder = Folder()
    folder.write("sound", [UInt8](repeating: 0, count: 3 << 20))
    var asked = 0
    #expect(throws: ExportError.cancelled) {
      var zip = try ZipFileWriter(path: folder.path + "/a.zip")
      try zip.add("s", fileAt: folder.path + "/sound") {
        asked += 1
        return asked == 3
      }
    }
    #expect(asked == 3)
    #expect(folder.names == ["sound"])
  }

  @Test("a missing file is named")
  func missing() throws {
    let folder = Folder()
    #expect(throws: ExportError.file(action: .open, path: "/nowhere", code: ENOENT)) {
      var zip = try ZipFileWriter(path: folder.path + "/a.zip")
      try zip.add("s", fileAt: "/nowhere")
    }
    #expect(folder.names == [])
  }
}
