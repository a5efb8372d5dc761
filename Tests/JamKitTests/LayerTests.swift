import JamCore
import KitTestSupport
import Testing

@testable import JamKit

@Suite("Layers")
struct LayerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ layers: String, more: String = "") -> KitDescription {
    let text = #"{ "format": 1, "name": "K", "pads": [{ "pad": 3, "name": "A", "layers": \#(layers)\#(more) }] }"#
    return KitDescription(id: "kit", reading: Array(text.utf8), of: "kit/kit.json")
  }

  @Test("layers with several files each reach the description, and read back the same when written")
  func reading() throws {
    let description = read(
      #"[{ "upTo": 0.4, "gain": -3, "files": ["a.flac", "b/c.flac"] }, { "upTo": 0.8, "files": ["d.flac"] }, { "files": ["e.flac"] }]"#
    )
    #expect(description.problems == [] && description.remarks == [])
    let pad = try #require(description.pads[2])
    #expect(
      pad.layers == [
        LayerDescription(upTo: 0.4, gain: -3, files: ["a.flac", "b/c.flac"]),
        LayerDescription(upTo: 0.8, files: ["d.flac"]), LayerDescription(files: ["e.flac"]),
      ])
    #expect(pad.file == "e.flac")
    let copy = KitDescription(id: "kit", reading: Array(description.json.utf8), of: "kit/kit.json")
    #expect(copy.problems == [] && copy.pads == description.pads)
  }

  @Test("layers that are as loud as they were played are not turned down by velocity again")
  func recorded() throws {
    let layers = #"[{ "upTo": 0.5, "gain": 1, "files": ["a.flac"] }, { "files": ["b.flac"] }]"#
    let description = read(layers, more: #", "recorded": true"#)
    #expect(description.problems == [] && description.remarks == [])
    let read = try #require(description.pads[2]).layers
    // Velocity 0.5 squared is 12.04 dB down.
    #expect(abs(read[0].gain - 13.04) < 0.01 && read[1].gain == 0)
    let copy = KitDescription(id: "kit", reading: Array(description.json.utf8), of: "kit/kit.json")
    #expect(copy.problems == [] && abs((copy.pads[2]?.layers[0].gain ?? 0) - 13.04) < 0.01)
    #expect(self.read(layers, more: #", "recorded": false"#).pads[2]?.layers[0].gain == 1)
    #expect(self.read(layers, more: #", "recorded": 1"#).problems.count == 1)
  }

  @Test(
    "wrong layers are told with their place",
    arguments: [
      ("1", "pad 3, layers: is a number; write a list"),
      ("[]", "pad 3, layers: a list of 0 is out of range; write 1–32 layers"),
      ("[1]", "pad 3, layers[0]: is a number; write an object"),
      (#"[{ "files": [] }]"#, "pad 3, layers[0], files: a list of 0 is out of range; write 1–32 files"),
      (#"[{ }]"#, "pad 3, layers[0], files: is missing; add a list of sound files, one at least"),
      (#"[{ "files": "a" }]"#, "pad 3, layers[0], files: is a text; write a list"),
      (#"[{ "files": ["a", 1] }]"#, "pad 3, layers[0], files[1]: is a number; write a text"),
      (
        #"[{ "files": ["../a"] }]"#,
        "pad 3, layers[0], files[0]: ../a leads out of the kit's folder; copy the file into the folder"
      ),
      (
        #"[{ "files": ["a"] }, { "files": ["b"] }]"#,
        "pad 3, layers[0], upTo: is missing; add its highest velocity, 0…1; only the last layer needs none"
      ),
      (
        #"[{ "upTo": 0.5, "files": ["a"] }, { "upTo": 0.5, "files": ["b"] }, { "files": ["c"] }]"#,
        "pad 3, layers[1], upTo: 0.5 is out of range; write more than the layer before has"
      ),
      (
        #"[{ "upTo": 0.9, "files": ["a"] }]"#,
        "pad 3, layers[0], upTo: 0.9 is out of range; write 1, or leave it out: the last layer ends there"
      ),
      (#"[{ "upTo": 2, "files": ["a"] }]"#, "pad 3, layers[0], upTo: 2 is out of range; write 0…1"),
      (#"[{ "gain": 41, "files": ["a"] }]"#, "pad 3, layers[0], gain: 41 is out of range; write -60…40 dB"),
    ])
  func wrong(layers: String, text: String) {
    #expect(read(layers).problems.map(\.description) == ["kit/kit.json: " + text])
  }

  @Test("a file beside layers is refused, and a stranger in a layer is told")
  func conflicts() {
    let both = read(#"[{ "files": ["a"] }]"#, more: #", "file": "b""#)
    #expect(
      both.problems.map(\.description) == ["kit/kit.json: pad 3, file: cannot stand beside layers; keep one of them"])
    let stranger = read(#"[{ "files": ["a"], "uptoo": 1 }]"#)
    #expect(stranger.kit != nil)
    #expect(
      stranger.remarks.map(\.description)
        == ["kit/kit.json: pad 3, layers[0], uptoo: no such field; did you mean upTo?"])
  }

  @Test("all layers are in memory, and what stands for the pad is the loudest one's first sound")
  func loading() throws {
    let tones = try [200.0, 300, 400].map { try Sound.tone($0, seconds: $0 / 1_000).file() }
    for (name, tone) in zip(["soft", "loud", "louder"], tones) { try folder.write(tone, to: "kit/\(name).flac") }
    try folder.write(
      """
      { "format": 1, "name": "Kit", "pads": [
        { "pad": 1, "name": "A", "layers": [
          { "upTo": 0.5, "gain": -6, "files": ["soft.flac"] }, { "files": ["loud.flac", "louder.flac", "soft.flac"] }] },
        { "pad": 2, "name": "B", "file": "loud.flac", "key": "A" }] }
      """, to: "kit/kit.json")
    let kit = try KitFolder(folder.path + "/kit").load()
    let layers = kit.layers(Pad.all[0])
    #expect(layers.map(\.upTo) == [0.5, 1] && layers.map(\.gain) == [-6, 0])
    #expect(layers.map { $0.sounds.map(\.view.frameCount) } == [[9_600], [14_400, 19_200, 9_600]])
    #expect(kit.memory(Pad.all[0]) === layers[1].sounds[0])
    #expect(layers[0].sounds[0] === layers[1].sounds[2] && kit.memory(Pad.all[1]) === layers[1].sounds[0])
    #expect(kit.kit.pads[0]?.duration == Frames(14_400) && kit.kit.pads[1]?.key == "A")
    #expect(kit.byteCount == (9_600 + 14_400 + 19_200 + 3 * 64) * 2)
    #expect(kit.duration == Frames(9_600 + 14_400 + 19_200))
    #expect(kit.layers(Pad.all[2]).isEmpty)
  }

  @Test("a sound that two kits have is in memory once, and goes with the last kit that has it")
  func acrossKits() throws {
    let tone = try Sound.tone().file()
    try folder.writeKit("a", sounds: [("x.flac", tone)])
    try folder.writeKit("b", sounds: [("y.flac", tone), ("z.flac", try Sound.tone(300).file())])
    let loader = KitLoader(catalogue: KitCatalogue(scanning: [folder.path]))
    var first: LoadedKit? = try loader.load("a")
    var second: LoadedKit? = try loader.load("b")
    weak let shared = first?.memory(Pad.all[0])
    #expect(shared != nil && shared === second?.memory(Pad.all[0]))
    #expect(second?.byteCount == 2 * (12_000 + 64) * 2)
    first = nil
    #expect(shared != nil)
    second = nil
    #expect(shared == nil)
    #expect(try loader.load("a").sample(Pad.all[0])?.frameCount == 12_000)
  }

  @Test("another kit's sound counts towards the limit too")
  func limit() throws {
    let tone = try Sound.tone(seconds: 1).file()
    try folder.writeKit("a", sounds: [("x.flac", tone)])
    try folder.writeKit("b", sounds: [("y.flac", try Sound.tone(300, seconds: 1).file()), ("x.flac", tone)])
    var limits = Limits()
    limits.kitBytes = 150_000
    let loader = KitLoader(catalogue: KitCatalogue(scanning: [folder.path]), limits: limits)
    let held = try loader.load("a")
    #expect(throws: KitError(folder.path + "/b/x.flac", .kitTooLarge(limit: 150_000))) { try loader.load("b") }
    #expect(held.byteCount > 0)
  }

  @Test("the store sweeps out what nobody holds any longer")
  func sweeping() throws {
    let store = SoundStore()
    for n in 0..<1_000 {
      let hash = withUnsafeBytes(of: n) { ContentHash($0) }
      let memory = [Float(0)].withUnsafeBufferPointer { SampleMemory(hash: hash, interleaved: $0, channels: 1) }
      #expect(store.shared(try #require(memory)).hash == hash)
    }
    #expect(store.count <= 64)
  }
}
