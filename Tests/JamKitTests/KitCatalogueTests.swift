import Glibc
import JamCore
import KitTestSupport
import Testing

@testable import JamKit

@Suite("Catalogue")
struct KitCatalogueTests {
  private let sound: [UInt8]
  private let folder: TemporaryFolder

  init() throws {
    sound = try Sound.tone(seconds: 0.05).file()
    folder = try TemporaryFolder()
  }

  @Test("kits are numbered by id, folder after folder")
  func order() throws {
    for id in ["c", "a", "b"] { try folder.writeKit("one/\(id)", sounds: [("x.flac", sound)]) }
    try folder.writeKit("two/0", sounds: [("x.flac", sound)])
    let catalogue = KitCatalogue(scanning: [folder.path + "/one", folder.path + "/two"])
    #expect(catalogue.kits.map(\.id) == ["a", "b", "c", "0"])
    #expect(catalogue.problems == [])
    #expect(catalogue.index(of: "0") == 3 && catalogue.kit("b")?.id == "b" && catalogue.kit("d") == nil)
  }

  @Test("kits that name an order stand by it, the others at 100")
  func namedOrder() throws {
    for (id, order) in [("a", ""), ("z", #""order": 0,"#), ("m", #""order": 100.5,"#), ("b", #""order": 0,"#)] {
      try folder.write(sound, to: "\(id)/x.flac")
      try folder.write(
        #"{ "format": 1, "name": "K", \#(order) "pads": [{ "pad": 1, "file": "x.flac", "name": "X" }] }"#,
        to: "\(id)/kit.json")
    }
    #expect(KitCatalogue(scanning: [folder.path]).kits.map(\.id) == ["b", "z", "a", "m"])
    #expect(KitCatalogue(scanning: [ShippedKits.path]).kits.first?.id == "starter")
  }

  @Test("a kit's own folder may be named, with a slash at its end too", arguments: ["", "/", "/."])
  func itself(ending: String) throws {
    try folder.writeKit("solo", sounds: [("x.flac", sound)])
    let catalogue = KitCatalogue(scanning: [folder.path + "/solo" + ending])
    #expect(catalogue.kits.map(\.id) == ["solo"])
  }

  @Test("broken kits are left out with an error each, and the others work")
  func broken() throws {
    try folder.writeKit("good", sounds: [("x.flac", sound)])
    try folder.writeKit("Bad Name", sounds: [("x.flac", sound)])
    try folder.write("{ oops", to: "json/kit.json")
    try folder.write(#"{ "format": 1, "name": "N", "pads": [] }"#, to: "pads/kit.json")
    try folder.write("no kit", to: "readme.txt")
    try folder.write("no kit", to: "other/readme.txt")
    let catalogue = KitCatalogue(scanning: [folder.path])
    #expect(catalogue.kits.map(\.id) == ["good"])
    #expect(
      catalogue.problems.map(\.description) == [
        "\(folder.path)/Bad Name: is no kit id; rename the folder to lower-case letters, digits and hyphens, 32 at most",
        "\(folder.path)/json/kit.json: is not valid JSON (line 1, column 3: a field's name in quotes was expected); correct it there",
        "\(folder.path)/pads/kit.json: pads: has no pads; give it one at least",
      ])
  }

  @Test("of two kits with the same id the first counts, and the other is told")
  func duplicates() throws {
    try folder.writeKit("one/a", sounds: [("x.flac", sound)])
    try folder.writeKit("two/a", sounds: [("x.flac", sound)])
    let catalogue = KitCatalogue(scanning: [folder.path + "/one", folder.path + "/two"])
    #expect(catalogue.kits.count == 1)
    #expect(catalogue.problems == [KitError(folder.path + "/two/a", .duplicate(what: "kit a"))])
  }

  @Test("a folder that is not there is a problem of its own")
  func missing() {
    let catalogue = KitCatalogue(scanning: [folder.path + "/none"])
    #expect(catalogue.kits.isEmpty)
    #expect(catalogue.problems == [KitError(folder.path + "/none", .noSuchFolder)])
  }

  @Test("a kit.json stands for its folder, and any other file is told to be no folder")
  func file() throws {
    try folder.writeKit("kit", sounds: [("x.flac", sound)])
    let catalogue = KitCatalogue(scanning: [folder.path + "/kit/kit.json", folder.path + "/kit/x.flac"])
    #expect(catalogue.folder(of: "kit") == KitFolder(folder.path + "/kit"))
    #expect(catalogue.problems == [KitError(folder.path + "/kit/x.flac", .notAFolder)])
  }

  @Test("an oversized or unreadable kit.json is left out")
  func oversized() throws {
    try folder.write(String(repeating: " ", count: 300_000), to: "big/kit.json")
    try Files.makeFolder(folder.path + "/dir")
    try Files.makeFolder(folder.path + "/dir/kit.json")
    let catalogue = KitCatalogue(scanning: [folder.path])
    #expect(
      catalogue.problems == [
        KitError(folder.path + "/big/kit.json", .tooLarge(limit: 256 << 10)),
        KitError(folder.path + "/dir/kit.json", .notAFile),
      ])
  }

  @Test("folders to search: the environment's first, then the nearest Kits")
  func search() throws {
    for path in ["a", "b", "desk", "desk/Kits", "bin", "bin/Kits", "x", "x/Kits", "x/y", "x/y/z"] {
      try Files.makeFolder(folder.path + "/" + path)
    }
    let root = folder.path
    #expect(
      KitSearch.folders(
        environment: "\(root)/a:\(root)/none:\(root)/b:\(root)/a", workingFolder: "\(root)/desk",
        executable: "\(root)/bin/bandshell") == ["\(root)/a", "\(root)/b", "\(root)/desk/Kits"])
    #expect(
      KitSearch.folders(environment: "", workingFolder: "\(root)/a", executable: "\(root)/bin/bandshell")
        == ["\(root)/bin/Kits"])
    #expect(
      KitSearch.folders(environment: "", workingFolder: "\(root)/a", executable: "\(root)/x/y/z/bandshell")
        == ["\(root)/x/Kits"])
    #expect(KitSearch.folders(environment: "", workingFolder: "\(root)/a", executable: "") == [])
  }
}
