import JamCore
import Testing

@testable import JamStore

/// A project in one file.
@Suite struct ProjectFileTests {
  private let items = [
    KeptItem("project", [.integer(8)]),
    KeptItem("clock", [.number(96.5), .integer(7), .integer(8), .number(0.25)]),
    KeptItem("part/0", [.text("Zoë \"x\""), .flag(true)]),
  ]

  private var file: ProjectFile {
    ProjectFile(
      name: "Süd \"1\"",
      facts: Catalogue.Facts(
        measures: 8, tempo: 96.5, signature: "7/8", players: ["Zoë \"x\""], kits: ["mine"], sounds: ["ab"]),
      items: items, sounds: ["ab": [1, 2], "00": [3]], kits: ["mine": ["kit.json": [4], "a.flac": [5]]])
  }

  @Test("a project comes out of its file as it went in, and the same project is the same file")
  func roundTrip() throws {
    let bytes = try file.encoded()
    #expect(try file.encoded() == bytes)
    let read = try ProjectFile(bytes, named: "x.zip")
    #expect(read.items == items && read.sounds == file.sounds && read.kits == file.kits)
  }

  @Test("of the sounds and kits those that the music needs are read, and the others counted")
  func needs() throws {
    let bytes = try file.encoded()
    let read = try ProjectFile(bytes, named: "x.zip") { items in
      #expect(items == self.items)
      return CarriedNames(sounds: ["ab", "missing"], kits: ["other"])
    }
    #expect(read.sounds == ["ab": [1, 2]] && read.kits == [:])
    #expect(read.unneeded == CarriedNames(sounds: ["00"], kits: ["mine"]))
    #expect(try ProjectFile(bytes, named: "x.zip").unneeded == CarriedNames())
  }

  @Test("what is not whole, not ours or not a project's is refused with its reason")
  func refusals() throws {
    func problem(_ entries: [(String, [UInt8])]) throws -> ProjectFile.Problem? {
      var zip = ZipWriter()
      for (name, bytes) in entries { try zip.add(name, bytes) }
      do { _ = try ProjectFile(zip.finish(), named: "x") } catch { return error }
      return nil
    }
    let music = MusicBytes.encoded(items)
    #expect(try problem([("music.journal", music)]) == nil)
    #expect(try problem([("project.json", [])]) == .missing("music.journal"))
    #expect(try problem([("music.journal", Array(music.dropLast()))]) == .music(.damaged))
    #expect(try problem([("music.journal", music + [0])]) == .music(.damaged))
    #expect(try problem([("music.journal", [])]) == .music(.damaged))
    #expect(try problem([("music.journal", music), ("run.sh", [])]) == .unknown("run.sh"))
    #expect(try problem([("music.journal", music), ("sounds/a/b.flac", [])]) == .unknown("sounds/a/b.flac"))
    #expect(try problem([("music.journal", music), ("kits/x", [])]) == .unknown("kits/x"))
    let newer = JournalFrame.header(version: 2, room: "").encoded() + JournalFrame.whole(items, isLast: true).encoded()
    #expect(try problem([("music.journal", newer)]) == .music(.newerVersion(2)))
    for index in music.indices {
      var bad = music
      bad[index] ^= 0x10
      #expect(throws: MusicBytes.Problem.self) { try MusicBytes.items(in: bad) }
    }
  }

  @Test("what is said of it for people is JSON, whatever it is called")
  func json() throws {
    let zip = try ZipReader(try file.encoded(), named: "x")
    let text = String(decoding: try zip.contents(of: "project.json"), as: UTF8.self)
    #expect(
      text == """
        {
          "format": "bandshell project",
          "version": 1,
          "name": "Süd \\"1\\"",
          "measures": 8,
          "bpm": 96.5,
          "signature": "7/8",
          "players": ["Zoë \\"x\\""],
          "kits": ["mine"],
          "sounds": ["ab"]
        }

        """)
  }
}
