import Glibc
import JamCore
import KitTestSupport
import TestSupport
import Testing

@testable import JamKit

/// A container and an encoding by libsndfile's numbers (`sndfile.h`).
struct NamedFormat: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let code: Int
  /// How far a value may be off.
  let tolerance: Float
  /// What is lossy may also shift and pad.
  var isLossy = false

  static let all = [
    NamedFormat(testDescription: "WAV 8", code: 0x01_0005, tolerance: 0.01),
    NamedFormat(testDescription: "WAV 16", code: 0x01_0002, tolerance: 1e-4),
    NamedFormat(testDescription: "WAV 24", code: 0x01_0003, tolerance: 1e-6),
    NamedFormat(testDescription: "WAV 32", code: 0x01_0004, tolerance: 1e-6),
    NamedFormat(testDescription: "WAV float", code: 0x01_0006, tolerance: 0),
    NamedFormat(testDescription: "WAV double", code: 0x01_0007, tolerance: 0),
    NamedFormat(testDescription: "WAV mu-law", code: 0x01_0010, tolerance: 0.02),
    NamedFormat(testDescription: "WAV IMA ADPCM", code: 0x01_0012, tolerance: 0.05, isLossy: true),
    NamedFormat(testDescription: "WAVEX 24", code: 0x13_0003, tolerance: 1e-6),
    NamedFormat(testDescription: "AIFF 16", code: 0x02_0002, tolerance: 1e-4),
    NamedFormat(testDescription: "AIFF 24", code: 0x02_0003, tolerance: 1e-6),
    NamedFormat(testDescription: "AU 16", code: 0x03_0002, tolerance: 1e-4),
    NamedFormat(testDescription: "CAF float", code: 0x18_0006, tolerance: 0),
    NamedFormat(testDescription: "W64 16", code: 0x0B_0002, tolerance: 1e-4),
    NamedFormat(testDescription: "RF64 16", code: 0x22_0002, tolerance: 1e-4),
    NamedFormat(testDescription: "FLAC 16", code: 0x17_0002, tolerance: 1e-4),
    NamedFormat(testDescription: "FLAC 24", code: 0x17_0003, tolerance: 1e-6),
    NamedFormat(testDescription: "Ogg Vorbis", code: 0x20_0060, tolerance: 0.05, isLossy: true),
    NamedFormat(testDescription: "MP3", code: 0x23_0082, tolerance: 0.05, isLossy: true),
  ]
}

@Suite("Decoding")
struct SoundDecodingTests {
  @Test("every format gives back the sound that was stored, mono and stereo", arguments: NamedFormat.all, [1, 2])
  func formats(format: NamedFormat, channels: Int) throws {
    let sound = Sound.tone(seconds: 0.5, channels: channels, rate: 44_100)
    let code = SoundFormat(code: format.code)
    guard code.carries(channels: channels, rate: 44_100) else { return }  // an older libsndfile knows fewer
    let bytes = try sound.file(code)
    let decoded = try Sound(decoding: bytes, named: "test", byteLimit: 64 << 20)
    #expect(decoded.channels == channels)
    #expect(decoded.rate == 44_100)
    if format.isLossy {
      let measured = pitch(of: Array(decoded.plane(0).prefix(20_000)), near: 440, rate: 44_100)
      #expect(abs(measured - 440) < 0.25)
      #expect(abs(decoded.frames - sound.frames) < 4_000)
      #expect(abs(decoded.peak - sound.peak) < format.tolerance)
    } else {
      #expect(decoded.frames >= sound.frames)
      #expect(zip(decoded.interleaved, sound.interleaved).allSatisfy { abs($0 - $1) <= format.tolerance })
    }
  }

  @Test(
    "every rate keeps its pitch within one cent and its length within one frame",
    arguments: [8_000, 11_025, 16_000, 22_050, 32_000, 37_123, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000])
  func rates(rate: Int) throws {
    let tone = Sound.tone(seconds: 0.5, channels: 2, rate: rate)
    let bytes = try tone.file(SoundFormat(code: 0x01_0006))
    let sound = try Sound(decoding: bytes, named: "test", byteLimit: 64 << 20).resampled(named: "test")
    #expect(sound.rate == 48_000)
    #expect(abs(Double(sound.frames) - Double(tone.frames) * 48_000 / Double(rate)) <= 1)
    let cent = 440 * (PortableMath.ratio(semitones: 0.01) - 1)
    #expect(abs(pitch(of: sound.plane(0), near: 440) - 440) < cent / 10)
    #expect(abs(pitch(of: sound.plane(1), near: 440) - 440) < cent / 10)
    // In the middle, where no edge rings, the level is kept.
    let middle = sound.plane(0)[6_000..<18_000].reduce(0) { max($0, abs($1)) }
    #expect(abs(middle - 1 / 3) < 0.001)
  }

  @Test("resampling the same sound twice gives the same bits")
  func deterministic() throws {
    let sound = Sound.tone(1_000, channels: 2, rate: 44_100)
    let first = try sound.resampled(named: "test").interleaved
    let second = try sound.resampled(named: "test").interleaved
    #expect(first.map(\.bitPattern) == second.map(\.bitPattern))
  }

  @Test("what resampling adds stays 100 dB below a tone")
  func resamplingNoise() throws {
    let sound = try Sound.tone(1_000, seconds: 1.4, rate: 44_100).resampled(named: "test")
    // Whole periods from the middle, so that the window's edges add nothing of their own.
    let cut = Array(sound.interleaved[4_800..<52_800])
    var residue = 0.0
    var power = 0.0
    var re = 0.0
    var im = 0.0
    for (n, value) in cut.enumerated() {
      re += Double(value) * PortableMath.cosine(turns: Double(n) / 48)
      im += Double(value) * PortableMath.sine(turns: Double(n) / 48)
    }
    for (n, value) in cut.enumerated() {
      let tone =
        (re * PortableMath.cosine(turns: Double(n) / 48) + im * PortableMath.sine(turns: Double(n) / 48)) * 2
        / Double(cut.count)
      residue += (Double(value) - tone) * (Double(value) - tone)
      power += Double(value) * Double(value)
    }
    #expect(residue / power < 1e-10)
  }

  @Test(
    "kinds that phones and browsers record in are named, with the kinds that are read",
    arguments: [
      ("\0\0\0\u{20}ftypM4A ", "MPEG-4, as .m4a and .mp4 are"), ("wvpk\0\0", "WavPack"), ("#!AMR\n", "AMR"),
    ])
  func foreign(beginning: String, kind: String) {
    let bytes = Array(beginning.utf8) + [UInt8](repeating: 0, count: 400)
    #expect(throws: KitError("test", .notSound(cause: "it is \(kind)"))) {
      _ = try Sound(decoding: bytes, named: "test", byteLimit: 1 << 20)
    }
    #expect(KitError("test", .notSound(cause: "")).description.contains("save it as WAV, AIFF, FLAC, Ogg"))
  }

  @Test("MPEG audio of the layers that are read is not taken for AAC")
  func mpeg() {
    #expect(ForeignSound.kind(of: [0xff, 0xfb, 0x90]) == nil && ForeignSound.kind(of: [0xff, 0xf3]) == nil)
    #expect(
      ForeignSound.kind(of: [0xff, 0xf1]) == "raw AAC" && ForeignSound.kind(of: [0x1a, 0x45, 0xdf, 0xa3]) != nil)
    #expect(ForeignSound.kind(of: [UInt8]()) == nil)
  }

  @Test("more than two channels are refused with their number")
  func channels() throws {
    var bytes = try Sound.tone(channels: 2).file(SoundFormat(code: 0x01_0002))
    bytes[22] = 6  // channels
    bytes[32] = 12  // bytes a frame
    let error = #expect(throws: KitError.self) { try decode(bytes) }
    #expect(error?.description == "test: has 6 channels; mix it down to mono or stereo")
  }

  @Test("text, nothing, and noise are no sound files")
  func notSound() {
    let text = #expect(throws: KitError.self) { try decode(Array("hello, this is text".utf8)) }
    #expect(text?.description.hasPrefix("test: is not a sound file that can be read (") == true)
    let empty = #expect(throws: KitError.self) { try decode([]) }
    #expect(empty?.reason == .empty)
    var noise = SplitMix(seed: 5)
    let random = (0..<10_000).map { _ in UInt8(truncatingIfNeeded: Int(noise.even() * 1e6)) }
    #expect(throws: KitError.self) { try decode(random) }
  }

  @Test("a FLAC file cut in the middle is damaged")
  func truncatedFLAC() throws {
    let bytes = try Sound.tone(seconds: 2).file()
    let error = #expect(throws: KitError.self) { try decode(Array(bytes.prefix(bytes.count / 2))) }
    guard case .damaged? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(
    "a file cut to a third is damaged wherever its header knows better",
    arguments: NamedFormat.all.filter { !["Ogg Vorbis", "MP3"].contains($0.testDescription) }, [1, 2])
  func cut(format: NamedFormat, channels: Int) throws {
    let code = SoundFormat(code: format.code)
    guard code.carries(channels: channels, rate: 44_100) else { return }
    let bytes = try Sound.tone(seconds: 1, channels: channels, rate: 44_100).file(code)
    let error = #expect(throws: KitError.self) { try decode(Array(bytes.prefix(bytes.count / 3))) }
    guard case .damaged? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("a length that was left open, as a pipe leaves it, is no damage", arguments: [UInt32(0), 0x7fff_f000, .max])
  func openLength(size: UInt32) throws {
    let tone = Sound.tone(seconds: 0.1)
    var wave = try tone.file(SoundFormat(code: 0x01_0002))
    for i in 0..<4 { wave[40 + i] = UInt8(truncatingIfNeeded: size >> (8 * i)) }
    #expect(SoundContainer(wave).shortfall == nil)
    if size != 0 { #expect(try decode(wave).frames == tone.frames) }
    var sun = try tone.file(SoundFormat(code: 0x03_0002))
    for i in 0..<4 { sun[8 + i] = UInt8(truncatingIfNeeded: size >> (24 - 8 * i)) }
    #expect(SoundContainer(sun).shortfall == nil)
    if size == .max { #expect(try decode(sun).frames == tone.frames) }
  }

  @Test("chunks before the sound are passed over, and what follows the sound may be cut") func chunks() throws {
    var wave = try Sound.tone(seconds: 0.1).file(SoundFormat(code: 0x01_0002))
    wave.insert(contentsOf: Array("LIST".utf8) + [3, 0, 0, 0] + Array("abc\0".utf8), at: 12)
    #expect(SoundContainer(wave).shortfall == nil)
    #expect(SoundContainer(wave + Array("LIST".utf8) + [0xff, 0, 0, 0]).shortfall == nil)
    let shortfall = try #require(SoundContainer(Array(wave.dropLast(100))).shortfall)
    #expect(shortfall.claimedBytes - shortfall.foundBytes == 100)
  }

  @Test("a header's claims allocate nothing", arguments: [UInt8(0x7f), 0xff])
  func claims(byte: UInt8) throws {
    var wave = try Sound.tone(seconds: 0.1).file(SoundFormat(code: 0x01_0002))
    for index in 40..<44 { wave[index] = byte }  // the data chunk's size
    let sound = try? decode(wave)
    #expect(sound.map { $0.frames < 10_000 } ?? true)
    var aiff = try Sound.tone(seconds: 0.1).file(SoundFormat(code: 0x02_0002))
    for index in 22..<26 { aiff[index] = byte }  // the frame count
    let other = try? decode(aiff)
    #expect(other.map { $0.frames < 10_000 } ?? true)
    var flac = try Sound.tone(seconds: 0.1).file()
    for index in 22..<26 { flac[index] = byte }  // the total's low 32 bits (RFC 9639 §8.2)
    #expect(throws: KitError.self) { try decode(flac) }
  }

  @Test("a rate of one frame a second is refused before it is resampled")
  func absurdRate() throws {
    var bytes = try Sound.tone(seconds: 0.1).file(SoundFormat(code: 0x01_0002))
    bytes.replaceSubrange(24..<28, with: [1, 0, 0, 0])
    let error = #expect(throws: KitError.self) { try decode(bytes) }
    #expect(error?.description == "test: claims 1 frames a second; save it at 48000")
  }

  @Test("sounds beyond the limit end with an error, however well they are packed")
  func limit() throws {
    let silence = Sound(interleaved: [Float](repeating: 0, count: 4_000_000), channels: 1, rate: 48_000)
    let bytes = try silence.file()
    #expect(bytes.count < 100_000)
    let error = #expect(throws: KitError.self) { try Sound(decoding: bytes, named: "test", byteLimit: 1 << 20) }
    #expect(error?.reason == .kitTooLarge(limit: 1 << 20))
  }

  @Test("floats that are no sound are refused", arguments: [Float.nan, .infinity, -.infinity, 1e30, -65])
  func notNumbers(value: Float) throws {
    var sound = Sound.tone()
    sound.interleaved[1_000] = value
    let error = #expect(throws: KitError.self) { try decode(try sound.file(SoundFormat(code: 0x01_0006))) }
    #expect(error?.reason == .damaged(cause: "it holds values that are no sound"))
  }

  @Test(
    "damaged files end in an error or a sound, never a crash",
    arguments: [0x01_0002, 0x02_0002, 0x17_0002, 0x18_0002, 0x20_0060])
  func mutations(code: Int) throws {
    // libsndfile 1.2 itself loses 5 KiB at each damaged Ogg file, which a leak check would tell of.
    if code == 0x20_0060, dlsym(nil, "__asan_init") != nil { return }
    let bytes = try Sound.tone(seconds: 0.05).file(SoundFormat(code: code))
    var chance = SplitMix(seed: UInt64(code))
    for _ in 0..<300 {
      if let sound = try? decode(chance.damaging(bytes, head: 120)) { #expect(sound.interleaved.count * 4 <= 64 << 20) }
    }
  }

  private func decode(_ bytes: [UInt8]) throws(KitError) -> Sound {
    try Sound(decoding: bytes, named: "test", byteLimit: 64 << 20)
  }

  @Test(
    "a sound that is brought to 48 kHz while it is read is the same to the bit as one that is resampled whole",
    arguments: [8_000, 44_100, 96_000, 192_000], [1, 2])
  func streaming(rate: Int, channels: Int) throws {
    let bytes = try Sound.tone(seconds: 1.1, channels: channels, rate: rate).file(SoundFormat(code: 0x01_0006))
    let whole = try Sound(decoding: bytes, named: "test", byteLimit: 64 << 20).resampled(named: "test")
    let streamed = try Sound(decoding: bytes, named: "test", byteLimit: 64 << 20, keeping: .none)
    #expect(streamed.interleaved == whole.interleaved && streamed.rate == 48_000)
  }

  @Test("a rate that no recording has takes no more memory than any other: it is brought to 48 kHz block by block")
  func highRate() throws {
    // Twenty seconds of it are 105 MB; packed they are some kilobytes.
    let rate = 655_350
    var quiet = Sound(
      interleaved: [Float](repeating: 0, count: rate * 20 * 2), channels: 2, rate: rate, depth: .sixteen)
    for frame in 0..<rate { quiet.interleaved[frame * 2] = frame / 400 % 2 == 0 ? 0.25 : -0.25 }
    let bytes = try quiet.flac(named: "test")
    quiet.interleaved = []
    #expect(bytes.count < 400_000)
    let sound = try Sound(decoding: bytes, named: "test", byteLimit: 64 << 20)
    #expect(sound.rate == 48_000 && sound.frames == 20 * 48_000)
    let own = try FinishedSound(file: bytes, named: "test")
    #expect(own.memory.view.duration.seconds < 2)
  }
}
