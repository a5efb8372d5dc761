import JamCore
import KitTestSupport
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
    KitCheck.faults(of: KitFolder(folder.path + "/kit")).map { $0.description.replacing(folder.path + "/", with: "") }
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
        ("hard.wav", try faded { value, n in value = n < 40 ? 0.7 : value }),
        ("end.wav", try faded { value, n in value = n == 23_999 ? -0.5 : value }),
        ("six.wav", Array("RIFF".utf8)),
        ("good.wav", try faded()),
      ])
    #expect(
      problems() == [
        "kit/silent.wav: pad 1, file: is silent; replace it or leave the pad out",
        "kit/loud.wav: pad 2, file: peaks at +6.0 dBTP; bring its true peak to -1 dBTP or below",
        "kit/offset.wav: pad 3, file: has a constant offset of 0.046; filter it out",
        "kit/start.wav: pad 4, file: starts with a click; cut it at a zero crossing",
        "kit/end.wav: pad 6, file: ends with a click; fade it out",
        "kit/six.wav: pad 7, file: is not a sound file that can be read (Format not recognised); save it as \(SoundFormat.readable)",
      ])
  }

  @Test("a peak that rounds to full scale is told as above it")
  func justTooLoud() {
    let told = { KitError("a.wav", .tooLoud(decibels: $0)).description }
    #expect(told(0.049) == "a.wav: peaks just above 0 dBTP; bring its true peak to -1 dBTP or below")
    #expect(told(0.05).hasPrefix("a.wav: peaks at +0.1 dBTP; "))
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
        "kit/none.wav: pad 2, file: no such file; put it into the kit's folder or correct its name in kit.json",
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
        "kit/none.wav: pads[0], file: no such file; put it into the kit's folder or correct its name in kit.json",
        "kit/lost.wav: pad 3, file: no such file; put it into the kit's folder or correct its name in kit.json",
        "kit/quiet.wav: pads[1], file: is silent; replace it or leave the pad out",
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

  @Test("a key that is none is told, as no tuning would move its pad")
  func key() throws {
    let quieter = try faded { value, _ in value *= 0.9 }
    try folder.writeKit("kit", sounds: [("a.wav", try faded()), ("b.wav", quieter)])
    try folder.write(
      """
      { "format": 1, "name": "Kit", "pads": [
        { "pad": 1, "file": "a.wav", "name": "A", "key": "F# minor" },
        { "pad": 2, "file": "b.wav", "name": "B", "key": "H#" }] }
      """, to: "kit/kit.json")
    let told = problems()
    #expect(told.count == 1 && told[0].contains("pad 2, key") && told[0].contains("H#"), "\(told)")
  }

  @Test("a folder whose name is no id is told beside what is in it")
  func badID() throws {
    try folder.writeKit("My Kit", sounds: [("a.wav", try faded { value, _ in value = 0 })])
    let told = KitCheck.faults(of: KitFolder(folder.path + "/My Kit")).map(\.description)
    #expect(told.count == 2 && told[0].contains("is no kit id") && told[1].contains("is silent"), "\(told)")
  }

  @Test("that a kit is too large is told beside what else is wrong with it")
  func tooLarge() throws {
    try folder.writeKit(
      "kit",
      sounds: [
        ("a.wav", try faded()), ("b.wav", try faded { value, n in value *= n % 2 == 0 ? 1 : 0.9 }),
        ("c.wav", try faded { value, n in value *= n % 2 == 0 ? 1 : 0.8 }),
      ])
    try folder.write(
      """
      { "format": 1, "name": "Kit", "pads": [{ "pad": 1, "file": "a.wav", "name": "A", "pan": 7 },
        { "pad": 2, "file": "b.wav", "name": "B" }, { "pad": 3, "file": "c.wav", "name": "C" }] }
      """, to: "kit/kit.json")
    var limits = Limits.standard
    // One is 96,000 bytes as floats, and all three 144,000 in 16 bits.
    limits.kitBytes = 120_000
    let told = KitCheck.problems(of: KitFolder(folder.path + "/kit"), limits: limits)
    #expect(told.map(\.reason) == [.outOfRange(found: "7", expected: "-1…1"), .kitTooLarge(limit: 120_000)])
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
    sound.interleaved = (0..<8_000 * 61).map { Float(PortableMath.sine(turns: Double($0) / 40) / 3) }
    for n in 0..<400 {
      sound.interleaved[n] *= Float(n) / 400
      sound.interleaved[sound.interleaved.count - 1 - n] *= Float(n) / 400
    }
    try folder.writeKit("kit", sounds: [("a.flac", try sound.file())])
    #expect(problems() == ["kit/a.flac: pad 1, file: is 61 s long; cut it to 60 s"])
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
        "kit/silent.wav: pad 1, layers[0], files[1]: is silent; replace it or leave the pad out",
        "kit/none.wav: pad 1, layers[1], files[1]: no such file; put it into the kit's folder or correct its name in kit.json",
      ])
  }

  @Test("a name that is there twice is told with its pad and place, and the rest of the kit too")
  func repeats() throws {
    try folder.writeKit("kit", sounds: [("a.wav", try faded())])
    try folder.write(
      """
      { "format": 1, "name": "Kit", "name": "Again", "pads": [
        { "pad": 3, "file": "a.wav", "name": "A", "pan": 7, "gain": 1, "gain": 2 },
        { "pad": 4, "name": "B", "layers": [{ "files": ["none.wav"], "files": [] }] },
        { "file": "a.wav", "name": "C", "name": "D", "transpose": 1 }] }
      """, to: "kit/kit.json")
    #expect(
      problems() == [
        #"kit/kit.json: name: "name" (line 1, column 31) is there twice; keep one"#,
        #"kit/kit.json: pad 3, gain: "gain" (line 2, column 66) is there twice; keep one"#,
        #"kit/kit.json: pad 4, layers[0], files: "files" (line 3, column 64) is there twice; keep one"#,
        #"kit/kit.json: pads[2], name: "name" (line 4, column 35) is there twice; keep one"#,
        "kit/kit.json: pad 3, pan: 7 is out of range; write -1…1",
        "kit/kit.json: pads[2], pad: is missing; add its number, 1–16",
        "kit/none.wav: pad 4, layers[0], files[0]: no such file; put it into the kit's folder or correct its name in kit.json",
      ])
  }

  @Test("a file beside layers is looked at as well")
  func fileBesideLayers() throws {
    try folder.writeKit("kit", sounds: [("a.wav", try faded())])
    try folder.write(
      """
      { "format": 1, "name": "Kit", "pads": [
        { "pad": 1, "file": "none.wav", "name": "A", "layers": [{ "files": ["a.wav"] }] },
        { "pad": 2, "file": "../b.wav", "name": "B", "layers": 7 }] }
      """, to: "kit/kit.json")
    #expect(
      problems() == [
        "kit/kit.json: pad 1, file: cannot stand beside layers; keep one of them",
        "kit/kit.json: pad 2, layers: is a number; write a list",
        "kit/kit.json: pad 2, file: ../b.wav leads out of the kit's folder; copy the file into the folder",
        "kit/kit.json: pad 2, file: cannot stand beside layers; keep one of them",
        "kit/none.wav: pad 1, file: no such file; put it into the kit's folder or correct its name in kit.json",
      ])
  }

  @Test("a sound's fault names every pad that uses it")
  func users() throws {
    try folder.writeKit("kit", sounds: [("a.wav", try faded()), ("quiet.wav", try faded { value, _ in value = 0 })])
    try folder.write(
      """
      { "format": 1, "name": "Kit", "pads": [
        { "pad": 1, "file": "a.wav", "name": "A" }, { "pad": 2, "file": "quiet.wav", "name": "B" },
        { "pad": 9, "name": "C", "layers": [{ "upTo": 0.5, "files": ["quiet.wav"] }, { "files": ["quiet.wav", "a.wav"] }] }] }
      """, to: "kit/kit.json")
    #expect(problems() == ["kit/quiet.wav: pads 2, 9: is silent; replace it or leave the pad out"])
  }

  @Test("a pad that starts behind its sound's end is told, stretched or not")
  func late() throws {
    try folder.writeKit("kit", sounds: [("a.wav", try faded())])
    try folder.write(
      """
      { "format": 1, "name": "Kit", "pads": [
        { "pad": 1, "file": "a.wav", "name": "A", "start": 500 }, { "pad": 2, "file": "a.wav", "name": "B", "start": 499 },
        { "pad": 3, "file": "a.wav", "name": "C", "start": 900, "stretch": 2 },
        { "pad": 4, "file": "a.wav", "name": "D", "start": 300, "stretch": 0.5 }] }
      """, to: "kit/kit.json")
    #expect(
      problems() == [
        "kit/kit.json: pad 1, start: 500 ms into a.wav is out of range; write less than its 500 ms",
        "kit/kit.json: pad 4, start: 300 ms into a.wav is out of range; write less than its 250 ms",
      ])
  }

  @Test("folders without a kit are told where kits are expected, files are not")
  func strangers() throws {
    try folder.writeKit("kit", sounds: [("a.wav", try faded())])
    try folder.write("x", to: "lost/kick.wav")
    try folder.write("x", to: "notes.txt")
    try folder.write("x", to: "kit/more/b.wav")
    #expect(
      KitFolder.strangers(in: folder.path).map(\.description)
        == ["\(folder.path)/lost: holds no kit.json; add one, or move the folder elsewhere"])
    #expect(KitFolder.strangers(in: folder.path + "/kit") == [])
  }

  @Test("a sound file's values may be beyond all measure: what is wrong is said all the same")
  func beyondMeasure() {
    for level in [1e30, -1e30] {
      #expect(KitError("a.wav", .offset(level: level)).description.contains("has a constant offset of"))
      #expect(KitError("a.wav", .tooLoud(decibels: abs(level))).description.contains("dBTP"))
    }
  }

  @Test("a true peak between frames is found")
  func truePeak() {
    // A sine at a quarter of the rate, caught at 45 degrees: every frame lies 3 dB below the curve's top.
    let plane = (0..<4_800).map { Float(PortableMath.sine(turns: Double($0) / 4 + 0.125)) }
    #expect(abs(plane[2_400]) < 0.708)
    #expect(abs(SoundMeasure.truePeak(plane) - 1) < 0.02)
  }
}
