import Glibc
import JamCore
import KitTestSupport
import Testing

@testable import JamImport
@testable import JamKit

@Suite("Hydrogen import")
struct HydrogenImportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func importKit(_ name: String, limits: Limits = .standard) throws(KitError) -> KitImporter.Report {
    try KitImporter.importKit(from: folder.path + "/" + name, to: folder.path + "/kit", levels: false, limits: limits)
  }

  private func write(_ instruments: String, to name: String = "in") throws {
    let text =
      "<drumkit_info><name>A &amp; B</name><author>Me</author><license>CC0</license><instrumentList>\(instruments)"
    try folder.write(text + "</instrumentList></drumkit_info>", to: "\(name)/drumkit.xml")
  }

  private func instrument(_ name: String, _ fields: String = "", files: String...) -> String {
    let layers = files.map { "<layer><filename>\($0)</filename></layer>" }.joined()
    return "<instrument><name>\(name)</name>\(fields)\(layers)</instrument>"
  }

  private func layer(_ file: String, _ low: Double, _ high: Double, _ gain: Double = 1, pitch: Double = 0) -> String {
    "<layer><filename>\(file)</filename><min>\(low)</min><max>\(high)</max><gain>\(gain)</gain><pitch>\(pitch)</pitch></layer>"
  }

  @Test("instruments become pads with their gains, pans, pitches, groups and layers")
  func everything() throws {
    for (n, name) in ["a", "b", "c", "d"].enumerated() {
      try folder.write(try Sound.faded(Double(200 + 50 * n)).file(), to: "in/\(name).flac")
    }
    let layers =
      layer("c.flac", 0.5, 1) + layer("a.flac", 0, 0.25, 0.5) + layer("d.flac", 0.25, 0.5)
      + layer("b.flac", 0.25, 0.5)
    try write(
      instrument(
        "Kick/Drum",
        "<volume>0.5</volume><gain>1</gain><pan_L>1</pan_L><pan_R>0.5</pan_R><muteGroup>7</muteGroup>" + layers)
        + instrument(
          "HH",
          "<pan>0.25</pan><muteGroup>7</muteGroup><isStopNote>true</isStopNote>" + layer("a.flac", 0, 1, pitch: -3))
        + instrument("Empty") + instrument("Gone", files: "gone.wav")
        + instrument("Filtered", "<filterActive>true</filterActive><filterCutoff>0.5</filterCutoff>", files: "b.flac"))
    let report = try importKit("in")
    #expect(report.kind == .hydrogen)
    #expect(KitCheck.faults(of: KitFolder(folder.path + "/kit")) == [])
    #expect(report.pads.map(\.description.name) == ["Kick Drum", "HH", "Filtered"])
    let kick = report.pads[0].description
    #expect(kick.category == .kick && kick.settings.gain == -6 && kick.settings.pan == -0.5 && kick.settings.choke == 1)
    #expect(kick.layers.map(\.upTo) == [0.25, 0.5, 1] && kick.layers.map(\.gain) == [-6, 0, 0])
    #expect(kick.layers.map(\.files.count) == [1, 2, 1])
    let hat = report.pads[1].description
    #expect(
      hat.category == .hat && hat.settings.transpose == -3 && hat.settings.pan == 0.25 && hat.settings.voices == 1)
    #expect(hat.settings.choke == 1 && hat.file == kick.layers[0].files[0])
    #expect(report.notes.map(\.description) == ["Filtered: its filter left out"])
    #expect(
      report.problems == [KitError(folder.path + "/in/gone.wav", field: "instrument Gone, left out", .noSuchSample)])
    let kit = try KitFolder(folder.path + "/kit").load()
    #expect(kit.kit.name == "A & B" && KitFolder(folder.path + "/kit").readDescription().credits.contains("By Me."))
  }

  @Test("an instrument's pitch offset and turns are carried over; mute, even loudness and chance are told")
  func instrumentSettings() throws {
    for (n, name) in ["a", "b", "c"].enumerated() {
      try folder.write(try Sound.faded(Double(200 + 50 * n)).file(), to: "in/\(name).flac")
    }
    let overlapping = layer("a.flac", 0, 1) + layer("b.flac", 0.5, 1) + layer("c.flac", 0, 1)
    try write(
      instrument(
        "Off",
        "<pitchOffset>-5</pitchOffset><isMuted>true</isMuted><applyVelocity>false</applyVelocity>"
          + layer("a.flac", 0, 1, pitch: 2))
        + instrument("Turns", "<sampleSelectionAlgo>ROUND_ROBIN</sampleSelectionAlgo>" + overlapping)
        + instrument(
          "Chance", "<sampleSelectionAlgo>RANDOM</sampleSelectionAlgo><pitchOffset>1</pitchOffset>" + overlapping)
        + instrument("Half", files: "gone.flac", "gone.flac", "b.flac")
        + instrument(
          "Soft",
          "<sampleSelectionAlgo>ROUND_ROBIN</sampleSelectionAlgo>" + layer("a.flac", 0, 0.5) + layer("c.flac", 0, 1)))
    let report = try importKit("in")
    let pads = report.pads.map(\.description)
    #expect(pads.map(\.settings.transpose) == [-3, 0, 1, 0, 0])
    #expect(pads[4].layers.map(\.upTo) == [0.5, 1] && pads[4].layers.map(\.files.count) == [2, 1])
    #expect(pads[1].layers.map(\.upTo) == [0.5, 1] && pads[1].layers.map(\.files.count) == [2, 3])
    #expect(
      report.notes.map(\.description) == [
        "Off: it is muted there; here it sounds", "Off: it is as loud at any velocity there; here soft hits are softer",
        "Chance: its sounds come by chance there; here they take turns",
      ])
    #expect(report.problems == [KitError(folder.path + "/in/gone.flac", field: "instrument Half", .noSuchSample)])
  }

  @Test("layers of several pitches keep them, within a cent")
  func pitches() throws {
    try folder.write(try Sound.faded(440, seconds: 1, rate: 44_100).file(), to: "in/a.flac")
    try write("<instrument><name>T</name>\(layer("a.flac", 0, 0.5, pitch: 7))\(layer("a.flac", 0.5, 1))</instrument>")
    let report = try importKit("in")
    #expect(report.pads[0].description.settings.transpose == 0)
    let layers = try KitFolder(folder.path + "/kit").load().layers(Pad.all[0])
    let hertz = layers.map { pitch(of: Sound($0.sounds[0].view).plane(0), near: $0.upTo == 1 ? 440 : 659) }
    #expect(abs(hertz[0] - 659.26) < 0.2 && abs(hertz[1] - 440) < 0.1)
  }

  @Test("beyond sixteen instruments, the rest is a kit that follows")
  func tooMany() throws {
    var instruments = ""
    for n in 1...18 {
      try folder.write(try Sound.faded(Double(300 + n), seconds: 0.05).file(), to: "in/\(n).flac")
      instruments += instrument("I\(n)", files: "\(n).flac")
    }
    try write(instruments)
    let report = try importKit("in")
    #expect(report.pads.count == 16 && report.leftOut == [])
    #expect(report.following.map(\.path) == [folder.path + "/kit-2"] && report.following.map(\.sounds) == [2])
    let more = try KitFolder(folder.path + "/kit-2").load()
    #expect(more.kit.pads.compactMap { $0?.name } == ["I17", "I18"])
  }

  @Test("a kit that is too large loses layers before pads, and says so")
  func thinning() throws {
    var layers = ""
    for n in 1...4 {
      try folder.write(try Sound.faded(Double(300 + n), seconds: 1).file(), to: "in/\(n).flac")
      layers += layer("\(n).flac", Double(n - 1) / 4, Double(n) / 4)
    }
    try folder.write(try Sound.faded(500, seconds: 1).file(), to: "in/b.flac")
    try write("<instrument><name>A</name>\(layers)</instrument>" + instrument("B", files: "b.flac"))
    var limits = Limits()
    limits.kitBytes = 300_000
    let report = try importKit("in", limits: limits)
    #expect(report.pads.map(\.description.layers.count) == [2, 1])
    #expect(report.pads[0].description.layers.map(\.upTo) == [0.5, 1])
    #expect(report.notes == [ImportNote("A", "2 of its 4 sounds left out, so that the kit fits into memory")])
    #expect(try KitFolder(folder.path + "/kit").load(limits: limits).byteCount <= 300_000)
  }

  @Test("files outside of the folder are not read, whether named or linked")
  func outside() throws {
    let tone = try Sound.faded().file()
    try folder.write(tone, to: "outside.flac")
    try folder.write(tone, to: "in/good.flac")
    #expect(symlink("../outside.flac", folder.path + "/in/link.flac") == 0)
    try write(
      instrument("A", files: "../outside.flac") + instrument("B", files: folder.path + "/outside.flac")
        + instrument("C", files: "link.flac") + instrument("D", files: "good.flac"))
    let report = try importKit("in")
    #expect(report.pads.map(\.source) == ["D"])
    #expect(report.problems.allSatisfy { if case .leavesFolder = $0.reason { true } else { false } })
    #expect(report.problems.count == 3)
  }

  @Test("an archive is the same as its folder", arguments: [false, true])
  func archive(packed: Bool) throws {
    try folder.write(try Sound.faded().file(), to: "in/sub/a.flac")
    try write(instrument("Snare", files: "sub/a.flac"))
    var tar = Tar()
    tar.add("My Kit/", kind: "5")
    for name in ["drumkit.xml", "sub/a.flac"] {
      tar.add("./My Kit/" + name, try Files.read(folder.path + "/in/" + name, limit: 1 << 20))
    }
    try folder.write(packed ? Self.gzipped(tar.finished) : tar.finished, to: "kit.h2drumkit")
    let report = try importKit("kit.h2drumkit")
    #expect(report.kind == .hydrogen && report.pads.map(\.description.category) == [.snare] && report.problems == [])
    #expect(KitCheck.faults(of: KitFolder(folder.path + "/kit")) == [])
  }

  @Test("in an archive, too, a sound's name may differ in capitals, folders as well")
  func capitals() throws {
    var tar = Tar()
    let sound = try Sound.faded().file()
    let drums =
      "<instrumentList>" + instrument("Snare", files: "Sub/A.FLAC") + instrument("Gone", files: "b.flac")
      + instrument("Exact", files: "sub/b.flac")
    tar.add("My Kit/drumkit.xml", Array("<drumkit_info>\(drums)</instrumentList></drumkit_info>".utf8))
    tar.add("My Kit/sub/a.flac", sound)
    tar.add("My Kit/SUB/b.flac", sound)
    tar.add("My Kit/sub/b.flac", try Sound.faded(700).file())
    try folder.write(tar.finished, to: "kit.h2drumkit")
    let report = try importKit("kit.h2drumkit")
    // Of the other one it would be the same as the snare, and take no pad.
    #expect(report.pads.map(\.source) == ["Snare", "Exact"])
    #expect(report.problems.map(\.field) == ["instrument Gone, left out"])
  }

  @Test("an instrument with a single sound comes by no chance")
  func certain() throws {
    try folder.write(try Sound.faded().file(), to: "in/a.flac")
    try write(instrument("A", "<sampleSelectionAlgo>RANDOM</sampleSelectionAlgo>", files: "a.flac"))
    #expect(try importKit("in").notes == [])
  }

  @Test(
    "of an instrument's components the first that can be heard is taken, and that is told",
    arguments: [("gone.flac", 1.0, 1.0), ("a.flac", 0.0, 1.0), ("a.flac", 1.0, 0.0)])
  func components(file: String, gain: Double, volume: Double) throws {
    try folder.write(try Sound.faded(200).file(), to: "in/a.flac")
    try folder.write(try Sound.faded(300).file(), to: "in/b.flac")
    func component(_ id: Int, _ gain: Double, _ layer: String) -> String {
      "<instrumentComponent><component_id>\(id)</component_id><gain>\(gain)</gain>\(layer)</instrumentComponent>"
    }
    let volumes = [volume, 1].enumerated().map {
      "<drumkitComponent><id>\($0)</id><volume>\($1)</volume></drumkitComponent>"
    }
    let kick = component(0, gain, layer(file, 0, 1)) + component(1, 1, layer("b.flac", 0, 1))
    let text =
      "<drumkit_info><name>K</name><componentList>\(volumes.joined())</componentList><instrumentList>"
      + "<instrument><name>Kick</name>\(kick)</instrument></instrumentList></drumkit_info>"
    try folder.write(text, to: "in/drumkit.xml")
    let report = try importKit("in")
    #expect(report.pads.map(\.source) == ["Kick"] && report.problems == [])
    #expect(
      report.notes == [ImportNote("Kick", "only component 2 of its 2 taken: none in front of it can be heard")])
    let memory = try #require(try KitFolder(folder.path + "/kit").load().memory(Pad.all[0]))
    #expect(abs(pitch(of: Sound(memory).plane(0), near: 300) - 300) < 1)
  }

  @Test("a kit without sounds is an error that says what was looked for")
  func nothing() throws {
    try write(instrument("A", files: "gone.wav"))
    let error = #expect(throws: KitError.self) { try importKit("in") }
    #expect(
      error?.description.contains("holds no instrument with a sound that can be read, so nothing was imported") == true)
    try folder.write("<html></html>", to: "in/drumkit.xml")
    let html = #expect(throws: KitError.self) { try importKit("in") }
    #expect(html?.reason == .notXML(cause: "it starts with <html> instead of <drumkit_info>"))
    #expect(Files.names(in: folder.path)?.contains("kit") == false)
  }

  /// Stored blocks only (RFC 1951 §3.2.4), with a checksum that is right.
  static func gzipped(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
    var start = 0
    repeat {
      let count = min(65_535, bytes.count - start)
      packed.append(start + count == bytes.count ? 1 : 0)
      for value in [UInt16(count), ~UInt16(count)] { packed += [UInt8(value & 255), UInt8(value >> 8)] }
      packed += bytes[start..<start + count]
      start += count
    } while start < bytes.count
    var sum: UInt32 = 0xffff_ffff
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
    }
    for value in [~sum, UInt32(bytes.count)] {
      for shift in [0, 8, 16, 24] { packed.append(UInt8(value >> shift & 255)) }
    }
    return packed
  }
}
