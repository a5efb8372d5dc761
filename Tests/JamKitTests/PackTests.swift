import Glibc
import JamCore
import KitTestSupport
import Testing

@testable import JamKit

@Suite("Packs")
struct PackTests {
  private let folder: TemporaryFolder
  private let sound: [UInt8]
  private let packs: PackPlaces

  init() throws {
    folder = try TemporaryFolder()
    sound = try Sound.faded(seconds: 0.05).file()
    mkdir(folder.path + "/packs", 0o755)
    packs = PackPlaces(folders: [folder.path + "/packs"], includesSystem: false)
  }

  private func writeKit(_ id: String, files: [String], pack: String = "sonic-pi-samples") throws {
    let pads = files.enumerated().map { #"{ "pad": \#($0 + 1), "file": "\#($1)", "name": "\#($1)" }"# }
    try folder.write(
      #"{ "format": 1, "name": "K", "pack": "\#(pack)", "pads": [\#(pads.joined(separator: ","))] }"#,
      to: "kits/\(id)/kit.json")
  }

  private func install(_ name: String) throws { try folder.write(sound, to: "packs/sonic-pi-samples/\(name)") }

  private func catalogue() -> KitCatalogue { KitCatalogue(scanning: [folder.path + "/kits"], packs: packs) }

  @Test("a kit plays the files of its package")
  func plays() throws {
    try install("a.flac")
    try writeKit("kit", files: ["a.flac"])
    let catalogue = catalogue()
    #expect(catalogue.problems == [] && catalogue.kits.map(\.id) == ["kit"])
    let loaded = try KitLoader(catalogue: catalogue).load("kit")
    #expect(loaded.sample(Pad.all[0])?.frameCount == 2_400)
    #expect(KitCheck.faults(of: try #require(catalogue.folder(of: "kit"))) == [])
  }

  @Test("without the package its kits are left out, with one line that says how to get it; others work")
  func missing() throws {
    try writeKit("b", files: ["a.flac"])
    try writeKit("a", files: ["a.flac"])
    try folder.writeKit("kits/own", sounds: [("x.flac", sound)])
    let catalogue = catalogue()
    #expect(catalogue.kits.map(\.id) == ["own"])
    #expect(
      catalogue.problems.map(\.description) == [
        "\(folder.path)/kits: the kits a, b have their sounds in the package sonic-pi-samples, which is not installed; run sudo apt-get install sonic-pi-samples"
      ])
    let kit = KitFolder(folder.path + "/kits/a", packs: packs)
    #expect(KitCheck.problems(of: kit).map(\.isMissingPack) == [true])
    #expect(throws: KitError(kit.path, .packMissing(package: "sonic-pi-samples", kits: ["a"]))) { try kit.load() }
  }

  @Test("a folder of packages that is not there is told")
  func noFolder() throws {
    let lost = folder.path + "/lost"
    let places = PackPlaces(folders: [folder.path + "/packs", lost], includesSystem: false)
    let catalogue = KitCatalogue(scanning: [], packs: places)
    #expect(catalogue.problems == [KitError(lost, .noPackFolder)])
    #expect(catalogue.problems[0].description.hasPrefix("\(lost): BANDSHELL_PACKS names it"))
  }

  @Test("of a package that is half installed, the kit that lacks a file is left out, with kit and file; others work")
  func half() throws {
    try install("a.flac")
    try writeKit("half", files: ["a.flac", "b.flac"])
    try writeKit("whole", files: ["a.flac"])
    let catalogue = catalogue()
    #expect(catalogue.kits.map(\.id) == ["whole"])
    #expect(
      catalogue.problems.map(\.description) == [
        "\(folder.path)/kits/half/kit.json: pack: the package sonic-pi-samples lies here without b.flac; run sudo apt-get install --reinstall sonic-pi-samples"
      ])
    #expect(KitFolder(folder.path + "/kits/half", packs: packs).packProblem == catalogue.problems.first)
    #expect(KitFolder(folder.path + "/kits/whole", packs: packs).packProblem == nil)
  }

  @Test("SoundFonts that are installed are found, each once, whatever else lies there")
  func soundFonts() throws {
    for name in ["Gm.sf2", "small.SF3", "readme.txt"] { try folder.write(sound, to: "sf/" + name) }
    symlink("Gm.sf2", folder.path + "/sf/default.sf2")
    symlink("nowhere.sf2", folder.path + "/sf/gone.sf2")
    let found = SoundFonts.installed(in: [folder.path + "/none", folder.path + "/sf"])
    #expect(found == ["Gm.sf2", "small.SF3"].map { folder.path + "/sf/" + $0 })
  }

  @Test("a file that went after the start is told, and nothing of the kit is loaded")
  func gone() throws {
    try install("a.flac")
    try writeKit("kit", files: ["a.flac"])
    let catalogue = catalogue()
    unlink(folder.path + "/packs/sonic-pi-samples/a.flac")
    #expect(throws: KitError.self) { try KitLoader(catalogue: catalogue).load("kit") }
  }

  @Test("nothing outside of the package is read", arguments: ["../secret.flac", "/etc/passwd", "link.flac"])
  func outside(file: String) throws {
    try install("a.flac")
    try folder.write(sound, to: "packs/secret.flac")
    symlink(folder.path + "/packs/secret.flac", folder.path + "/packs/sonic-pi-samples/link.flac")
    try writeKit("kit", files: [file])
    #expect(throws: KitError.self) { try KitFolder(folder.path + "/kits/kit", packs: packs).load() }
    let reasons = KitCheck.problems(of: KitFolder(folder.path + "/kits/kit", packs: packs)).map(\.reason)
    #expect(reasons.contains(.leavesFolder(path: file)))
  }

  @Test("only known packages may be named")
  func stranger() throws {
    try writeKit("kit", files: ["a.flac"], pack: "passwd")
    #expect(
      catalogue().problems.map(\.description) == [
        "\(folder.path)/kits/kit/kit.json: pack: \"passwd\" is out of range; write sonic-pi-samples or hydrogen-drumkits"
      ])
  }

  @Test("a kit that is taken along carries its sounds, and plays without the package")
  func travels() throws {
    try install("a.flac")
    try writeKit("kit", files: ["a.flac"])
    let bundle = try KitFolder(folder.path + "/kits/kit", packs: packs).bundle()
    #expect(bundle.keys.sorted() == ["a.flac", "kit.json"] && bundle["a.flac"] == sound)
    let brought = try KitFolder.write(bundle, as: "mine", in: folder.path + "/brought")
    #expect(brought.pack == nil)
    #expect(try brought.load().sample(Pad.all[0])?.frameCount == 2_400)
    // It is the same kit still, where both are.
    #expect(try KitFolder(folder.path + "/kits/kit", packs: packs).files() == bundle)
    #expect(try brought.files() == bundle)
  }

  @Test(
    "ours name what the packages have",
    .enabled(if: KitPack.all.allSatisfy { PackPlaces.standard.folder(of: $0) != nil }))
  func ours() throws {
    let catalogue = KitCatalogue(scanning: [ShippedKits.path + "/../Packs"])
    #expect(catalogue.problems == [] && catalogue.kits.count == 12)
    let loader = KitLoader(catalogue: catalogue)
    for kit in catalogue.kits {
      #expect(KitCheck.problems(of: try #require(catalogue.folder(of: kit.id))) == [])
      let loaded = try loader.load(kit.id)
      for pad in Pad.all where PadCategory(rawValue: kit[pad]?.category ?? "")?.defaultDarker ?? 0 > 0 {
        #expect(loaded.layers(pad).count >= 2, "\(kit.id), pad \(pad.number)")
      }
      let measured = KitLoudness(of: loaded)
      // The check has found the beat right. A kit of whole loops has none.
      #expect((measured.beat == nil) == (kit.id == "breaks"), "\(kit.id)")
      // A slice is measured as its whole file.
      guard kit.pads.allSatisfy({ $0?.settings.start ?? 0 == 0 }) else { continue }
      let loudness = try #require(measured.mean)
      // Mono sounds are measured as they are heard, on two sides: a kit of mono basses reads 3 LU more than it did as one channel.
      #expect((-21 ... -12).contains(loudness), "\(kit.id): \(loudness) LUFS")
    }
  }
}
