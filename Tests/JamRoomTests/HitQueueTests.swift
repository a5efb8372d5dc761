import JamCore
import Testing

@testable import JamRoom

/// What waits, without a room.
@Suite struct HitQueueTests {
  private let ann = PlayerID(index: 0)
  private let bob = PlayerID(index: 1)
  private let pad = Pad(3)!
  // It holds the memory that its view reads.
  private let map = TempoMap(tempo: Tempo(clamping: 120))
  private var view: TempoMapView { map.view }

  /// A hit that waits for a beat; at 120 bpm those are 24,000 frames apart.
  private func hit(_ beat: Int64, by id: PlayerID, played: Int64 = 0, velocity: Float = 1) -> WaitingHit {
    let line = Beats(microBeats: beat * 1_000_000)
    return WaitingHit(
      player: id, pad: pad, velocity: Velocity(velocity)!, played: Frames(played),
      place: GridPlace(isLate: false, line: line, lines: GridLines(.quarter), recorded: line))
  }

  @Test("hits come in the order of their frames, those of one frame as they were played, each once and shortly before")
  func order() {
    var queue = HitQueue()
    queue.wait(hit(2, by: ann, velocity: 0.1), until: Frames(48_000))
    queue.wait(hit(1, by: bob, velocity: 0.2), until: Frames(24_000))
    queue.wait(hit(1, by: ann, velocity: 0.3), until: Frames(24_000))
    #expect(queue.next == Frames(24_000) - HitQueue.ahead && queue.count == 3)
    let early = queue.takeDueHits(at: Frames(23_519), view)
    #expect(early.isEmpty)
    let due = queue.takeDueHits(at: Frames(23_520), view)
    #expect(due.map(\.hit.velocity.value) == [0.2, 0.3] && due.allSatisfy { $0.frame == Frames(24_000) })
    queue.plan(view)
    #expect(queue.next == Frames(48_000) - HitQueue.ahead)
    let rest = queue.takeDueHits(at: Frames(100_000), view)
    #expect(rest.count == 1)
    queue.plan(view)
    #expect(queue.next == nil && queue.count == 0)
    for beat in [4, 3, 4] as [Int64] { queue.wait(hit(beat, by: ann, played: beat), until: Frames(beat * 24_000)) }
    let all = queue.takeDueHits(at: Frames(100_000), view)
    #expect(all.map(\.frame.count) == [72_000, 96_000, 96_000])
  }

  @Test("another tempo moves what waits, and never before it was played")
  func tempo() {
    var queue = HitQueue()
    queue.wait(hit(2, by: ann, played: 30_000), until: Frames(48_000))
    let faster = TempoMap(tempo: Tempo(clamping: 300))
    queue.plan(faster.view)
    // Beat 2 lies at 19,200 there.
    #expect(queue.next == Frames(30_000) - HitQueue.ahead)
  }

  @Test("a release is held as long as the finger held it, and ends before its pad's next hit")
  func releases() {
    var queue = HitQueue()
    queue.wait(hit(1, by: ann, played: 10_000), until: Frames(24_000))
    let lets = [(bob, 12_000), (ann, 12_500), (ann, 15_000)].map { id, frame in
      queue.letGo(of: pad, by: id, at: Frames(frame), heard: nil)
    }
    #expect(lets == [false, true, false], "it is let go of once, by its own player")
    #expect(queue.waiting[0].held == Frames(2_500))
    queue.wait(WaitingRelease(player: ann, pad: pad, start: Frames(24_000), frame: Frames(26_500)))
    queue.wait(WaitingRelease(player: bob, pad: pad, start: Frames(24_000), frame: Frames(25_000)))
    let before = queue.takeReleases(of: ann, on: pad, before: Frames(23_999))
    let ended = queue.takeReleases(of: ann, on: pad, before: Frames(24_000))
    let due = queue.takeDueReleases(at: Frames(25_000) - RoomState.liveDelay)
    #expect(before.isEmpty && ended.map(\.frame) == [Frames(26_500)] && due.map(\.player) == [bob])
    #expect(queue.releases.isEmpty)
  }

  @Test("what is on its way is shown in the order of its frames, up to the engine's limit")
  func pending() {
    var queue = HitQueue()
    func pending(_ frame: Int64, _ number: UInt64) -> PendingHit {
      PendingHit(
        frame: Frames(frame), sequence: number, player: ann, name: PlayerName("ann")!, pad: pad, velocity: .full,
        duration: Frames(1_000))
    }
    for (number, frame) in [5_000, 3_000, 4_000].enumerated() {
      let isKept = queue.keep(pending(Int64(frame), UInt64(number)), limit: 3)
      #expect(isKept)
    }
    let isKept = queue.keep(pending(1, 9), limit: 3)
    #expect(!isKept)
    #expect(queue.nextPending == Frames(3_000) - RoomState.liveDelay)
    queue.shorten(on: pad, of: ann, at: Frames(3_400))
    let early = queue.takePending(until: Frames(2_759))
    let shown = queue.takePending(until: Frames(2_760))
    let withdrawn = queue.takePending { $0.sequence == 2 }
    #expect(early == nil && shown?.duration == Frames(400) && withdrawn.map(\.frame) == [Frames(4_000)])
    #expect(queue.pending.map(\.sequence) == [0])
  }

  @Test("a hit is known by its number until so many came after it that its place is another's")
  func recent() {
    var queue = HitQueue()
    queue.note(RecentHit(sequence: 7, frame: Frames(100), player: bob, pad: 3))
    #expect(queue.recentHit(7)?.pad == pad && queue.recentHit(7)?.hit.player == bob)
    #expect(queue.recentHit(7 + 8_192) == nil && queue.recentHit(8) == nil)
    queue.note(RecentHit(sequence: 7 + 8_192, frame: Frames(200), player: ann, pad: 4))
    #expect(queue.recentHit(7) == nil)
  }
}
