import JamCore
import Testing

@testable import JamKit

@Suite("Check")
struct KitCheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A tone that fades in and out: nothing to complain about.
  private func faded(_ change: (inout Float, Int) -> Void = { _, _ in }) throws -> [UInt8] {
    var sound = Sound.tone(seconds: 0.5)
    for n in sound.interleaved.indices {
      sound.interleaved[n] *= min(1, Float(min(n, sound.frames - 1 - n)) / 1_000)
      change(&sound.interleaved[n], n)
    }
    return try sound.file(SoundFormat(code: 0x01_0006))
  }

  private func problems() -> [String] {
    KitCheck.problems(of: KitFolder(folder.path + "/kit")).map { $0.description.replacing(folder.path + "/", with: "") }
  }

  @Test("a good kit has no problems")
  func good() throws {
    try folder.writeKit("kit", sounds: [("a.wav", try faded())])
    #expect(problems() == [])
  }

  @Test("everything that is wrong with the sounds is told at once")
  func sounds() throws {
    try folder.writeKit(
      "kit",
      sounds: [
        ("silent.wav", try faded { value, _ in value = 1e-5 }),
        ("loud.wav", try faded { value, _ in value *= 6 }),
        ("offset.wav", try faded { value, n in value += (1_000..<23_000).contains(n) ? 0.05 : 0 }),
        ("start.wav", try faded { value, n in value = n == 0 ? 0.9 : value }),
        ("end.wav", try faded { value, n in value = n == 23_999 ? -0.5 : value }),
        ("six.wav", Array("RIFF".utf8)),
        ("good.wav", try faded()),
      ])
    #expect(
      problems() == [
        "kit/silent.wav: is silent; replace it or leave the pad out",
        "kit/loud.wav: peaks at +6.0 dBTP; bring its true peak to -1 dBTP or below",
        "kit/offset.wav: has a constant offset of 0.046; filter it out",
        "kit/start.wav: starts with a click; cut it at a zero crossing",
        "kit/end.wav: ends with a click; fade it out",
        "kit/six.wav: is not a sound file that can be read (Format not recognised); save it as WAV or FLAC",
      ])
  }

  @Test("fields and sounds are told together, and files that nobody could read too")
  func together() throws {
    try folder.writeKit("kit", sounds: [("a.wav", try faded())])
    try folder.write(
      """
      { "format": 1, "name": "Kit", "moood": 1,
        "pads": [{ "pad": 1, "file": "a.wav", "name": "A", "gain": 40 }, { "pad": 2, "file": "none.wav", "name": "B" }] }
      """, to: "kit/kit.json")
    #expect(
      problems() == [
        "kit/kit.json: pad 1, gain: 40 is out of range; write -60…12 dB",
        "kit/kit.json: moood: no such field; remove it",
        "kit/none.wav: no such file; put it into the kit's folder or correct its name in kit.json",
      ])
  }

  @Test("a pad without a place is looked at as any other: its fields and its sounds")
  func strays() throws {
    try folder.writeKit("kit", sounds: [("a.wav", try faded()), ("quiet.wav", try faded { value, _ in value = 0 })])
    try folder.write(
      """
      { "format": 1, "name": "Kit", "pads": [
        { "pad": 17, "file": "none.wav", "name": "A", "gain": 40 }, { "pad": "x", "file": "quiet.wav", "name": "" },
        { "pad": 3, "file": "lost.wav", "name": "B" }, { "pad": 3, "file": "a.wav", "name": "C" }] }
      """, to: "kit/kit.json")
    #expect(
      Set(problems()) == [
        "kit/kit.json: pads[0], pad: 17 is out of range; write 1…16",
        "kit/kit.json: pads[0], gain: 40 is out of range; write -60…12 dB",
        "kit/kit.json: pads[1], pad: is a text; write a number",
        "kit/kit.json: pads[1], name: a text of 0 characters is out of range; write 1–32",
        "kit/kit.json: pad 3, pad: pad 3 is there twice; keep one",
        "kit/none.wav: no such file; put it into the kit's folder or correct its name in kit.json",
        "kit/lost.wav: no such file; put it into the kit's folder or correct its name in kit.json",
        "kit/quiet.wav: is silent; replace it or leave the pad out",
      ])
  }

  @Test("what could not be read is not told to be like something else")
  func unclear() throws {
    try folder.writeKit("kit", sounds: [("a.wav", try faded())])
    try folder.write(
      """
      { "format": 1, "name": "Kit", "pads": [
        { "pad": 1, "file": "../a.wav", "name": "A" }, { "pad": 2, "file": "../b.wav", "name": "B" },
        { "pad": 3, "file": "a.wav", "name": "C" }, { "pad": 4, "file": "a.wav", "name": "D", "transpose": 99 },
        { "pad": 5, "name": "E", "layers": [{ "files": ["/x.wav"] }] },
        { "pad": 6, "name": "F", "layers": [{ "files": ["/y.wav"] }] },
        { "pad": 7, "file": "a.wav", "name": "G", "gain": 99 }] }
      """, to: "kit/kit.json")
    let told = problems()
    #expect(told.count == 7, "\(told)")
    #expect(told.filter { $0.contains("is the same as") }.count == 1, "\(told)")
    #expect(told.contains("kit/kit.json: pad 7: is the same as pad 3; give it another sound or leave it out"))
  }

  @Test("a folder whose name is no id is told beside what is in it")
  func badID() throws {
    try folder.writeKit("My Kit", sounds: [("a.wav", try faded { value, _ in value = 0 })])
    let told = KitCheck.problems(of: KitFolder(folder.path + "/My Kit")).map(\.description)
    #expect(told.count == 2 && told[0].contains("is no kit id") && told[1].contains("is silent"), "\(told)")
  }

  @Test("that a kit is too large is told beside what else is wrong with it")
  func tooLarge() throws {
    try folder.writeKit(
      "kit", sounds: [("a.wav", try faded()), ("b.wav", try faded { value, n in value *= n % 2 == 0 ? 1 : 0.9 })])
    try folder.write(
      """
      { "format": 1, "name": "Kit", "pads": [{ "pad": 1, "file": "a.wav", "name": "A", "pan": 7 },
        { "pad": 2, "file": "b.wav", "name": "B" }] }
      """, to: "kit/kit.json")
    var limits = Limits.standard
    limits.kitBytes = 150_000
    let told = KitCheck.problems(of: KitFolder(folder.path + "/kit"), limits: limits)
    #expect(told.map(\.reason) == [.outOfRange(found: "7", expected: "-1…1"), .kitTooLarge(limit: 150_000)])
  }

  @Test("pads that sound the same are told, unless one is played otherwise")
  func duplicates() throws {
    try folder.writeKit("kit", sounds: [("a.wav", try faded()), ("copy.wav", try faded())])
    #expect(problems() == ["kit/kit.json: pad 2: is the same as pad 1; give it another sound or leave it out"])
    try folder.write(
      """
      { "format": 1, "name": "Kit", "pads": [
        { "pad": 1, "file": "a.wav", "name": "A" }, { "pad": 2, "file": "copy.wav", "name": "B", "transpose": 7 },
        { "pad": 3, "name": "C", "layers": [{ "upTo": 0.5, "files": ["a.wav"] }, { "files": ["a.wav", "copy.wav"] }] },
        { "pad": 4, "file": "a.wav", "name": "D", "gain": -6 }] }
      """, to: "kit/kit.json")
    #expect(problems() == ["kit/kit.json: pad 4: is the same as pad 1; give it another sound or leave it out"])
  }

  @Test("a sound of more than a minute is told")
  func tooLong() throws {
    var sound = Sound(interleaved: [], channels: 1, rate: 8_000)
    sound.interleaved = (0..<8_000 * 61).map { Float(ForgeMath.sine(turns: Double($0) / 40) / 3) }
    for n in 0..<400 {
      sound.interleaved[n] *= Float(n) / 400
      sound.interleaved[sound.interleaved.count - 1 - n] *= Float(n) / 400
    }
    try folder.writeKit("kit", sounds: [("a.flac", try sound.file())])
    #expect(problems() == ["kit/a.flac: is 61 s long; cut it to 60 s"])
  }

  @Test("every sound of every layer is looked at")
  func layers() throws {
    try folder.writeKit(
      "kit", sounds: [("good.wav", try faded()), ("silent.wav", try faded { value, _ in value = 0 })])
    try folder.write(
      """
      { "format": 1, "name": "Kit", "pads": [{ "pad": 1, "name": "A", "layers": [
        { "upTo": 0.5, "files": ["good.wav", "silent.wav"] }, { "files": ["good.wav", "none.wav"] }] }] }
      """, to: "kit/kit.json")
    #expect(
      problems() == [
        "kit/silent.wav: is silent; replace it or leave the pad out",
        "kit/none.wav: no such file; put it into the kit's folder or correct its name in kit.json",
      ])
  }

  @Test("a true peak between frames is found")
  func truePeak() {
    // A sine at a quarter of the rate, caught at 45 degrees: every frame lies 3 dB below the curve's top.
    let plane = (0..<4_800).map { Float(ForgeMath.sine(turns: Double($0) / 4 + 0.125)) }
    #expect(abs(plane[2_400]) < 0.708)
    #expect(abs(SoundMeasure.truePeak(plane) - 1) < 0.02)
  }
}
