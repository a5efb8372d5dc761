import JamCore
import Testing

@testable import JamStream

struct StreamProfileTests {
  @Test("frame, bitrate and click are taken from the query, other words are left alone")
  func words() throws {
    let profile = try StreamProfile.rtp.applying([
      ("port", "5004"), ("frame", "10"), ("bitrate", "96000"), ("click", "1"), ("password", "x"), ("player", "ann"),
      ("token", "y"),
    ])
    #expect(profile == StreamProfile(application: .lowDelay, frame: .ms10, bitrate: .kbit96, hasClick: true))
  }

  @Test(
    "a bitrate goes to the nearest of four steps",
    arguments: [(64_000, 64_000), (79_999, 64_000), (80_001, 96_000), (128_000, 128_000), (200_000, 256_000)])
  func bitrates(wish: Int, step: Int) throws { #expect(StreamProfile.Bitrate(nearest: wish)?.rawValue == step) }

  @Test(
    "a bitrate that does not hold for the frame is raised to the lowest that does, whichever word comes first",
    arguments: [("2.5", 128_000, 256_000), ("5", 64_000, 128_000), ("10", 64_000, 96_000), ("20", 64_000, 96_000)])
  func lowest(frame: String, wish: Int, step: Int) throws {
    let words = [("frame", frame), ("bitrate", String(wish))]
    for words in [words, words.reversed()] {
      let profile = try StreamProfile.rtp.applying(words.map { (name: $0.0, value: $0.1) })
      #expect(profile.bitrate.rawValue == step)
      // What holds stays.
      #expect(try profile.applying([("bitrate", String(step))]) == profile)
    }
    #expect(try StreamProfile.rtp.applying([("frame", frame)]).bitrate.rawValue >= step)
  }

  @Test("what is out of range is refused, and the text says what would be right")
  func refusals() {
    let bad = [
      ("frame", "7", "frame=7 is not a frame length: use frame=2.5, 5, 10 or 20 (milliseconds)"),
      ("frame", "nan", "frame=nan is not a frame length: use frame=2.5, 5, 10 or 20 (milliseconds)"),
      ("bitrate", "63999", "bitrate=63999 is out of range: use 64000…256000 (bits per second)"),
      ("bitrate", "fast", "bitrate=fast is out of range: use 64000…256000 (bits per second)"),
      ("click", "maybe", "click=maybe is neither on nor off: use click=1 or click=0"),
    ]
    for (name, value, text) in bad {
      let error = #expect(throws: StreamError.self) { try StreamProfile.rtp.applying([(name, value)]) }
      #expect(error?.description == text)
      #expect(error?.kind == .badRequest)
    }
  }

  @Test("profiles that ask for the same share an encoder, whatever their words were")
  func sharing() throws {
    let a = try StreamProfile.rtp.applying([("bitrate", "127000"), ("frame", "5.0")])
    #expect(a == .rtp)
    #expect(try StreamProfile.rtp.applying([("click", "0")]) == .rtp)
    #expect(StreamProfile.rtp != StreamProfile(application: .audio, frame: .ms5))
  }

  @Test("a profile's query leads back to it")
  func query() throws {
    let profile = StreamProfile(application: .lowDelay, frame: .ms2_5, bitrate: .kbit256, hasClick: true)
    let words = profile.query.split(separator: "&").map { $0.split(separator: "=").map(String.init) }
    #expect(try StreamProfile.rtp.applying(words.map { (name: $0[0], value: $0[1]) }) == profile)
  }
}
