import Foundation
import JamCore
import JamKit
import JamRealtime
import Synchronization
import Testing

@testable import JamRoom

/// The sounds of a player's pads for that player's page, and their files.
@Suite struct PageSoundsTests {
  private static let folder =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
    + "/Kits"
  private let store = KitStore(catalogue: KitCatalogue(scanning: [PageSoundsTests.folder]))

  private func hands(_ kit: String = "starter") throws -> Hands {
    Hands(kit: try store.load(kit), instrument: .standard)
  }

  /// Asks for a file, and waits for it.
  private func file(_ name: String, _ form: PageSounds.Form) async -> Result<[UInt8], PageSounds.Problem> {
    await withCheckedContinuation { answered in
      store.pageSounds.file(name, form, for: "ann", in: store.background) { answered.resume(returning: $0) }
    }
  }

  @Test("all pads of a kit are told, with layers, gains and variants")
  func kit() throws {
    let kit = try store.load("starter")
    let told = store.told(PlayerHold(try hands()))
    #expect(told.kit == "starter")
    #expect(told.pads.map(\.pad) == Array(1...16))
    #expect(told.zones.isEmpty)
    for place in told.pads {
      let pad = try #require(Pad(place.pad).flatMap { kit[$0] })
      #expect(place.sample == "starter/\(place.pad)")
      #expect(place.stretch == 1)
      #expect(place.layers.map(\.upTo) == pad.layers.map(\.upTo))
      #expect(place.layers.map(\.gain) == pad.layers.map(\.gain))
      for (layer, known) in zip(place.layers, pad.layers) {
        #expect(layer.sounds.map { told.sounds[$0].frames } == known.sounds.map { Int($0.view.frameCount) })
      }
    }
    #expect(Set(told.sounds.map(\.name)).count == told.sounds.count)
  }

  @Test("a sampled instrument's zones are told")
  func zones() throws {
    var hands = try hands()
    let samples = try store.load("marimba")
    hands.keys.play(Patch(id: "marimba", settings: .ofSamples), samples)
    let told = store.told(PlayerHold(hands))
    #expect(told.instrument == "marimba")
    #expect(told.zones.map(\.zone) == samples.zones)
    #expect(told.zones.allSatisfy { !$0.layers.isEmpty })
  }

  @Test("a pad that is empty, that follows the tempo, or whose sound is not here is left out")
  func leftOut() throws {
    var hands = try hands()
    hands.pads[0].sound = nil
    hands.pads[1].settings.beats = 4
    hands.pads[2].sound = PlayablePad(PlayableSound(awayWith: 7))
    #expect(store.told(PlayerHold(hands)).pads.map(\.pad) == Array(4...16))
  }

  @Test("a stretched sound has another name than the sound that it was made of")
  func stretched() throws {
    var hands = try hands()
    let plain = store.told(PlayerHold(hands))
    let pad = try #require(hands.pads[0].sound)
    hands.pads[0].sound = store.stretched(pad, by: 1.5, .fast)
    hands.pads[0].heardStretch.factor = 1.5
    let told = store.told(PlayerHold(hands))
    #expect(told.pads[0].stretch == 1.5)
    let before = plain.sounds[plain.pads[0].layers[0].sounds[0]]
    let after = told.sounds[told.pads[0].layers[0].sounds[0]]
    #expect(before.name != after.name)
    #expect(after.frames > before.frames)
    #expect(store.told(PlayerHold(hands)) == told, "a name is that of the content")
    withExtendedLifetime(hands) {}
  }

  @Test("the name of a sound that was told is known, as long as somebody has the sound")
  func names() throws {
    let sounds = PageSounds()
    let hash = try #require(ContentHash(String(repeating: "ab", count: 32)))
    let made = StudioSound.noise(frames: 480)
    do {
      let sound = PlayableSound(made.memory.view, owner: made.memory)
      #expect(sounds.name(of: sound) == nil)
      sounds.tell(hash, sound)
      #expect(sounds.name(of: sound) == hash)
      withExtendedLifetime(sound) {}
    }
    for _ in 0..<100 {
      // Most of these have the address of the first one.
      #expect(sounds.name(of: PlayableSound(made.memory.view, owner: made.memory)) == nil)
    }
  }

  @Test("a file has exactly the sound's frames; FLAC has its values to the bit", arguments: PageSounds.Form.allCases)
  func files(form: PageSounds.Form) async throws {
    let hands = try hands()
    let told = store.told(PlayerHold(hands))
    for part in [told.sounds[0], told.sounds[told.sounds.count - 1]] {
      let bytes = try await file(part.name, form).get()
      let sound = try Sound(decoding: bytes, named: "a test's", byteLimit: 64 << 20)
      #expect(sound.frames == part.frames)
      #expect(sound.channels == part.channels)
      guard form == .flac else { continue }
      let memory = try #require(
        hands.pads.compactMap(\.sound).flatMap(\.layers).flatMap(\.sounds).compactMap(\.memory)
          .first { "\($0.hash)" == part.name })
      #expect(sound.interleaved == Sound(memory).interleaved)
    }
  }

  @Test("a file is made once, and only of what was told, as long as somebody has it")
  func bounds() async throws {
    let sounds = PageSounds(most: 100_000)
    let pool = BackgroundPool(name: "test", workers: 1)
    func ask(_ name: String) async -> Result<[UInt8], PageSounds.Problem> {
      await withCheckedContinuation { answered in
        sounds.file(name, .flac, for: "ann", in: pool) { answered.resume(returning: $0) }
      }
    }
    func isUnknown(_ result: Result<[UInt8], PageSounds.Problem>) -> Bool {
      if case .failure(.noSuchSound) = result { true } else { false }
    }
    let name = String(repeating: "ab", count: 32)
    #expect(isUnknown(await ask(name)))
    #expect(isUnknown(await ask("../../etc/passwd")))
    #expect(isUnknown(await ask(String(repeating: "a", count: 100_000))))
    let hash = try #require(ContentHash(name))
    do {
      let made = StudioSound.noise(frames: 9_600)
      let sound = PlayableSound(made.memory.view, owner: made.memory)
      sounds.tell(hash, sound)
      let first = try await ask(name).get()
      #expect(first == (try await ask(name).get()))
      withExtendedLifetime(sound) {}
    }
    #expect(!isUnknown(await ask(name)), "its file is still in memory")
    // Others push it out.
    var others: [PlayableSound] = []
    for number in 0..<8 {
      let made = StudioSound.noise(frames: 9_600 + number)
      let sound = PlayableSound(made.memory.view, owner: made.memory)
      others.append(sound)
      sounds.tell(made.memory.hash, sound)
      _ = try await ask("\(made.memory.hash)").get()
    }
    #expect(isUnknown(await ask(name)))
    pool.end(finishing: [], atMostMilliseconds: 1_000)
  }

  @Test("a full line answers that it is busy, and later answers again")
  func busy() async throws {
    let sounds = PageSounds()
    let pool = BackgroundPool(name: "test", workers: 1, most: (all: 1, line: 1))
    let made = StudioSound.noise(frames: 9_600)
    let sound = PlayableSound(made.memory.view, owner: made.memory)
    sounds.tell(made.memory.hash, sound)
    pool.end(finishing: [], atMostMilliseconds: 1_000)
    for _ in 0..<2 {
      let answer: Result<[UInt8], PageSounds.Problem> = await withCheckedContinuation { answered in
        sounds.file("\(made.memory.hash)", .opus, for: "ann", in: pool) { answered.resume(returning: $0) }
      }
      guard case .failure(.busy) = answer else {
        Issue.record("not busy")
        return
      }
    }
  }
}
