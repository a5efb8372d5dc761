import Glibc
import JamCore
import KitTestSupport
import Testing

@testable import JamImport
@testable import JamKit

@Suite("Import")
struct ImportTests {
  private let folder: TemporaryFolder
  private let wave = SoundFormat(code: 0x01_0002)

  init() throws { folder = try TemporaryFolder() }

  private func importAll() throws(KitError) -> KitImporter.Report {
    try KitImporter.importKit(from: folder.path + "/in", to: folder.path + "/my-kit", levels: false)
  }

  private func kit() throws -> LoadedKit {
    let catalogue = KitCatalogue(scanning: [folder.path + "/my-kit"])
    #expect(catalogue.problems == [])
    return try KitLoader(catalogue: catalogue).load("my-kit")
  }

  @Test("files of any kind go in natural order to pads, with names and categories")
  func order() throws {
    let sounds: [(String, Sound, Int)] = [
      ("10_Open-Hat.aif", .tone(seconds: 0.1, channels: 2, rate: 44_100), 0x02_0003),
      ("2 snare.flac", .tone(rate: 96_000), 0x17_0003),
      ("1 BassDrum02.wav", .tone(rate: 8_000), 0x01_0002),
      ("3 Hi-Hat.ogg", .tone(seconds: 0.5, rate: 22_050), 0x20_0060),
      ("weird_thing.WAV", .tone(channels: 2), 0x01_0006),
    ]
    for (name, sound, code) in sounds { try folder.write(try sound.file(SoundFormat(code: code)), to: "in/\(name)") }
    let report = try importAll()
    #expect(report.problems == [] && report.leftOut == [])
    #expect(
      report.pads.map(\.source) == [
        "1 BassDrum02.wav", "2 snare.flac", "3 Hi-Hat.ogg", "10_Open-Hat.aif", "weird_thing.WAV",
      ])
    #expect(report.pads.map(\.description.name) == ["Bass Drum 02", "Snare", "Hi Hat", "Open Hat", "Weird thing"])
    #expect(report.pads.map(\.description.category) == [.kick, .snare, .hat, .hat, .other])
    #expect(report.pads.map(\.description.settings.choke) == [0, 0, 1, 1, 0])
    let loaded = try kit()
    #expect(loaded.kit.name == "In")
    #expect(Pad.all.prefix(6).map { loaded.sample($0)?.isStereo } == [false, false, false, true, true, nil])
    #expect(loaded.sample(Pad.all[0])?.frameCount == 12_000)
  }

  @Test("copies are the same to the bit: 16 bits stay 16, more become 24")
  func depth() throws {
    for (index, code) in [0x01_0002, 0x01_0003, 0x01_0006].enumerated() {
      let tone = Sound.faded(440 + Double(index), channels: 2, rate: 44_100)
      try folder.write(try tone.file(SoundFormat(code: code)), to: "in/\(["a", "b", "c"][index]).wav")
    }
    let report = try importAll()
    for pad in report.pads {
      let source = try decode("in/\(pad.source)")
      let copy = try decode("my-kit/\(pad.description.file)")
      #expect(copy.rate == 44_100 && copy.channels == 2)
      #expect(copy.depth == (pad.source == "a.wav" ? .sixteen : .twentyFour))
      let step: Float = pad.source == "c.wav" ? 0.6 / 8_388_608 : 0
      #expect(zip(copy.interleaved, source.interleaved).allSatisfy { abs($0 - $1) <= step })
    }
  }

  @Test("a float source above full scale is turned down, and its pad up")
  func loud() throws {
    var tone = Sound.faded()
    tone.interleaved = tone.interleaved.map { $0 * 6 }
    try folder.write(try tone.file(SoundFormat(code: 0x01_0006)), to: "in/a.wav")
    let report = try importAll()
    #expect(report.pads[0].description.settings.gain == 6)
    #expect(try decode("my-kit/01-a.flac").peak > 0.999)
  }

  @Test("beyond sixteen files, the rest is a kit that follows; what cannot be read takes no pad")
  func tooMany() throws {
    for n in 1...18 { try folder.write(try Sound.faded(Double(400 + n)).file(wave), to: "in/\(n).wav") }
    try folder.write("not a sound", to: "in/0 readme.txt")
    try folder.write([], to: "in/0 empty.wav")
    let report = try importAll()
    #expect(report.pads.count == 16 && report.leftOut == [])
    #expect(try following(report) == [["17", "18"]])
    #expect(report.pads.map(\.description.name) == (1...16).map(String.init))
    #expect(report.problems.map(\.file) == ["0 empty.wav", "0 readme.txt"].map { folder.path + "/in/" + $0 })
  }

  /// The names of the pads of the kits that follow.
  private func following(_ report: KitImporter.Report) throws -> [[String]] {
    try report.following.map { kit in try KitFolder(kit.path).load().kit.pads.compactMap { $0?.name } }
  }

  @Test("where a kit that follows has no place, its sounds are named, and the first one stays")
  func noPlace() throws {
    for n in 1...18 { try folder.write(try Sound.faded(Double(400 + n)).file(wave), to: "in/\(n).wav") }
    try folder.writeKit("my-kit-2", sounds: [("x.flac", try Sound.faded().file())])
    let report = try importAll()
    #expect(report.pads.count == 16 && report.following.isEmpty && report.leftOut == ["17.wav", "18.wav"])
    #expect(report.problems == [KitError(folder.path + "/my-kit-2", .alreadyThere)])
    #expect(try KitFolder(folder.path + "/my-kit-2").load().kit.pads.compactMap { $0?.name } == ["Sound 1"])
  }

  @Test("folders in a folder of sounds are told, also where there is nothing else")
  func subfolders() throws {
    try folder.write(try Sound.faded().file(wave), to: "in/808/kick.wav")
    let source = folder.path + "/in"
    let error = #expect(throws: KitError.self) { try importAll() }
    #expect(
      error?.reason == .nothingToImport(.folder, unread: [KitError(source, .subfolders(1))]),
      "\(error.debugDescription)")
    try folder.write(try Sound.faded().file(wave), to: "in/909/kick.wav")
    try folder.write(try Sound.faded().file(wave), to: "in/a.wav")
    #expect(
      try importAll().problems.map(\.description) == [
        "\(source): its 2 subfolders were not looked into; import them one by one"
      ])
  }

  @Test("an import of nothing is an error that knows what is wrong with each file, and leaves nothing behind")
  func nothing() throws {
    let source = folder.path + "/in"
    try folder.write([], to: "in/1 empty.wav")
    try folder.write("text", to: "in/2 readme.txt")
    let error = #expect(throws: KitError.self) { try importAll() }
    guard case .nothingToImport(_, let unread, _) = error?.reason else { throw error ?? KitError(source, .empty) }
    #expect(unread.map(\.file) == [source + "/1 empty.wav", source + "/2 readme.txt"])
    #expect(
      error?.description
        == "\(source): holds no sound file that can be read, so nothing was imported; name a folder of WAV, AIFF, FLAC, OGG or MP3 files"
    )
    #expect(Files.names(in: folder.path)?.sorted() == ["in"])
    let missing = #expect(throws: KitError.self) {
      try KitImporter.importKit(from: folder.path + "/none", to: folder.path + "/my-kit", levels: false)
    }
    #expect(missing?.reason == .noSource)
  }

  @Test("a target that is taken, or whose name is no id, is refused before any work")
  func target() throws {
    try folder.write(try Sound.tone().file(wave), to: "in/a.wav")
    try folder.write("keep me", to: "my-kit/notes.txt")
    #expect(throws: KitError(folder.path + "/my-kit", .alreadyThere)) { try importAll() }
    #expect(Files.names(in: folder.path + "/my-kit") == ["notes.txt"])
    unlink(folder.path + "/my-kit/notes.txt")
    _ = try importAll()
    let id = #expect(throws: KitError.self) {
      try KitImporter.importKit(from: folder.path + "/in", to: folder.path + "/My Kit", levels: false)
    }
    #expect(id?.reason == .badID)
    let unwritable = #expect(throws: KitError.self) {
      try KitImporter.importKit(from: folder.path + "/in", to: "/proc/kit", levels: false)
    }
    #expect(unwritable?.description.hasSuffix("check permissions and free space") == true)
  }

  @Test("sounds that no longer fit into the kit are told, and the others imported")
  func budget() throws {
    for n in 1...3 { try folder.write(try Sound.faded(Double(400 + n), seconds: 1).file(wave), to: "in/\(n).wav") }
    try folder.write(try Sound.tone(seconds: 0.1).file(wave), to: "in/4.wav")
    var limits = Limits()
    limits.kitBytes = 225_000
    let report = try KitImporter.importKit(
      from: folder.path + "/in", to: folder.path + "/my-kit", levels: false, limits: limits)
    #expect(report.pads.map(\.source) == ["1.wav", "2.wav", "4.wav"])
    #expect(report.problems == [KitError(folder.path + "/in/3.wav", .kitTooLarge(limit: 225_000))])
  }

  @Test("what kits check would object to is put right or left out, and told")
  func repairs() throws {
    var long = Sound.tone(seconds: 61, rate: 8_000)
    long.depth = .sixteen
    var offset = Sound.faded()
    offset.interleaved = offset.interleaved.map { $0 / 2 + 0.1 }
    var clipped = Sound.faded()
    clipped.interleaved = clipped.interleaved.map { min(max($0 * 30, -1), 1) }
    var silent = Sound.faded()
    silent.interleaved = silent.interleaved.map { $0 * 1e-4 }
    let faded = Sound.faded()
    let sounds = [
      ("1 long", long), ("2 offset", offset), ("3 clipped", clipped), ("4 silent", silent), ("5 good", faded),
      ("6 good", faded), ("7 cut", Sound.tone(441).part(30..<8_000)),
    ]
    for (name, sound) in sounds { try folder.write(try sound.file(SoundFormat(code: 0x01_0006)), to: "in/\(name).wav") }
    let report = try importAll()
    #expect(KitCheck.faults(of: KitFolder(folder.path + "/my-kit")) == [])
    #expect(report.pads.map(\.source) == ["1 long", "2 offset", "3 clipped", "5 good", "7 cut"].map { $0 + ".wav" })
    #expect(
      report.notes.map(\.description) == [
        "Good: left out: it is the same as Good", "Long: cut to 60 s, and faded out over 20 ms",
        "Offset: freed of an offset of 0.1",
        "Clipped: turned down by 0.4 dB, to below 0 dBTP, and its gain up by as much",
        "Cut: it would click at its end: faded over 5 ms",
      ])
    #expect(report.problems == [KitError("4 silent.wav", .silent)])
    #expect(report.pads[2].description.settings.gain > 0)
  }

  @Test("of more than sixteen files, a hat and a clap come before the twelfth kick; pads keep the order of names")
  func spread() throws {
    for n in 10...27 { try folder.write(try Sound.faded(Double(400 + n)).file(wave), to: "in/kick \(n).wav") }
    for name in ["open hat", "clap", "closed hat"] {
      try folder.write(try Sound.faded(Double(900 + 7 * name.count)).file(wave), to: "in/\(name).wav")
    }
    let report = try importAll()
    #expect(report.pads.map(\.source).prefix(4) == ["clap.wav", "closed hat.wav", "kick 10.wav", "kick 11.wav"])
    #expect(report.pads.last?.source == "open hat.wav" && report.pads.count == 16)
    #expect(report.leftOut == [])
    #expect(try following(report) == [(23...27).map { "Kick \($0)" }])
  }

  /// A decaying square wave of 600 Hz that begins at its peak.
  private static func hardHit(frames: Int) -> [Float] {
    (0..<frames).map { n -> Float in
      let level = 0.7 * (1 - Float(n) / Float(frames))
      return n / 40 % 2 == 0 ? level : -level
    }
  }

  @Test("a hard first frame stays to the bit, and so does a loop without a seam")
  func untouched() throws {
    let hard = Sound(interleaved: Self.hardHit(frames: 9_600), channels: 1, rate: 48_000)
    let seamless = Sound.tone(480, seconds: 0.5).part(25..<24_000 - 75)
    for (name, sound) in [("hard", hard), ("round", seamless)] {
      try folder.write(try sound.file(wave), to: "in/\(name).wav")
    }
    let report = try importAll()
    #expect(report.notes == [] && report.problems == [])
    #expect(KitCheck.faults(of: KitFolder(folder.path + "/my-kit")) == [])
    for pad in report.pads {
      let (source, copy) = (try decode("in/\(pad.source)"), try decode("my-kit/\(pad.description.file)"))
      #expect(source == copy, "\(pad.source)")
    }
  }

  @Test("silence in front is told, and cut only where that is asked for")
  func leadIns() throws {
    let late = Sound(
      interleaved: [Float](repeating: 0, count: 480) + Self.hardHit(frames: 4_800), channels: 1, rate: 48_000)
    try folder.write(try late.file(wave), to: "in/late.wav")
    let told = try importAll()
    #expect(told.notes.map(\.description) == ["Late: begins after 10 ms of silence; --trim cuts that"])
    #expect(try decode("my-kit/01-late.flac").frames == late.frames)
    let cut = try KitImporter.importKit(from: folder.path + "/in", to: folder.path + "/cut", trim: true, levels: false)
    #expect(cut.notes.map(\.description) == ["Late: 10 ms of silence cut from its beginning"])
    #expect(try decode("cut/01-late.flac").frames == late.frames - 480)
  }

  @Test("numbers in names sort by value, capitals like small letters")
  func naturalOrder() {
    let sorted = ["b.wav", "a10.wav", "A2.wav", "a2b.wav", "a02.wav", "10.wav", "9.wav", "a.wav"].sorted(
      by: precedesNaturally)
    #expect(sorted == ["9.wav", "10.wav", "a.wav", "A2.wav", "a02.wav", "a2b.wav", "a10.wav", "b.wav"])
  }

  private func decode(_ name: String) throws -> Sound {
    let path = folder.path + "/" + name
    return try Sound(decoding: try Files.read(path, limit: 1 << 20), named: path, byteLimit: 64 << 20)
  }
}
