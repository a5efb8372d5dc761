import Glibc
import JamCore
import KitTestSupport
import Testing

@testable import JamKit

@Suite("Loading")
struct KitLoadingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func load(_ id: String = "kit", limits: Limits = .standard) throws(KitError) -> LoadedKit {
    try KitLoader(catalogue: KitCatalogue(scanning: [folder.path]), limits: limits).load(id)
  }

  @Test("samples lie between zeros, on 64-byte lines, and mono stays mono", arguments: [1, 2])
  func memory(channels: Int) throws {
    let tone = Sound.tone(seconds: 0.1, channels: channels)
    try folder.writeKit("kit", sounds: [("a.wav", try tone.file(SoundFormat(code: 0x01_0006)))])
    let kit = try load()
    let pad = try #require(Pad(1))
    let view = try #require(kit.sample(pad))
    #expect(view.frameCount == 4_800 && view.isStereo == (channels == 2))
    #expect((view.left == view.right) == (channels == 1))
    #expect(kit.kit[pad]?.duration == Frames(4_800))
    for (channel, plane) in [view.left, view.right].prefix(channels).enumerated() {
      #expect(UInt(bitPattern: plane.memory) % 64 == 0)
      let guards = SampleView.guardFrames
      #expect((-guards..<0).allSatisfy { plane[$0] == 0 })
      #expect((4_800..<4_800 + guards).allSatisfy { plane[$0] == 0 })
      #expect((0..<4_800).allSatisfy { plane[$0] == tone.interleaved[$0 * channels + channel] })
    }
    #expect(kit.byteCount == (4_800 + 64) * 4 * channels)
  }

  @Test("pads that are empty have no sample")
  func emptyPads() throws {
    try folder.writeKit("kit", sounds: [("a.flac", try Sound.tone().file())])
    let kit = try load()
    #expect(Pad.all.filter { kit.sample($0) != nil }.map(\.number) == [1])
    #expect(kit.memory(Pad.all[1]) == nil)
  }

  @Test("the same sound on several pads, or a copy of its file, exists once")
  func shared() throws {
    let a = try Sound.tone(440).file()
    let b = try Sound.tone(550).file()
    try folder.writeKit("kit", sounds: [("a.flac", a), ("a.flac", a), ("copy.flac", a), ("b.flac", b)])
    let kit = try load()
    let samples = Pad.all.prefix(4).map { kit.memory($0) }
    #expect(samples[0] === samples[1] && samples[0] === samples[2] && samples[0] !== samples[3])
    // In 16 bits, as they came.
    #expect(kit.byteCount == 2 * (12_000 + 64) * 2)
    #expect(samples[0]?.hash != samples[3]?.hash)
  }

  @Test("a kit that somebody holds is handed out again; one that nobody holds is let go")
  func held() throws {
    try folder.writeKit("kit", sounds: [("a.flac", try Sound.tone().file())])
    let loader = KitLoader(catalogue: KitCatalogue(scanning: [folder.path]))
    var kit: LoadedKit? = try loader.load("kit")
    weak let memory = kit?.memory(Pad.all[0])
    #expect(try loader.load("kit") === kit)
    kit = nil
    #expect(memory == nil)
    #expect(try loader.load("kit").sample(Pad.all[0]) != nil)
  }

  @Test("an unknown kit is an error with a suggestion")
  func unknown() throws {
    try folder.writeKit("starter", sounds: [("a.flac", try Sound.tone().file())])
    let near = #expect(throws: KitError.self) { try load("startr") }
    #expect(near?.description == "startr: no such kit; did you mean starter?")
    let far = #expect(throws: KitError.self) { try load("orchestra") }
    #expect(far?.description == "orchestra: no such kit; see bandshell kits list")
  }

  @Test("a missing file names its path")
  func missing() throws {
    try folder.writeKit("kit", sounds: [("a.flac", try Sound.tone().file())])
    unlink(folder.path + "/kit/a.flac")
    let error = #expect(throws: KitError.self) { try load() }
    #expect(
      error?.description
        == "\(folder.path)/kit/a.flac: no such file; put it into the kit's folder or correct its name in kit.json")
  }

  @Test("links and names that lead out of the folder are refused; links within it work")
  func links() throws {
    let tone = try Sound.tone().file()
    try folder.write(tone, to: "outside.flac")
    try folder.writeKit("kit", sounds: [("inside.flac", tone)])
    #expect(symlink("inside.flac", folder.path + "/kit/a.flac") == 0)
    try folder.write(
      #"{ "format": 1, "name": "Kit", "pads": [{ "pad": 1, "file": "a.flac", "name": "A" }] }"#, to: "kit/kit.json")
    #expect(try load().sample(Pad.all[0]) != nil)
    unlink(folder.path + "/kit/a.flac")
    #expect(symlink("../outside.flac", folder.path + "/kit/a.flac") == 0)
    let error = #expect(throws: KitError.self) { try load() }
    #expect(error == KitError(folder.path + "/kit/a.flac", .leavesFolder(path: "a.flac")))
  }

  @Test("folders and pipes are no sound files, and nothing hangs on them")
  func strangeFiles() throws {
    try folder.writeKit("kit", sounds: [("a.flac", try Sound.tone().file())])
    let path = folder.path + "/kit/a.flac"
    unlink(path)
    mkfifo(path, 0o600)
    #expect(throws: KitError(path, .notAFile)) { try load() }
    unlink(path)
    try Files.makeFolder(path)
    #expect(throws: KitError(path, .notAFile)) { try load() }
  }

  @Test("a kit beyond its limit is refused, and shared sounds count once")
  func limit() throws {
    let tone = try Sound.tone(seconds: 1).file()
    let other = try Sound.tone(441, seconds: 1).file()
    var limits = Limits()
    limits.kitBytes = 150_000
    try folder.writeKit("kit", sounds: [("a.flac", tone), ("b.flac", tone)])
    #expect(try load(limits: limits).byteCount < 150_000)
    try folder.writeKit("large", sounds: [("a.flac", tone), ("b.flac", other)])
    let error = #expect(throws: KitError.self) { try load("large", limits: limits) }
    #expect(
      error?.description
        == "\(folder.path)/large/b.flac: the kit's sounds need more than 150000 bytes in memory; shorten them or make them mono"
    )
    limits.kitBytes = 1_000
    let file = #expect(throws: KitError.self) { try load(limits: limits) }
    #expect(file == KitError(folder.path + "/kit/a.flac", .tooLarge(limit: 1_000)))
  }

  @Test("several threads load the same kit at once and get one")
  func threads() async throws {
    try folder.writeKit("kit", sounds: [("a.flac", try Sound.tone(seconds: 2).file())])
    let loader = KitLoader(catalogue: KitCatalogue(scanning: [folder.path]))
    let kits = try await withThrowingTaskGroup(of: LoadedKit.self) { group in
      for _ in 0..<8 { group.addTask { try loader.load("kit") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(kits.allSatisfy { $0 === kits[0] })
  }

  @Test("a sound's name is the SHA-256 of its file")
  func hash() {
    // FIPS 180-4's examples, and one block's length exactly.
    let cases = [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
    ]
    for (text, digits) in cases {
      #expect(Array(text.utf8).withUnsafeBytes { ContentHash($0) }.description == digits)
    }
  }
}
