import JamCore
import KitTestSupport
import Testing

@testable import JamImport
@testable import JamKit

@Suite("SFZ import")
struct SFZImportTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (n, name) in ["kick", "soft", "hard 1", "hard 2", "hat", "open"].enumerated() {
      try folder.write(try Sound.faded(Double(200 + 50 * n), rate: 44_100).file(), to: "in/Samples/\(name).flac")
    }
  }

  private func importText(_ text: String, limits: Limits = .standard) throws -> KitImporter.Report {
    try folder.write(text, to: "in/My Drums.sfz")
    return try KitImporter.importKit(
      from: folder.path + "/in/My Drums.sfz", to: folder.path + "/kit", levels: false, limits: limits)
  }

  @Test("keys become pads with layers, round robin, chokes, gains, pans, tuning and loop modes")
  func everything() throws {
    try folder.write("<region> sample=kick.flac key=$KICK volume=-3 pan=-50 tune=50 transpose=-1", to: "in/kick.txt")
    let report = try importText(
      #"""
      // A comment <region>
      /* and a long
         one <region> sample=no.wav */
      <control> default_path=Samples\
      #define $KICK 36
      #include "kick.txt"
      <group> key=d2 loop_mode=one_shot
      <region> sample=soft.flac hivel=63
      <region> sample=hard 1.flac lovel=64 seq_length=2 seq_position=1
      <region> sample=hard 2.flac lovel=64 seq_length=2 seq_position=2 volume=2
      <group> group=1 off_by=2 key=42
      <region> sample=hat.flac loop_mode=no_loop
      <group> group=2 key=46
      <region> sample=open.flac loop_mode=loop_continuous note_polyphony=1
      """#)
    #expect(report.kind == .sfz && report.problems == [] && report.notes == [])
    #expect(KitCheck.faults(of: KitFolder(folder.path + "/kit")) == [])
    #expect(report.pads.map(\.source) == ["key 36", "key 38", "key 42", "key 46"])
    #expect(report.pads.map(\.description.name) == ["Kick", "Soft", "Hat", "Open"])
    let pads = report.pads.map(\.description)
    #expect(pads[0].settings.gain == -3 && pads[0].settings.pan == -0.5 && pads[0].settings.transpose == -0.5)
    #expect(pads[1].layers.map(\.files.count) == [1, 2] && pads[1].layers[0].upTo == 0.496)
    #expect(pads.map(\.settings.choke) == [0, 0, 1, 1])
    #expect(pads.map(\.settings.mode) == [.oneShot, .oneShot, .gate, .loop] && pads[3].settings.voices == 1)
    let kit = try KitFolder(folder.path + "/kit").load()
    #expect(kit.kit.name == "My Drums")
    // The second take of the round robin is 2 dB louder in itself.
    let peaks = kit.layers(Pad.all[1])[1].sounds.map { Sound($0.view).peak }
    #expect(abs(peaks[1] / peaks[0] - 1.259) < 0.01)
  }

  @Test("a byte order mark in front costs no region")
  func byteOrderMark() throws {
    let report = try importText(
      "\u{feff}<region> sample=Samples/kick.flac key=36\n<region> sample=Samples/hat.flac key=42")
    #expect(report.pads.map(\.source) == ["key 36", "key 42"] && report.notes == [])
  }

  @Test("a sample away from its own key is moved, and offset and end cut it")
  func pitchAndOffset() throws {
    let report = try importText(
      """
      <region> sample=Samples/kick.flac lokey=40 hikey=43 pitch_keycenter=45
      <region> sample=Samples/hat.flac key=50 pitch_keycenter=sample offset=2205 end=6614
      """)
    #expect(report.pads.map(\.description.settings.transpose) == [-5, 0])
    #expect(report.notes.map(\.text) == ["its keys 40–43 became one pad, at the lowest one's pitch"])
    let frames = try KitFolder(folder.path + "/kit").load().sample(Pad.all[1])?.frameCount
    #expect(frames == 4_800)
  }

  @Test("what cannot be carried over is told, by opcode and by region")
  func losses() throws {
    let report = try importText(
      """
      <curve> curve_index=7
      <global> ampeg_release=0.5 cutoff=500
      <region> sample=Samples/kick.flac key=36
      <region> sample=Samples/soft.flac key=36
      <region> sample=Samples/hat.flac key=42 trigger=release
      <region> sample=*sine key=43
      <region> sample=../outside.flac key=44
      """)
    #expect(report.pads.count == 1)
    #expect(
      report.notes.map(\.description) == [
        "<curve>: not carried over", "Samples/hat.flac: left out: its trigger is release",
        "*sine: left out: it names no sample file",
        "My Drums: names sounds outside of its folder; name the folder that holds both, and the file in it: "
          + "\(folder.path) --file in/My Drums.sfz",
        "ampeg_release: not carried over (3 regions)",
        "cutoff: not carried over (3 regions)",
        "Kick (key 36): Samples soft.flac left out: a pad has no two sounds at once",
        "key 44: left out: none of its sounds can be read",
      ])
    #expect(report.problems == [KitError(folder.path + "/in/../outside.flac", .leavesFolder(path: "../outside.flac"))])
  }

  @Test("values that cannot be are told with what was done, and a region with an unusable key is left out")
  func values() throws {
    let report = try importText(
      """
      <region> sample=Samples/kick.flac key=36 pan=abc volume=xyz pitch_keycenter=H4
      <region> sample=Samples/soft.flac key=200
      <region> sample=Samples/soft.flac key=H4
      <region> sample=Samples/soft.flac lokey=128 hikey=130
      <region> sample=Samples/soft.flac lokey=-5 hikey=130
      <region> sample=Samples/soft.flac lokey=50 hikey=40
      <region> sample=Samples/soft.flac key=40 lovel=100 hivel=50
      <region> sample=Samples/soft.flac key=40 end=-1
      <group> pan=150
      <region> sample=Samples/hard 1.flac key=41
      <region> sample=Samples/hard 2.flac key=42 hivel=200
      """)
    #expect(report.pads.map(\.source) == ["key 36", "key 41", "key 42"])
    #expect(report.pads.map(\.description.settings.pan) == [0, 1, 1])
    #expect(report.pads[0].description.settings.gain == 0 && report.pads[0].description.settings.transpose == 0)
    let noKey = "is no key; write 0–127, or a note from c-1 to g9"
    #expect(
      report.notes.map(\.description) == [
        "Samples/soft.flac: left out: its key=200 \(noKey)", "Samples/soft.flac: left out: its key=H4 \(noKey)",
        "Samples/soft.flac: left out: its lokey=128 \(noKey)", "Samples/soft.flac: left out: its lokey=-5 \(noKey)",
        "Samples/soft.flac: left out: its lowest key, 50, is above its highest, 40",
        "Samples/soft.flac: left out: its lovel=100 is above its hivel=50, so it never sounds",
        "Samples/soft.flac: left out: its end=-1 says that it never sounds",
        "Samples/kick.flac: its pan=abc is no number; taken as 0",
        "Samples/kick.flac: its volume=xyz is no number; taken as 0",
        "Samples/kick.flac: its pitch_keycenter=H4 is no key; taken as its key, or 60 without one",
        "Samples/hard 1.flac and 1 more: its pan=150 is out of -100…100; taken as 100",
        "Samples/hard 2.flac: its hivel=200 is out of 0…127; taken as 127",
      ])
  }

  @Test("a loop mode that is none is told, and so is what says itself that it has no key")
  func words() throws {
    let report = try importText(
      """
      <region> sample=Samples/kick.flac key=36 loop_mode=forever
      <region> sample=Samples/soft.flac key=37 loopmode=loop_continuous
      <region> sample=Samples/hat.flac lokey=-1
      <region> sample=Samples/open.flac key=38 loopmode=never
      """)
    #expect(report.pads.map(\.description.settings.mode) == [.oneShot, .loop, .oneShot])
    #expect(
      report.notes.map(\.description) == [
        "Samples/hat.flac: left out: it sounds at no key",
        "Samples/kick.flac: its loop_mode=forever is unknown; taken as one_shot",
        "Samples/open.flac: its loopmode=never is unknown; taken as one_shot",
      ])
  }

  @Test("of names that differ in capitals alone each is its own file")
  func capitalsCount() throws {
    for (n, name) in ["A/x", "a/x", "a/X"].enumerated() {
      try folder.write(try Sound.faded(Double(600 + 50 * n), rate: 44_100).file(), to: "in/\(name).flac")
    }
    let report = try importText(
      "<region> sample=a/x.flac key=36 <region> sample=a/X.flac key=37 <region> sample=a/X.FLAC key=38")
    let kit = try KitFolder(folder.path + "/kit").load()
    let hertz = try zip(report.pads, [650.0, 700]).map { pad, near in
      pitch(of: Sound(try #require(kit.sample(pad.pad))).plane(0), near: near)
    }
    // The third is found as the first of those by name, and is the same as the second: it takes no pad.
    #expect(report.pads.count == 2 && abs(hertz[0] - 650) < 0.5 && abs(hertz[1] - 700) < 0.5, "\(hertz)")
    #expect(report.problems == [])
  }

  @Test("a sample's name may differ in capitals, folders too; one that is not there is told")
  func capitals() throws {
    let report = try importText(
      "<region> sample=.\\SAMPLES\\Kick.FLAC key=36 <region> sample=samples/gone.flac key=37")
    #expect(report.pads.map(\.source) == ["key 36"])
    #expect(report.problems == [KitError(folder.path + "/in/samples/gone.flac", .noSuchSample)])
  }

  @Test("the sixteen lowest keys become pads, and the others are named")
  func tooMany() throws {
    var text = ""
    for key in (30..<48).reversed() {
      try folder.write(try Sound.faded(Double(200 + key), seconds: 0.05).file(), to: "in/\(key).flac")
      text += "<region> sample=\(key).flac key=\(key)\n"
    }
    let report = try importText(text)
    #expect(report.pads.map(\.source) == (30..<46).map { "key \($0)" })
    #expect(report.leftOut == ["key 46 (46)", "key 47 (47)"])
  }

  @Test(
    "an instrument without regions, with endless includes, or that is no text is an error",
    arguments: [
      ("", "holds no region with a sound that can be read, so nothing was imported"),
      ("#include \"My Drums.sfz\"", "it includes too many files"), ("a\0b", "it is no text"),
      ("<region", "a header is not closed"), ("#include \"../x\"", "leads out of"),
    ])
  func wrong(text: String, cause: String) {
    let error = #expect(throws: KitError.self) { try importText(text) }
    #expect(error?.description.contains(cause) == true)
    #expect(Files.names(in: folder.path)?.contains("kit") == false)
  }

  @Test("a folder with one SFZ file is that instrument")
  func inFolder() throws {
    try folder.write("<region> sample=Samples/kick.flac key=36", to: "in/a.sfz")
    let report = try KitImporter.importKit(from: folder.path + "/in", to: folder.path + "/kit", levels: false)
    #expect(report.kind == .sfz && report.pads.count == 1)
  }

  @Test("of a folder with several SFZ files one is asked for, by name")
  func several() throws {
    for name in ["a.sfz", "b.SFZ"] { try folder.write("<region> sample=Samples/kick.flac key=36", to: "in/" + name) }
    let error = #expect(throws: KitError.self) {
      try KitImporter.importKit(from: folder.path + "/in", to: folder.path + "/kit", levels: false)
    }
    #expect(
      error?.description == "\(folder.path)/in: holds 2 SFZ instruments; name one of them with --file: a.sfz, b.SFZ")
    #expect(Files.names(in: folder.path)?.contains("kit") == false)
  }

  @Test(
    "note names",
    arguments: [
      ("c\u{266f}4", 61), ("d\u{266d}4", 61), ("36.0", 36), ("36.5", nil), ("4x", nil), ("c4", 60), ("C#4", 61),
      ("db4", 61), ("b-1", 11), ("36", 36), ("x", nil), ("c10", nil),
    ])
  func notes(name: String, note: Int?) {
    #expect(SFZRegion.note(name) == note)
  }
}
