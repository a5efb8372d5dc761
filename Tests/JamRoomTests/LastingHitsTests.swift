import JamCore
import JamEngine
import JamRealtime
import Testing

@testable import JamRoom

@Suite struct LastingHitsTests {
  /// Hits on sounds of a second each, which are there as long as the hits hold them.
  private final class Sounds {
    private struct Held { weak var sound: PlayableSound? }

    private var held: [Held] = []
    private let memory = UnsafeMutablePointer<Float>.allocate(capacity: 1)
    private var number: UInt64 = 0

    deinit { memory.deallocate() }

    /// How many sounds are held.
    var count: Int { held.count { $0.sound != nil } }

    func hit(
      _ pad: Int, of bus: UInt8 = 0, at frame: Int64 = 0, voices: UInt8 = 8, choke: UInt8 = 0, isGated: Bool = false
    ) -> LastingHits.Hit {
      number += 1
      let sound = PlayableSound(SampleView(left: memory, right: nil, frameCount: 48_000), owner: TestSounds())
      held.append(Held(sound: sound))
      let start = VoiceStart(
        sample: sound.view, use: sound.use, bus: PlayerID(index: bus),
        pad: Pad(pad)!, gain: PanGains(pan: 0), isGated: isGated, choke: choke, voices: voices)
      return LastingHits.Hit(sequence: number, frame: Frames(frame), start: start, sound: sound)
    }
  }

  private let sound = Sounds()
  private let ann = PlayerID(index: 0)
  private let bob = PlayerID(index: 1)

  @Test("a pad keeps the latest of its hits, as many as it has voices; other pads and players keep theirs")
  func voices() {
    var hits = LastingHits()
    for _ in 0..<5 { hits.begin(sound.hit(3, voices: 2)) }
    hits.begin(sound.hit(4, voices: 2))
    hits.begin(sound.hit(3, of: 1, voices: 2))
    #expect(hits.hits(of: ann).map(\.command.sequence) == [4, 5, 6])
    #expect(hits.hits(of: bob).map(\.command.sequence) == [7])
    #expect(hits.firstSequence == 4)
    #expect(sound.count == 4)
  }

  @Test("a hit ends its player's other pads of its group, and no hit of its own pad")
  func groups() {
    var hits = LastingHits()
    for hit in [sound.hit(1, choke: 2), sound.hit(2, choke: 3), sound.hit(1, of: 1, choke: 2)] { hits.begin(hit) }
    hits.begin(sound.hit(3, choke: 2))
    hits.begin(sound.hit(3, choke: 2))
    #expect(hits.hits(of: ann).map(\.command.sequence) == [2, 4, 5])
    #expect(hits.hits(of: bob).map(\.command.sequence) == [3])
  }

  @Test("releases end gated hits, silence ends all of a player, and what is over is forgotten")
  func ends() {
    var hits = LastingHits()
    for hit in [sound.hit(1, isGated: true), sound.hit(1), sound.hit(2, isGated: true)] { hits.begin(hit) }
    hits.release(ann, Pad(1)!)
    #expect(hits.hits(of: ann).map(\.command.sequence) == [2, 3])
    hits.releaseAll(ann)
    #expect(hits.hits(of: ann).map(\.command.sequence) == [2])
    hits.begin(sound.hit(16, of: 1, at: 1_000))
    // At the room's lowest pitch a sound takes twice as long.
    hits.forget(before: Frames(96_000))
    #expect(sound.count == 2)
    hits.forget(before: Frames(96_001))
    #expect(hits.firstSequence == 4)
    hits.silence(ann)
    #expect(sound.count == 1)
    hits.silence(bob)
    hits.compact()
    #expect(sound.count == 0)
    #expect(hits.firstSequence == nil)
  }
}
