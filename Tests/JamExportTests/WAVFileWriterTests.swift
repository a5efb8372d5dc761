internal import Glibc
internal import JamCore
@testable internal import JamExport
internal import Testing

@Suite("WAV files") struct WAVFileWriterTests {
  private let metadata = WAVMetadata(
    description: "Ada é", start: StartTime(unixSeconds: 1_760_000_000, framesIntoSecond: 1_234, zoneSeconds: 7_200),
    software: ExportSoftware(name: "Bandshell", version: "1.2"),
    markers: [
      ExportMarker(frame: 2, text: "Täke"), ExportMarker(frame: 1, text: "b"), ExportMarker(frame: 99, text: "-"),
    ],
    loop: WAVLoop(beats: 8, beatsPerMinute: 93.5, beatsPerBar: 7, beatUnit: 8))

  private func write(
    _ samples: [Float], _ format: WAVFormat = .pcm24, channels: Int = 1, limit: Int = Int(UInt32.max)
  ) throws -> RIFFReader {
    let folder = Folder()
    var writer = try WAVFileWriter(
      path: folder.path + "/a.wav", format: format, channels: channels, metadata: metadata, sizeLimit: limit)
    #expect(folder.names == ["a.wav.part"])
    try samples.withUnsafeBufferPointer { try writer.append($0) }
    try writer.finish()
    #expect(folder.names == ["a.wav"])
    return try #require(RIFFReader(folder.bytes("a.wav")))
  }

  @Test("24 bits are rounded and clipped, and what is not a number is silent")
  func pcm24() throws {
    let file = try write([0.5, -1, 1, 2, -2, .nan, .infinity, 1.0 / 8_388_608])
    let half: [UInt8] = [0, 0, 0x40]
    let (least, most): ([UInt8], [UInt8]) = ([0, 0, 0x80], [0xff, 0xff, 0x7f])
    #expect(file["data"] == half + least + most + most + least + [0, 0, 0] + most + [1, 0, 0])
    #expect(file["fmt "] == [1, 0, 1, 0, 0x80, 0xbb, 0, 0, 0x80, 0x32, 2, 0, 3, 0, 24, 0])
    #expect(file.chunks.map(\.name) == ["JUNK", "bext", "fmt ", "acid", "data", "cue ", "LIST"])
    #expect(file["JUNK"]?.count == 28)
  }

  @Test("floats are kept as they are")
  func float32() throws {
    let file = try write([1.5, -0.1], .float32, channels: 2)
    #expect(file["data"]?.count == 8)
    #expect(RIFFReader.number(file["data"] ?? [], at: 0, 4) == Int(Float(1.5).bitPattern))
    #expect(file["fact"] == [1, 0, 0, 0])
    #expect(file["fmt "]?.count == 18)
    #expect(file["fmt "]?[0] == 3)
  }

  @Test("more than two channels are an extensible format")
  func extensible() throws {
    let file = try write([Float](repeating: 0, count: 12), channels: 6)
    let format = try #require(file["fmt "])
    #expect(format.count == 40)
    #expect(Array(format[0..<4]) == [0xfe, 0xff, 6, 0])
    #expect(Array(format[24...]) == [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71])
    #expect(file["fact"] == [2, 0, 0, 0])
  }

  @Test("bext tells who, when, and the frames since midnight")
  func broadcast() throws {
    let bext = try #require(try write([0, 0, 0])["bext"])
    func text(_ place: Int, _ width: Int) -> String {
      String(decoding: bext[place..<place + width].prefix { $0 != 0 }, as: UTF8.self)
    }
    #expect(text(0, 256) == "Ada ?")
    #expect(text(256, 32) == "Bandshell")
    #expect(text(320, 10) == "2025-10-09")
    #expect(text(330, 8) == "10:53:20")
    #expect(RIFFReader.number(bext, at: 338, 8) == (10 * 3_600 + 53 * 60 + 20) * 48_000 + 1_234)
    #expect(RIFFReader.number(bext, at: 346, 2) == 1)
    #expect(text(602, bext.count - 602) == "A=PCM,F=48000,W=24,M=mono,T=Bandshell 1.2\r\n")
  }

  @Test("acid ends with the tempo")
  func acid() throws {
    let acid = try #require(try write([0])["acid"])
    #expect(acid.count == 24)
    #expect(RIFFReader.number(acid, at: 0, 4) == 0)
    #expect(RIFFReader.number(acid, at: 12, 4) == 8)
    #expect(Array(acid[16..<20]) == [8, 0, 7, 0])
    #expect(RIFFReader.number(acid, at: 20, 4) == Int(Float(93.5).bitPattern))
  }

  @Test("markers are cues with labels, by time, within the sound")
  func cues() throws {
    let file = try write([0, 0, 0])
    let cues = try #require(file["cue "])
    #expect(cues.count == 4 + 2 * 24)
    #expect(RIFFReader.number(cues, at: 4 + 4, 4) == 1)
    #expect(RIFFReader.number(cues, at: 4 + 20, 4) == 1)
    #expect(RIFFReader.number(cues, at: 28 + 20, 4) == 2)
    let expected =
      Array("adtl".utf8) + Array("labl".utf8) + [6, 0, 0, 0, 1, 0, 0, 0] + Array("b\0".utf8)
      + Array("labl".utf8) + [10, 0, 0, 0, 2, 0, 0, 0] + Array("Täke\0".utf8)
    #expect(file["LIST"] == expected)
  }

  @Test("beyond the limit the file is an RF64 of the same length", arguments: [WAVFormat.pcm24, .float32])
  func rf64(format: WAVFormat) throws {
    let samples = [Float](repeating: 0.25, count: 333)
    let plain = try write(samples, format)
    let large = try write(samples, format, limit: plain.riffBytes)
    #expect(plain.name == "RIFF")
    #expect(large.name == "RF64")
    #expect(try write(samples, format, limit: plain.riffBytes + 1).name == "RIFF")
    #expect(large.riffBytes == plain.riffBytes)
    #expect(large["data"] == plain["data"])
    let sizes = try #require(large["ds64"])
    #expect(RIFFReader.number(sizes, at: 16, 8) == 333)
    #expect(RIFFReader.number(sizes, at: 24, 4) == 0)
    // libsndfile gives up at a `fact` in an RF64.
    #expect(large["fact"] == nil)
    #expect(large["cue "] == plain["cue "])
  }

  @Test("a file of more than 4 GiB says its true size")
  func sparse() throws {
    let folder = Folder()
    var writer = try WAVFileWriter(path: folder.path + "/big.wav", metadata: metadata)
    try writer.appendSilence(frames: 800_000_000)
    try writer.finish()
    var status = stat()
    #expect(stat(folder.path + "/big.wav", &status) == 0)
    let file = try #require(fopen(folder.path + "/big.wav", "r"))
    defer { fclose(file) }
    var head = [UInt8](repeating: 0, count: 48)
    #expect(fread(&head, 1, 48, file) == 48)
    #expect(Array(head[0..<8]) == Array("RF64".utf8) + [255, 255, 255, 255])
    #expect(RIFFReader.number(head, at: 20, 8) == Int(status.st_size) - 8)
    #expect(RIFFReader.number(head, at: 28, 8) == 4_800_000_000)
    #expect(RIFFReader.number(head, at: 36, 8) == 800_000_000)
  }

  @Test("sound that comes in many pieces is one sound")
  func pieces() throws {
    let folder = Folder()
    var writer = try WAVFileWriter(path: folder.path + "/a.wav", format: .float32, channels: 2)
    var expected: [UInt8] = []
    for piece in 0..<50 {
      let samples = (0..<9_000).map { Float(piece * 9_000 + $0) }
      for sample in samples { withUnsafeBytes(of: sample.bitPattern.littleEndian) { expected += $0 } }
      try samples.withUnsafeBufferPointer { try writer.append($0) }
    }
    #expect(writer.frameCount == 225_000)
    writer.metadata.markers = [ExportMarker(frame: 7, text: "late")]
    try writer.finish()
    let file = try #require(RIFFReader(folder.bytes("a.wav")))
    #expect(file["data"] == expected)
    #expect(file["cue "]?.count == 28)
  }

  @Test("an empty file is a file")
  func empty() throws {
    let file = try write([])
    #expect(file["data"] == [])
    #expect(file["cue "] == nil)
  }

  @Test("a writer that is dropped leaves nothing")
  func dropped() throws {
    let folder = Folder()
    folder.write("a.wav", [1])
    do {
      var writer = try WAVFileWriter(path: folder.path + "/a.wav")
      try [0, 0].withUnsafeBufferPointer { try writer.append($0) }
      #expect(folder.names == ["a.wav", "a.wav.part"])
      _ = consume writer
    }
    #expect(folder.names == ["a.wav"])
    #expect(folder.bytes("a.wav") == [1])
  }

  @Test("errors say what, where and why")
  func errors() throws {
    #expect(throws: ExportError.file(action: .open, path: "/nowhere/a.wav", code: ENOENT)) {
      _ = try WAVFileWriter(path: "/nowhere/a.wav")
    }
    #expect(
      ExportError.file(action: .open, path: "/nowhere/a.wav", code: ENOENT).description
        == "cannot open /nowhere/a.wav: No such file or directory")
    let folder = Folder()
    #expect(throws: ExportError.badChannels(0)) { _ = try WAVFileWriter(path: folder.path + "/a.wav", channels: 0) }
    #expect(throws: ExportError.partialFrame(samples: 3, channels: 2)) {
      var writer = try WAVFileWriter(path: folder.path + "/a.wav")
      try [0, 0, 0].withUnsafeBufferPointer { try writer.append($0) }
    }
    #expect(folder.names == [])
  }

  @Test("a full disk is an error, and leaves nothing")
  func fullDisk() throws {
    let folder = Folder()
    #expect(symlink("/dev/full", folder.path + "/a.wav.part") == 0)
    #expect(throws: ExportError.file(action: .write, path: folder.path + "/a.wav", code: ENOSPC)) {
      _ = try WAVFileWriter(path: folder.path + "/a.wav")
    }
    #expect(folder.names == [])
  }

  @Test("a session knows when it is a loop")
  func loops() {
    var session = ExportSession(name: "", frames: 192_000, tempo: Jam.constant(120), signatures: Jam.four)
    #expect(WAVMetadata(of: session, description: "").loop == WAVLoop(beats: 8, beatsPerMinute: 120))
    session.frames += 100
    #expect(WAVMetadata(of: session, description: "").loop == nil)
    session.frames = 192_000
    session.tempo.append(TempoStretch(frame: 96_000, beat: 4, beatsPerMinute: 121))
    #expect(WAVMetadata(of: session, description: "").loop == nil)
  }
}
