import CAllocations
import JamCore
import Testing

@testable import JamRoom

/// Kits that are changed while they sound.
@Suite struct KitChangeTests {
  private struct Weak<Object: AnyObject> { weak var object: Object? }

  /// Every kit that a room asks for, made anew each time, and followed.
  private final class Maker {
    var kits: [Weak<PlayableKit>] = []
    var sounds: [Weak<PlayableSound>] = []

    func kit(_ id: String) -> PlayableKit {
      let sound = StudioSound.constant(0.0005, frames: 9_600)
      let kit = Studio.kit(id, Array(repeating: sound, count: Pad.count))
      kits.append(Weak(object: kit))
      for pad in Pad.all { sounds.append(Weak(object: kit[pad]!.layers[0].sounds[0])) }
      return kit
    }
  }

  @Test(
    "kit changes under 256 voices neither allocate nor free on the audio thread, and the memory goes with the last voice",
    .enabled(if: jam_allocations_are_counted()))
  func changes() throws {
    let maker = Maker()
    let ids = ["a", "b", "c", "d"]
    let studio = try Studio(maker.kit("first"), others: ids.map { Kit(id: $0, name: $0) })
    studio.answers.kit = maker.kit
    let players = [studio.ann, try studio.join("bob")]
    func hitAll(_ player: PlayerID, at frame: Int64) {
      for pad in Pad.all { studio.send(.hit(pad, .full), at: frame, by: player) }
    }
    for turn in 0..<8 { for player in players { hitAll(player, at: 480 + Int64(turn) * 120) } }
    studio.run(until: 1_920)
    #expect(studio.parts.engine.status.soundingVoices == 256)

    var calls: Int64 = 0
    var fewest = Int.max
    for change in 0..<200 {
      let frame = 2_400 + Int64(change) * 240
      studio.send(.chooseKit(.id(ids[change % ids.count])), at: frame, by: players[change % 2])
      hitAll(players[change % 2], at: frame)
    }
    studio.run(until: 2_400 + 200 * 240) { engine in
      jam_allocations_begin()
      engine.pointee.render()
      calls += jam_allocations_end()
      fewest = min(fewest, studio.parts.engine.status.soundingVoices)
    }
    #expect(calls == 0)
    #expect(fewest == 256)
    #expect(maker.kits.count == 201)
    // Two are being played, and newcomers get the first.
    #expect(maker.kits.count { $0.object != nil } == 3)
    let sounding = maker.sounds.count { $0.object != nil }
    #expect(sounding > 3 * Pad.count, "what sounds is still there")

    studio.run(until: 2_400 + 200 * 240 + 9_840)
    #expect(studio.parts.engine.status.soundingVoices == 0)
    // What their players may catch keeps its sound, too.
    for player in players { studio.state.loopers[player].played.forgetAll() }
    #expect(maker.sounds.count { $0.object != nil } == 3 * Pad.count)
  }

  @Test("a loop runs on through a change of kit; the next press only stops it, and the one after plays the new kit")
  func loop() throws {
    let studio = try Studio(Studio.kit("first", [.constant(0.25, frames: 4_800)]), others: [Kit(id: "a", name: "a")])
    studio.answers.kit = { Studio.kit($0, [.constant(0.125, frames: 4_800)]) }
    studio.set(.pad(.mode, Pad(1)!), .text("loop"))
    studio.hit(1, at: 480)
    studio.send(.chooseKit(.id("a")), at: 4_800)
    studio.hit(1, at: 24_000)
    studio.hit(1, at: 48_000)
    studio.run(until: 72_000)
    #expect(studio.left[480..<24_000].allSatisfy { $0 == 0.25 })
    #expect(studio.left[24_384..<48_000].allSatisfy { $0 == 0 })
    #expect(studio.left[48_000] == 0.125 && studio.left[60_000] == 0)
  }

  @Test("a sound that is left alone lives until its voice ends, and not a buffer longer")
  func lastVoice() throws {
    let maker = Maker()
    let studio = try Studio(Studio.kit("first", []), others: [Kit(id: "a", name: "a")])
    studio.answers.kit = maker.kit
    studio.send(.chooseKit(.id("a")), at: 480)
    studio.hit(1, at: 960)
    studio.send(.chooseKit(.id("first")), at: 1_440)
    studio.run(until: 9_600)
    #expect(maker.kits[0].object == nil)
    studio.state.loopers[studio.ann].played.forgetAll()
    #expect(maker.sounds.map { $0.object != nil } == [true] + Array(repeating: false, count: 15))
    studio.run(until: 960 + 9_600)
    #expect(maker.sounds[0].object == nil)
  }
}
