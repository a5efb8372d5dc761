import JamCore
import Testing

@testable import JamOSC

@Suite struct GatheredHitsTests {
  let anna = PlayerName("anna")!
  let now = HostTime(nanoseconds: 1_000_000_000)

  func hit(_ pad: Int, _ velocity: Float = 1) -> Event {
    .hit(player: anna, pad: Pad(pad)!, velocity: velocity, bar: 1, beat: 1)
  }
  func on(_ note: Int, _ velocity: Float = 1) -> Event {
    .note(player: anna, note: note, velocity: velocity, bar: 1, beat: 1)
  }
  func off(_ note: Int) -> Event { .noteOff(player: anna, note: note) }

  @Test("a pad is told once, with its latest hit; all different pads, and all players' are told") func pads() {
    let gathered = GatheredHits()
    for velocity in 1...5 as ClosedRange<Int> { #expect(gathered.add(hit(3, Float(velocity) / 5))) }
    for pad in 1...16 where pad != 3 { #expect(gathered.add(hit(pad))) }
    let bob = Event.hit(player: PlayerName("bob")!, pad: Pad(3)!, velocity: 0.5, bar: 1, beat: 1)
    #expect(gathered.add(bob))
    let (hits, keys) = gathered.take(at: now)
    #expect(hits == [hit(3)] + (1...16).filter { $0 != 3 }.map { hit($0) } + [bob])
    #expect(keys.isEmpty)
    #expect(gathered.deadline == nil && gathered.take(at: now).hits.isEmpty)
  }

  @Test("each key is shown as it is in the end, without an end or a beginning that makes no sense")
  func keys() {
    let (on, off) = (on(60), off(60))
    let cases: [(came: [Event], told: [Event])] = [
      ([on], [on]), ([off], [off]), ([on, off], [on, off]), ([off, on], [off, on]),
      ([on, off, on], [on]), ([off, on, off], [off, on, off]), ([off, on, off, on], [off, on]),
      ([on, off, on, off], [on, off]), ([off, off], [off]),
    ]
    for (came, told) in cases {
      let gathered = GatheredHits()
      for event in came { #expect(gathered.add(event)) }
      #expect(gathered.take(at: now).keys == told, "\(came)")
    }
  }

  @Test("a key that was told at once takes the place of what was gathered of it, and of no other") func forgotten() {
    let gathered = GatheredHits()
    for event in [off(60), on(61), hit(1)] { #expect(gathered.add(event)) }
    gathered.forget(60, of: anna)
    gathered.forget(72, of: anna)
    let (hits, keys) = gathered.take(at: now)
    #expect(hits == [hit(1)] && keys == [on(61)])
  }

  @Test("hits are told at once after a quiet time, then 30 times a second") func pace() throws {
    let gathered = GatheredHits()
    _ = gathered.add(hit(1))
    #expect(try #require(gathered.deadline) <= now)
    _ = gathered.take(at: now)
    var (time, times) = (now, 0)
    while time < now.advanced(byMilliseconds: 1_000) {
      _ = gathered.add(hit(1))
      let next = try #require(gathered.deadline)
      let pause = next.milliseconds(since: time)
      #expect(times == 0 ? (16...51).contains(pause) : (33...34).contains(pause), "\(pause)")
      // The thread wakes a little late.
      time = next.advanced(byNanoseconds: 100_000)
      _ = gathered.take(at: time)
      times += 1
    }
    #expect((29...31).contains(times))
  }

  @Test("too many places are refused, but for the ends of keys") func bound() {
    let gathered = GatheredHits()
    for player in 0..<GatheredHits.mostPlaces {
      #expect(gathered.add(.hit(player: PlayerName("p\(player)")!, pad: Pad(1)!, velocity: 1, bar: 1, beat: 1)))
    }
    #expect(!gathered.add(hit(1)) && !gathered.add(on(60)) && gathered.add(off(60)))
    #expect(gathered.take(at: now).keys == [off(60)])
  }
}
