import Glibc
import JamCore
import KitTestSupport
import TestSupport
import Testing

@testable import JamKit

/// Uploads of which libsndfile loses some sound, or all of it.
@Suite("Sound files that are not as they should be")
struct SoundFileTests {
  private func upload(_ name: String) throws -> FinishedSound {
    try FinishedSound(file: try Files.read(casesFolder + "/snd/" + name, limit: 1 << 20), named: name)
  }

  private func decode(_ bytes: [UInt8]) throws(KitError) -> Sound {
    try Sound(decoding: bytes, named: "test", byteLimit: 64 << 20)
  }

  @Test(
    "each has all of its sound",
    arguments: [
      ("09-size-0.wav", 0.5), ("24-two-data.wav", 0.5), ("30-id3-100k-front.wav", 2), ("32-id3-100k-front.aiff", 2),
      ("43-odd-name-nopad.aiff", 0.5), ("58-oggflac.oga", 0.5), ("72-chained.ogg", 1), ("73-chained.opus", 1),
    ])
  func lengths(name: String, seconds: Double) throws {
    let bytes = try Files.read(casesFolder + "/snd/" + name, limit: 1 << 20)
    let sound = try decode(bytes)
    #expect(abs(Double(sound.frames) / Double(sound.rate) - seconds) < 0.001)
    #expect(sound.peak > 0.05)
    // The second half is no silence.
    #expect(sound.part(Range(from: sound.frames / 2, to: sound.frames)).peak > 0.05)
    _ = try upload(name)
  }

  @Test("what had to be guessed is told to whoever brought it")
  func told() throws {
    #expect(try upload("09-size-0.wav").notes.first == MendedChunks.lostLength)
    #expect(try upload("24-two-data.wav").notes.first == "its 2 pieces of sound follow one another")
    #expect(try !upload("72-chained.ogg").notes.contains { $0.contains("pieces") })
  }

  @Test("floats on the scale of whole numbers are refused with what is wrong")
  func intScale() {
    #expect(throws: KitError("28-float-int-scale.wav", .damaged(cause: "it holds values that are no sound"))) {
      try upload("28-float-int-scale.wav")
    }
  }

  private static let tag: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 128)

  @Test(
    "a tag in front, or two, takes nothing away", arguments: [0x01_0002, 0x02_0002, 0x17_0002, 0x20_0060, 0x18_0002])
  func tags(code: Int) throws {
    let bytes = try Sound.tone(seconds: 0.5).file(SoundFormat(code: code))
    let plain = try decode(bytes)
    #expect(try decode(Self.tag + bytes) == plain)
    #expect(try decode(Self.tag + Self.tag + bytes) == plain)
  }

  @Test("MPEG audio keeps its tag, and what is only a tag is no sound")
  func mpegTags() throws {
    let format = SoundFormat(code: 0x23_0082)
    if format.carries(channels: 1, rate: 44_100) {
      let bytes = try Sound.tone(seconds: 0.5, rate: 44_100).file(format)
      #expect(SoundFile(Self.tag + bytes).links == [Self.tag + bytes])
      #expect(abs(try decode(Self.tag + bytes).frames - decode(bytes).frames) < 2_400)
    }
    for bytes in [
      Self.tag, Array(Self.tag.prefix(9)), Self.tag + Array("RIF".utf8), Array("ID3".utf8) + [4, 0, 0, 255],
    ] {
      #expect(throws: KitError.self) { try decode(bytes) }
    }
  }

  @Test("a recorder that lost power: WAV, AIFF and AU files whose length was never written", arguments: [1, 2])
  func lostPower(channels: Int) throws {
    let tone = Sound.tone(seconds: 0.25, channels: channels)
    var wave = try tone.file(SoundFormat(code: 0x01_0002))
    for index in Array(4..<8) + Array(40..<44) { wave[index] = 0 }
    var aiff = try tone.file(SoundFormat(code: 0x02_0002))
    let place = try #require(ChunkList(aiff)?.chunks.first { $0.name == "SSND" }).content.lowerBound
    for index in place - 4..<place { aiff[index] = 0 }
    for index in Array(4..<8) + Array(22..<26) { aiff[index] = 0 }
    var sun = try tone.file(SoundFormat(code: 0x03_0002))
    for index in 8..<12 { sun[index] = 0 }
    for bytes in [wave, aiff, sun] {
      let sound = try decode(bytes)
      #expect(sound.frames == tone.frames && sound.channels == channels)
      #expect(SoundFile(bytes).notes == [MendedChunks.lostLength])
    }
  }

  private static let wave16 = SoundFormat(code: 0x01_0002)

  /// Where a chunk's content begins.
  private func content(of name: String, in bytes: [UInt8], header: Int = 8) throws -> Int {
    let place = bytes.indices.first { bytes[$0...].starts(with: name.utf8) }
    return try #require(place) + header
  }

  @Test("the pieces of an AIFF's sound follow one another, as those of a WAV do")
  func piecesOfAIFF() throws {
    let aiff = try Sound.tone(seconds: 0.25).file(SoundFormat(code: 0x02_0002))
    let place = try content(of: "SSND", in: aiff)
    let frames = aiff[(place + 8)...]
    func piece(_ frames: ArraySlice<UInt8>, offset: UInt8) -> [UInt8] {
      let size = 8 + Int(offset) + frames.count
      let header: [UInt8] = [0, 0, UInt8(size >> 8), UInt8(size & 0xff), 0, 0, 0, offset, 0, 0, 0, 0]
      return Array("SSND".utf8) + header + [UInt8](repeating: 0x55, count: Int(offset)) + Array(frames)
    }
    let head = Array(aiff[..<(place - 8)])
    let bytes = head + piece(frames.prefix(10_000), offset: 0) + piece(frames.dropFirst(10_000), offset: 4)
    #expect(try decode(bytes) == decode(aiff))
    #expect(SoundFile(bytes).notes == ["its 2 pieces of sound follow one another"])
  }

  @Test("an RF64 whose length was never written has all of its sound, and one with it is left as it is")
  func longWave() throws {
    let plain = try Sound.tone(seconds: 0.25).file(SoundFormat(code: 0x22_0002))
    #expect(SoundFile(plain).links == [plain])
    var bytes = plain
    let sizes = try content(of: "ds64", in: bytes)
    for index in 0..<24 { bytes[sizes + index] = 0 }
    let place = try content(of: "data", in: bytes)
    for index in 1...4 { bytes[place - index] = 0xff }
    #expect(try decode(bytes).interleaved == decode(plain).interleaved)
    #expect(SoundFile(bytes).notes == [MendedChunks.lostLength])
  }

  @Test("a CAF file may leave its length open; where nobody wrote it, that is told", arguments: [UInt8(0), 0xff])
  func openCore(size: UInt8) throws {
    let plain = try Sound.tone(seconds: 0.25).file(SoundFormat(code: 0x18_0002))
    #expect(SoundFile(plain).links == [plain])
    var bytes = plain
    let place = try content(of: "data", in: bytes, header: 12)
    for index in 1...8 { bytes[place - index] = size }
    #expect(try decode(bytes).interleaved == decode(plain).interleaved)
    #expect(SoundFile(bytes).notes == (size == 0 ? [MendedChunks.lostLength] : []))
    // An empty one stays empty, and libsndfile's own words are nothing for people.
    let error = #expect(throws: KitError.self) { try decode(Array(bytes[..<place])) }
    #expect(error?.description.lowercased().contains("internal") == false)
  }

  @Test("a second piece of sound whose length is lost is not lost itself; one that is cut is damage")
  func secondPiece() throws {
    let plain = try Sound.tone(seconds: 0.25).file(Self.wave16)
    let frames = plain[44...]
    let first: [UInt8] = Array("data".utf8) + [0x10, 0x27, 0, 0] + Array(frames.prefix(10_000))
    let rest = Array(frames.dropFirst(10_000))
    let head: [UInt8] = Array(plain[..<36]) + first + Array("data".utf8)
    let lost: [UInt8] = head + [0, 0, 0, 0] + rest
    #expect(try decode(lost) == decode(plain))
    #expect(SoundFile(lost).notes == [MendedChunks.lostLength, "its 2 pieces of sound follow one another"])
    // 14,100 bytes, of which 14,000 are there.
    let cut: [UInt8] = head + [0x14, 0x37, 0, 0] + rest
    #expect(throws: KitError("test", .damaged(cause: "it ends after 24000 of its sound's 24100 bytes"))) {
      try decode(cut)
    }
  }

  @Test("an empty sound with other chunks behind it stays empty")
  func empty() throws {
    var wave = Array(try Sound.tone(seconds: 0.25).file(SoundFormat(code: 0x01_0002)).prefix(44))
    for index in 40..<44 { wave[index] = 0 }
    #expect(throws: KitError("test", .empty)) {
      try decode(wave + Array("LIST".utf8) + [4, 0, 0, 0] + Array("INFO".utf8))
    }
    #expect(throws: KitError("test", .empty)) { try decode(wave) }
  }

  @Test("an odd chunk without its padding hides nothing, and one with it is left as it is")
  func padding() throws {
    let plain = try Sound.tone(seconds: 0.1).file(SoundFormat(code: 0x01_0002))
    let chunk = Array("LIST".utf8) + [3, 0, 0, 0] + Array("abc".utf8)
    var (bare, padded) = (plain, plain)
    bare.insert(contentsOf: chunk, at: 12)
    padded.insert(contentsOf: chunk + [0], at: 12)
    #expect(try decode(bare) == decode(plain))
    #expect(try decode(padded) == decode(plain) && SoundFile(padded).links == [padded])
  }

  @Test("links of a chain with other rates and channels follow one another")
  func chain() throws {
    let format = SoundFormat(code: 0x20_0060)
    let first = try Sound.tone(440, seconds: 0.5).file(format)
    let second = try Sound.tone(880, seconds: 0.25, channels: 2, rate: 44_100).file(format)
    let sound = try decode(first + second)
    #expect(sound.channels == 2 && sound.rate == 48_000 && abs(sound.frames - 36_000) <= 2)
    #expect(abs(pitch(of: Array(sound.plane(1)[..<24_000]), near: 440) - 440) < 0.5)
    #expect(abs(pitch(of: Array(sound.plane(1)[24_000...]), near: 880) - 880) < 1)
    #expect(OggPages(first).links.count == 1 && OggPages(first + second + first).links.count == 3)
    let error = #expect(throws: KitError.self) {
      try Sound(decoding: first + second, named: "test", byteLimit: 120_000)
    }
    #expect(error?.reason == .kitTooLarge(limit: 120_000))
  }

  @Test("what lies between two links is passed over, and told")
  func strays() throws {
    let format = SoundFormat(code: 0x20_0060)
    let (first, second) = (
      try Sound.tone(440, seconds: 0.5).file(format), try Sound.tone(880, seconds: 0.25).file(format)
    )
    let whole = try decode(first + second)
    // What looks like a page's beginning, too.
    let strays = [UInt8](repeating: 0x78, count: 60) + Array("OggS".utf8) + [UInt8](repeating: 0, count: 36)
    var notes: [String] = []
    let sound = try Sound(
      decoding: SoundFile(first + strays + second), named: "test", byteLimit: 64 << 20, notes: &notes)
    #expect(sound == whole && notes == ["100 bytes inside the file cannot be read; left out"])
    #expect(SoundFile(first + second).notes == [] && SoundFile(first + strays).notes == [])
  }

  @Test("a link that holds no sound costs itself alone, and that is told")
  func lostLink() throws {
    // libsndfile 1.2 itself loses 5 KiB at each damaged Ogg file, which a leak check would tell of.
    if dlsym(nil, "__asan_init") != nil { return }
    let format = SoundFormat(code: 0x20_0060)
    let good = try Sound.tone(440, seconds: 0.5).file(format)
    let cut = Array(try Sound.tone(880, seconds: 0.25).file(format).prefix(2_000))
    for (bytes, part) in [(good + cut, 2), (cut + good, 1)] {
      var notes: [String] = []
      let sound = try Sound(decoding: SoundFile(bytes), named: "test", byteLimit: 64 << 20, notes: &notes)
      #expect(try sound == decode(good))
      #expect(notes.last?.hasPrefix("part \(part) of 2 was left out: it ") == true, "\(notes)")
    }
    #expect(throws: KitError.self) { try decode(cut + cut) }
  }

  @Test("damaged files of these kinds end in an error or a sound, never a crash")
  func mutations() throws {
    let names = ["09-size-0.wav", "24-two-data.wav", "43-odd-name-nopad.aiff", "58-oggflac.oga"]
    for (seed, name) in names.enumerated() {
      let bytes = try Files.read(casesFolder + "/snd/" + name, limit: 1 << 20)
      var chance = SplitMix(seed: UInt64(seed))
      for _ in 0..<200 {
        let damaged = chance.damaging(bytes, head: 160)
        if let sound = try? decode(damaged) { #expect(sound.interleaved.count * 4 <= 64 << 20) }
        _ = SoundMarks(damaged)
      }
    }
  }

  @Test("a WAV's and a FLAC file's smpl chunk tell the note and the loop")
  func marks() throws {
    let bytes = try Files.read(casesFolder + "/sfz-smpl-loop/t.wav", limit: 1 << 20)
    let marks = SoundMarks(bytes)
    #expect(marks.root == 60 && marks.loop == SoundLoop(start: 24_000, end: 27_669))
    let chunk = try #require(ChunkList(bytes)?["smpl"])
    let block = Array("riffsmpl".utf8) + [60, 0, 0, 0] + chunk
    var flac = try Sound.tone(seconds: 0.1).file()
    // Behind STREAMINFO, which is no longer the last block then, or not yet.
    flac.insert(contentsOf: [2, 0, 0, UInt8(block.count)] + block, at: 42)
    flac[4] &= 0x7f
    #expect(SoundMarks(flac) == marks)
    #expect(SoundMarks([]) == SoundMarks(Array("fLaC".utf8)) && SoundMarks([]).root == nil)
    // A tag in front hides nothing.
    #expect(SoundFile.marks(of: Self.tag + bytes) == marks && SoundFile.marks(of: Self.tag + flac) == marks)
  }
}
