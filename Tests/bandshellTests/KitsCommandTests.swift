import ArgumentParser
import Glibc
import Testing

@testable import JamKit
@testable import bandshell

@Suite("bandshell kits")
struct KitsCommandTests {
  private let scratch: Scratch
  private var folder: String { scratch.path }

  init() throws { scratch = try Scratch() }

  private func code(_ arguments: String...) -> Int32 {
    do {
      var command = try KitsCommand.parseAsRoot(arguments)
      try command.run()
      return 0
    } catch {
      return KitsCommand.exitCode(for: error).rawValue
    }
  }

  private func writeSounds() throws {
    try Files.makeFolder(folder + "/sounds")
    var sound = Sound(interleaved: [Float](repeating: 0, count: 4_800), channels: 1, rate: 48_000)
    for n in 100..<4_000 { sound.interleaved[n] = Float(n % 100 - 50) / 100 }
    for (index, name) in ["kick.flac", "snare.flac"].enumerated() {
      sound.interleaved[500 + index] = 0
      try Files.write(try sound.flac(named: name), to: folder + "/sounds/\(name)")
    }
  }

  @Test("a folder of sounds becomes a kit that is listed and checked")
  func importing() throws {
    try writeSounds()
    #expect(code("import", folder + "/sounds", "-o", folder + "/mine") == 0)
    #expect(code("list", "--kits", folder) == 0)
    #expect(code("list", "--json", "--kits", folder) == 0)
    #expect(code("check", folder + "/mine") == 0)
    #expect(code("check", "--loudness", folder + "/mine") == 0)
    #expect(KitCatalogue(scanning: [folder]).kits.map(\.id) == ["mine"])
  }

  @Test("a check's loudness has the demo beat and its true peak beside the pads, for people and for programs")
  func loudness() throws {
    try writeSounds()
    #expect(code("import", folder + "/sounds", "-o", folder + "/mine") == 0)
    #expect(code("check", "--loudness", "--json", folder + "/mine") == 0)
    let kit = KitFolder(folder + "/mine")
    let loudness = KitLoudness(of: try kit.load())
    let (beat, peak) = (tenths(try #require(loudness.beat)), tenths(loudness.beatPeak))
    let report = KitReport(folder: kit, problems: [], loudness: loudness)
    let lines = try #require(report.loudnessText).split(separator: "\n")
    #expect(lines.map { $0.split(separator: " ").first } == ["pad", "1", "2", "mean", "demo", "demo"])
    #expect(lines.suffix(2).map { $0.drop { $0 == " " } }[0].hasSuffix(" \(beat)"))
    #expect(lines.last == "demo beat's true peak: \(peak) dB")
    guard case .object(let json) = try JSONValue(reading: Array(report.json.utf8), of: "report") else {
      Issue.record("\(report.json) is no object")
      return
    }
    #expect(json["beat"] == Double(beat).map(JSONValue.number))
    #expect(json["beatPeak"] == Double(peak).map(JSONValue.number))
    // Without the option nothing is measured, and nothing is claimed.
    let unmeasured = KitReport(folder: kit, problems: [KitError("a \"b\"", .empty)], loudness: nil)
    #expect(!unmeasured.json.contains("beat") && unmeasured.json.contains(#""problems":["a \"b\": "#))
    #expect(unmeasured.loudnessText == nil)
  }

  @Test("a sound, and a kit's pad, are sliced into a kit; what is wrong is told")
  func slicing() throws {
    try writeSounds()
    #expect(code("slice", folder + "/sounds/kick.flac", "--into", folder + "/sliced", "--beats", "2") == 0)
    #expect(code("check", folder + "/sliced") == 0)
    #expect(code("slice", "sliced:1", "--into", folder + "/again", "--kits", folder) == 0)
    #expect(KitCatalogue(scanning: [folder]).kits.map(\.category) == ["breaks", "breaks"])
    #expect(code("slice", "sliced:9", "--into", folder + "/none", "--kits", folder) == 65)
    #expect(code("slice", "sliced:99", "--into", folder + "/none", "--kits", folder) == 65)
    #expect(code("slice", "nobody:1", "--into", folder + "/none", "--kits", folder) == 65)
    #expect(code("slice", folder + "/none.wav", "--into", folder + "/none") == 65)
    #expect(code("slice", folder + "/sounds/kick.flac", "--into", folder + "/sliced") == 65)
    #expect(code("slice", folder + "/sounds/kick.flac") == 64)
    #expect(code("slice", folder + "/sounds/kick.flac", "--into", folder + "/none", "--pads", "17") == 64)
    #expect(code("slice", folder + "/sounds/kick.flac", "--into", folder + "/none", "--beats", "0") == 64)
  }

  @Test("wrong usage exits with 64")
  func usage() {
    #expect(code("import", folder) == 64)
    #expect(code("import") == 64)
    #expect(code("check", "--nonsense") == 64)
    #expect(code("forge", "--only") == 64)
  }

  @Test("bad data exits with 65")
  func badData() throws {
    try writeSounds()
    #expect(code("import", folder + "/none", "-o", folder + "/mine") == 65)
    #expect(code("import", folder + "/sounds", "-o", folder + "/Not An Id") == 65)
    #expect(code("list", "--kits", folder + "/none") == 65)
    #expect(code("check", folder + "/none") == 65)
    #expect(code("check", folder) == 65)
    #expect(code("forge", folder) == 65)
    #expect(code("import", folder + "/sounds", "-o", folder + "/mine") == 0)
    #expect(code("import", folder + "/sounds", "-o", folder + "/mine") == 65)
    try Files.write("{".utf8, to: folder + "/mine/recipe.json")
    #expect(code("forge", folder) == 65)
    try Files.write("{".utf8, to: folder + "/mine/kit.json")
    #expect(code("check", folder) == 65)
  }

  @Test("folders are named by --kits as well as alone, all are looked at, and those without a kit are told")
  func places() throws {
    try writeSounds()
    #expect(code("import", folder + "/sounds", "-o", folder + "/mine") == 0)
    #expect(code("check", "--kits", folder + "/mine") == 0)
    #expect(code("list", folder + "/mine") == 0)
    // The folder of sounds is none of a kit.
    #expect(code("check", "--kits", folder) == 65)
    #expect(code("check", folder + "/mine", "--kits", folder + "/none") == 65)
    Files.removeFolder(folder + "/sounds")
    #expect(code("check", "--kits", folder, "--kits", folder + "/mine") == 0)
  }

  @Test("damaged sounds are left out of an import; where all are damaged it exits with 65 and makes nothing")
  func damaged() throws {
    try writeSounds()
    try Files.write("no sound".utf8, to: folder + "/sounds/hat.flac")
    #expect(code("import", folder + "/sounds", "-o", folder + "/mine") == 0)
    #expect(KitCatalogue(scanning: [folder]).kit("mine")?.pads.count { $0 != nil } == 2)
    for name in ["kick.flac", "snare.flac"] { try Files.write("no sound".utf8, to: folder + "/sounds/\(name)") }
    #expect(code("import", folder + "/sounds", "-o", folder + "/none") == 65)
    #expect(!Files.exists(folder + "/none"))
  }

  @Test("forging makes the files of a recipe, or the one that is named")
  func forging() throws {
    try Files.makeFolder(folder + "/mine")
    let layer = #"{ "seconds": 0.05, "layers": [{ "source": "sine" }] }"#
    try Files.write(
      #"{ "sounds": { "a.flac": \#(layer), "b.flac": \#(layer) } }"#.utf8, to: folder + "/mine/recipe.json")
    #expect(code("forge", folder, "--only", "c.flac") == 65)
    #expect(code("forge", folder, "--only", "b.flac") == 0)
    #expect(Files.names(in: folder + "/mine")?.sorted() == ["b.flac", "recipe.json"])
    #expect(code("forge", folder + "/mine") == 0)
    #expect(Files.names(in: folder + "/mine")?.sorted() == ["a.flac", "b.flac", "recipe.json"])
  }
}

/// A folder for one test's kits, three levels deep at most.
private final class Scratch {
  let path: String

  init() throws {
    var template = Array("/tmp/bandshell-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in Files.names(in: path) ?? [] { Files.removeFolder(path + "/" + name) }
    Files.removeFolder(path)
  }
}
