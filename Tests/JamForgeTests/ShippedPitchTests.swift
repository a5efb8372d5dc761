import JamCore
import KitTestSupport
import Testing

@testable import JamForge
@testable import JamKit

@Suite("Pitch of shipped kits")
struct ShippedPitchTests {
  /// A tom is measured once its skin has come to rest. Kicks are left out: their pitch falls for as long as they sound.
  private static let pitched: Set<PadCategory> = [.bass, .chord, .lead, .voice, .tom]

  /// A kit's pads that say their key, each with the tones that its loudest sound is heard in.
  private func pads(of folder: String) throws -> [(name: String, tones: [SoundingTone])] {
    let file = Files.joined(folder, Recipe.fileName)
    let recipe = try Recipe.read(try Files.read(file, limit: Recipe.byteLimit), of: file)
    return try KitFolder(folder).readDescription().pads.compactMap { pad in
      guard let pad, pad.key != nil, Self.pitched.contains(pad.category), let name = pad.layers.last?.files.first
      else { return nil }
      let path = Files.joined(folder, name)
      let sound = try Sound(decoding: try Files.read(path, limit: 1 << 20), named: path, byteLimit: 64 << 20)
      let made = try #require(recipe.sounds.first { $0.file == name }?.sound)
      return (path, SoundingTone.heard(in: sound, of: made))
    }
  }

  @Test("whatever plays notes is within 5 cents of them, so that kits of one key go together")
  func notes() throws {
    var count = 0
    for folder in KitForge.folders(in: kitsFolder) {
      for (name, tones) in try pads(of: folder) {
        #expect(!tones.isEmpty, "\(name)")
        for tone in tones { #expect(abs(tone.cents) <= 5, "\(name), \(tone.wanted) Hz: \(tone.cents) cents") }
        count += tones.count
      }
    }
    #expect(count > 100)
  }

  @Test("a tone that is off is found, with vibrato, beside another and with echoes", arguments: [-8.0, 0, 8])
  func estimator(cents: Double) throws {
    let text = """
      { "sounds": { "a.flac": { "seconds": 1.2, "layers": [
        { "source": "saw", "notes": [220, 329.628],
          "bend": [[0, -1], [40, \(cents / 100)]], "vibrato": { "hertz": 5, "cents": 4, "rise": 0 },
          "amplitude": [[0, -40], [5, 0], [900, -20], [1100, -90]] },
        { "source": "noise", "level": -20, "amplitude": [[0, 0], [20, -90]] }],
        "chain": [{ "effect": "delay", "milliseconds": 375, "feedback": 0.4, "low": 2000, "level": -10 }] } } }
      """
    let recipe = try Recipe.read(Array(text.utf8), of: "recipe.json").sounds[0].sound
    let tones = SoundingTone.heard(in: Forge.render(recipe), of: recipe)
    #expect(tones.count == 2)
    for tone in tones { #expect(abs(tone.cents - cents) < 2, "\(tone.wanted): \(tone.cents)") }
  }
}
