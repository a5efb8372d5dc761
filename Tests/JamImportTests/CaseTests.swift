import JamCore
import KitTestSupport
import Testing

@testable import JamImport
@testable import JamKit

/// Small inputs after files that people have: what each becomes.
@Suite("Files as people have them")
struct CaseTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func kit(_ name: String, file: String? = nil) throws(KitError) -> KitImporter.Report {
    try KitImporter.importKit(from: casesFolder + "/" + name, file: file, to: folder.path + "/kit", levels: false)
  }

  private func instrument(
    _ name: String, file: String? = nil
  ) throws(KitError) -> (report: InstrumentImporter.Report, made: InstrumentDescription) {
    let report = try InstrumentImporter.importInstrument(
      from: casesFolder + "/" + name, file: file, to: folder.path + "/instrument")
    return (report, InstrumentFolder(folder.path + "/instrument").describe())
  }

  /// The keys of pads, as `key 36` says them.
  private func keys(_ report: KitImporter.Report) -> [String] { report.pads.map(\.source) }

  @Test(
    "an SFZ file's text is a stream of tokens",
    arguments: [
      ("sfz-star-comment", [36, 38]), ("sfz-two-defines", [36, 38]), ("sfz-redefine", [36, 38]),
      ("sfz-dollar-include", [36]), ("sfz-spaces", [36, 38]), ("sfz-unicode-sharp", [37, 39]),
      ("sfz-number-tail", [36, 38, 40]), ("sfz-key-in-group", [36, 38, 42]), ("sfz-note-offset", [36, 38]),
      ("sfz-trigger-first", [36]), ("sfz-utf16", [36]), ("sfz-leading-backslash", [36]), ("sfz-prefix-path", [36]),
      ("sfz-nfd", [36]), ("sfz-inline-include", [36, 38]), ("sfz-programs", [36, 38]),
    ])
  func tokens(name: String, expected: [Int]) throws {
    let report = try kit(name)
    #expect(keys(report) == expected.map { "key \($0)" })
    #expect(report.problems == [] && report.notes == [], "\(report.notes)")
    #expect(KitCheck.faults(of: KitFolder(folder.path + "/kit")) == [])
  }

  @Test("numbers are numbers with spaces, units and commas around them")
  func numbers() throws {
    #expect(try kit("sfz-spaces").pads.map(\.description.settings.gain) == [-12, 0])
    try KitFolder(folder.path + "/kit").delete()
    #expect(try kit("sfz-number-tail").pads.map(\.description.settings.gain) == [-12, -6.5, 0])
  }

  @Test("what is defined and included within a line makes layers")
  func layers() throws {
    let report = try kit("sfz-inline-include")
    #expect(report.pads.map { $0.description.layers.map(\.upTo) } == [[0.496, 1], [0.496, 1]])
  }

  @Test("a piano of sixteen included files has all of its notes and layers")
  func piano() throws {
    let (report, made) = try instrument("sfz-salamander-shape")
    #expect(report.problems == [])
    #expect(made.instrument?.zones.map(\.low) == [21, 23, 26, 29])
    #expect(made.instrument?.zones.map(\.root) == [21, 24, 27, 30])
    #expect(made.layers.map(\.count) == [4, 4, 4, 4])
  }

  @Test("all keys of a file are moved by its octave_offset")
  func octaves() throws {
    let zone = try #require(try instrument("sfz-octave-offset").made.instrument?.zones.first)
    #expect(zone.root == 60 && zone.low == 60 && zone.high == 71)
  }

  @Test("pitch_keycenter=sample asks the sound's own file")
  func keyCenter() throws {
    let zone = try #require(try instrument("sfz-keycenter-sample").made.instrument?.zones.first)
    #expect(zone.root == 48 && zone.low == 36 && zone.high == 60)
  }

  @Test("of key switches the one sounds that holds at first, and the others are told")
  func keySwitches() throws {
    let (report, made) = try instrument("sfz-keyswitch")
    #expect(made.instrument?.zones.count == 1 && made.layers.map(\.count) == [1])
    let sound = try KitLoader(catalogue: KitCatalogue(scanning: [folder.path + "/instrument"])).load("instrument")
    let plane = Sound(try #require(sound.memory(Pad.all[0]))).plane(0)
    #expect(abs(pitch(of: plane, near: 880) - 880) < 1)
    #expect(
      report.notes.map(\.description).contains(
        "a.wav: left out: it sounds after the key switch 24, and 25 holds"), "\(report.notes)")
  }

  @Test("of what hangs on a controller that sounds which sounds at rest")
  func controllers() throws {
    let report = try kit("sfz-cc-gate")
    #expect(report.pads.map(\.source) == ["key 42"] && report.pads[0].description.layers.map(\.files.count) == [1])
    #expect(
      report.notes.map(\.description) == [
        "d0.wav: left out: it sounds where controller 4 is at 64–127, and at rest that is at 0"
      ])
    let sound = try KitFolder(folder.path + "/kit").load().memory(Pad.all[0])
    let own = try Sound(
      decoding: Files.read(casesFolder + "/sfz-cc-gate/d1.wav", limit: 1 << 20), named: "d1", byteLimit: 1 << 20)
    #expect(abs(Sound(try #require(sound)).peak - own.peak) < 0.001)
  }

  @Test(
    "a sound's own loop goes round, wherever its chunk lies, and where the SFZ file says nothing",
    arguments: ["sfz-smpl-loop", "sfz-smpl-before-data", "sfz-smpl-loop-default"])
  func ownLoops(name: String) throws {
    let (report, made) = try instrument(name)
    #expect(made.layers.first?.first?.loops == [SoundLoop(start: 24_000, end: 27_669)], "\(report.notes)")
  }

  @Test("a tag in front of a sound hides neither its note nor its loop")
  func tagged() throws {
    let tag: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 128)
    let bytes = tag + (try Files.read(casesFolder + "/sfz-smpl-loop/t.wav", limit: 1 << 20))
    let loop = SoundLoop(start: 24_000, end: 27_669)
    for isDecodedFirst in [false, true] {
      var files = ImportFiles(archive: "a", ["t.wav": bytes], root: "", limits: .standard)
      if isDecodedFirst { _ = try files.sound("t.wav") }
      let marks = files.marks(of: "t.wav")
      #expect(marks?.root == 60 && marks?.loop == loop)
    }
  }

  @Test("where nothing is left, the reasons are told with the error")
  func reasons() throws {
    try folder.write(
      "<region> sample=a.wav trigger=release <region> sample=*saw key=40 <region> key=41 sample=gone.wav",
      to: "x.sfz")
    let error = #expect(throws: KitError.self) {
      try KitImporter.importKit(from: folder.path + "/x.sfz", to: folder.path + "/kit", levels: false)
    }
    guard case .nothingToImport(.sfz, let unread, let notes)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(unread == [KitError(folder.path + "/gone.wav", .noSuchSample)])
    #expect(
      notes == [
        "a.wav: left out: its trigger is release", "*saw: left out: it names no sample file",
        "key 41: left out: none of its sounds can be read",
      ])
    let other = #expect(throws: KitError.self) {
      try InstrumentImporter.importInstrument(from: folder.path + "/x.sfz", to: folder.path + "/instrument")
    }
    guard case .nothingToImport(.sfz, let missing, let told)? = other?.reason else {
      Issue.record("\(String(describing: other))")
      return
    }
    #expect(missing == unread && told.contains("a.wav: left out: its trigger is release"))
  }

  // MARK: - Where files lie

  @Test("a folder and the file in it: its sounds lie anywhere in the folder")
  func folderAndFile() throws {
    #expect(keys(try kit("sfz-programs", file: "Programs/x.sfz")) == ["key 36", "key 38"])
    try KitFolder(folder.path + "/kit").delete()
    // The name says that it holds programs alone.
    #expect(keys(try kit("sfz-programs/Programs/x.sfz")) == ["key 36", "key 38"])
    try folder.write("<region> key=60 sample=../../Samples/a.flac", to: "lib/Sets/Soft/x.sfz")
    try folder.write(try Sound.faded().file(), to: "lib/Samples/a.flac")
    try folder.write(try Sound.faded(300).file(), to: "outside.flac")
    let report = try InstrumentImporter.importInstrument(
      from: folder.path + "/lib", file: "sets/soft/X.sfz", to: folder.path + "/instrument")
    #expect(report.problems == [] && report.zones.count == 1)
  }

  @Test("nothing leads out of that folder, and what tries is told with the way to go")
  func escapes() throws {
    try folder.write(try Sound.faded().file(), to: "lib/Samples/a.flac")
    try folder.write(try Sound.faded(300).file(), to: "outside.flac")
    try folder.write(
      #"""
      <region> key=36 sample=../Samples/a.flac <region> key=37 sample=../../outside.flac
      <region> key=38 sample=..\..\outside.flac <region> key=39 sample=/etc/../outside.flac
      <region> key=40 sample=\..\outside.flac <region> key=41 sample=C:\..\..\outside.flac
      """#, to: "lib/Programs/x.sfz")
    let report = try KitImporter.importKit(
      from: folder.path + "/lib", file: "Programs/x.sfz", to: folder.path + "/kit", levels: false)
    #expect(keys(report) == ["key 36"] && report.problems.count == 5)
    #expect(
      report.problems.allSatisfy {
        switch $0.reason {
        case .leavesFolder, .noSuchSample: true
        default: false
        }
      }, "\(report.problems)")
    for file in ["../outside.flac", "/etc/passwd", "..\\outside.flac"] {
      #expect(throws: KitError.self) {
        try KitImporter.importKit(from: folder.path + "/lib", file: file, to: folder.path + "/other", levels: false)
      }
    }
    try folder.write("<region> key=36 sample=../Samples/a.flac", to: "lib/Odd/x.sfz")
    let error = #expect(throws: KitError.self) {
      try KitImporter.importKit(from: folder.path + "/lib/Odd/x.sfz", to: folder.path + "/other", levels: false)
    }
    guard case .nothingToImport(_, _, let notes)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    let hint = "name the folder that holds both, and the file in it:"
    #expect(notes.contains { $0.hasSuffix("\(hint) \(folder.path)/lib --file Odd/x.sfz") }, "\(notes)")
    // As many levels as the sounds lie above it.
    try folder.write("<region> key=36 sample=../../Samples/a.flac", to: "lib/Drums/Sets/x.sfz")
    let deeper = #expect(throws: KitError.self) {
      try KitImporter.importKit(from: folder.path + "/lib/Drums/Sets/x.sfz", to: folder.path + "/other", levels: false)
    }
    guard case .nothingToImport(_, _, let told)? = deeper?.reason else {
      Issue.record("\(String(describing: deeper))")
      return
    }
    #expect(told.contains { $0.hasSuffix("\(hint) \(folder.path)/lib --file Drums/Sets/x.sfz") }, "\(told)")
  }

  @Test("a folder of programs, and a file of one without its folder, have their sounds beside that folder")
  func programsFolder() throws {
    try folder.write(try Sound.faded().file(), to: "lib/Samples/a.flac")
    try folder.write("<region> key=36 sample=../Samples/a.flac", to: "lib/Programs/x.sfz")
    // The working folder is the process's own: a dot at the end stands for it here.
    for source in ["lib/Programs", "lib/Programs/", "lib/Programs/x.sfz", "lib/Programs/.", "lib/Programs/./x.sfz"] {
      let report = try KitImporter.importKit(from: folder.path + "/" + source, to: folder.path + "/kit", levels: false)
      #expect(keys(report) == ["key 36"] && report.notes == [], "\(source)")
      try KitFolder(folder.path + "/kit").delete()
    }
  }

  @Test("of a library with several programs one is asked for, by its path")
  func programs() throws {
    for name in ["a", "b"] { try folder.write("<region> sample=../Samples/k.flac", to: "lib/Programs/\(name).sfz") }
    let error = #expect(throws: KitError.self) {
      try KitImporter.importKit(from: folder.path + "/lib", to: folder.path + "/kit", levels: false)
    }
    #expect(error?.reason == .severalInstruments(["Programs/a.sfz", "Programs/b.sfz"]))
    #expect(throws: KitError(folder.path + "/lib/Programs/c.sfz", .noSource)) {
      try KitImporter.importKit(
        from: folder.path + "/lib", file: "Programs/c.sfz", to: folder.path + "/kit", levels: false)
    }
  }

  @Test(
    "a Hydrogen kit's files are found by any slash and capitals, and where a path of somebody's disk ends in the kit",
    arguments: [("h2-backslash", ["Kick"]), ("h2-abs", ["Kick", "Snare"]), ("h2-doctype", ["Kick"])])
  func hydrogen(name: String, pads: [String]) throws {
    let report = try kit(name)
    #expect(report.pads.map(\.description.name) == pads && report.problems == [] && report.notes == [])
  }

  @Test("an instrument's first component with sounds is taken, with its component's volume")
  func components() throws {
    let report = try kit("h2-two-components")
    #expect(report.pads.map(\.description.name) == ["Kick"] && report.notes == [])
    try KitFolder(folder.path + "/kit").delete()
    #expect(try kit("h2-component-volume").pads.map(\.description.settings.gain) == [-12])
  }

  @Test("a Hydrogen kit's archive with backslashes, and names of a Mac in it")
  func archive() throws {
    let sound = try Sound.faded().file()
    let xml = """
      <drumkit_info><name>K</name><instrumentList><instrument><name>Kick</name>
      <layer><filename>Samples\\H\u{fc}mpel.FLAC</filename></layer></instrument></instrumentList></drumkit_info>
      """
    var tar = Tar()
    tar.add("K/drumkit.xml", Array(xml.utf8))
    tar.add("K/Samples/Hu\u{308}mpel.flac", sound)
    try folder.write(tar.finished, to: "k.h2drumkit")
    let report = try KitImporter.importKit(from: folder.path + "/k.h2drumkit", to: folder.path + "/kit", levels: false)
    #expect(report.pads.count == 1 && report.problems == [])
  }

  @Test(
    "a drumkit.xml is known in any capitals, and in an archive behind either slash",
    arguments: ["Drumkit.xml", "K/DrumKit.XML", "K\\drumkit.xml", "K/Drumkit.xml"])
  func markers(name: String) throws {
    let sound = try Sound.faded().file()
    let xml = """
      <drumkit_info><name>K</name><instrumentList><instrument><name>Kick</name>
      <layer><filename>a.flac</filename></layer></instrument></instrumentList></drumkit_info>
      """
    var tar = Tar()
    tar.add(name, Array(xml.utf8))
    tar.add((name.contains("K/") ? "K/" : name.contains("\\") ? "K\\" : "") + "a.flac", sound)
    try folder.write(tar.finished, to: "k.h2drumkit")
    let packed = try KitImporter.importKit(from: folder.path + "/k.h2drumkit", to: folder.path + "/kit", levels: false)
    #expect(packed.pads.map(\.source) == ["Kick"] && packed.problems == [])
    guard !name.contains("K") else { return }
    try folder.write(xml, to: "set/" + name)
    try folder.write(sound, to: "set/a.flac")
    let open = try KitImporter.importKit(from: folder.path + "/set", to: folder.path + "/other", levels: false)
    #expect(open.kind == .hydrogen && open.pads.map(\.source) == ["Kick"] && open.problems == [])
  }

  @Test("a kit.json is known in any capitals")
  func kitMarkers() throws {
    let json = #"{"format": 1, "name": "K", "pads": [{"pad": 1, "file": "a.flac", "name": "Hat"}]}"#
    let sound = try Sound.faded().file()
    for place in ["", "K/"] {
      let files = [place + "Kit.JSON": Array(json.utf8), place + "a.flac": sound]
      let bundle = try KitFolder.bundle(of: files, named: "z")
      #expect(Set(bundle.keys) == ["kit.json", "a.flac"])
    }
    try folder.write(json, to: "big-kit/Kit.json")
    try folder.write(sound, to: "big-kit/a.flac")
    #expect(try KitFolder.folders(in: folder.path).map(\.id) == ["big-kit"])
    #expect(try KitFolder(folder.path + "/big-kit").load().sample(Pad.all[0]) != nil)
  }

  @Test("a kit.json names its files as a Mac, as a Windows program or with other capitals, and they are found")
  func kitNames() throws {
    let mac = KitFolder(casesFolder + "/kit-nfd/mac-kit")
    #expect(try mac.load().sample(Pad.all[0]) != nil)
    #expect(KitCheck.faults(of: mac) == [])
    try folder.write(
      #"{"format": 1, "name": "K", "pads": [{"pad": 1, "file": "Hats\\CLOSED.flac", "name": "Hat"}]}"#,
      to: "win-kit/kit.json")
    try folder.write(try Sound.faded().file(), to: "win-kit/hats/closed.flac")
    let other = KitFolder(folder.path + "/win-kit")
    #expect(try other.load().sample(Pad.all[0]) != nil)
    // It travels with the slash that all disks know.
    let files = try other.bundle()
    #expect(Set(files.keys) == ["kit.json", "Hats/CLOSED.flac"])
    let brought = try KitFolder.bundle(
      of: ["K/kit.json": files["kit.json"] ?? [], "K/hats/closed.flac": [1]], named: "z")
    #expect(brought["Hats/CLOSED.flac"] == [1])
    let written = try KitFolder.write(files, as: "win-two", in: folder.path)
    #expect(try written.load().sample(Pad.all[0]) != nil)
  }
}
