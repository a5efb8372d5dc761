import JamCore
import JamEngine
import TestSupport
import Testing

@testable import JamRoom

/// What each way to be in time does to what is heard of a player far away, measured in the mix. At 120 bpm a bar has 96,000 frames.
@Suite struct TimingClientTests {
  private static let bar: Int64 = 96_000
  private static let level: Float = 1 / 64
  private let tick = StudioSound([TimingClientTests.level] + [Float](repeating: 0, count: 31))

  private func client(_ milliseconds: Double, seed: UInt64, loss: Double = 0.05) -> TimingClient {
    let frames = milliseconds * 48
    return TimingClient(
      down: frames * 0.6, up: frames * 0.4, jitter: frames * 0.3, loss: loss, drift: 150,
      random: SplitMix(seed: seed))
  }

  private func studio(_ timing: Timing) throws -> Studio {
    let studio = try Studio(Array(repeating: tick, count: 16))
    studio.set(.timing, .text(timing.word))
    studio.set(.loopBars, .integer(1))
    return studio
  }

  /// Frames at which something sounds; more than one hit on a frame is louder.
  private func onsets(_ studio: Studio, in range: Range<Int64>) -> [Int64] {
    studio.left.indices[Int(range.lowerBound)..<Int(range.upperBound)].filter {
      studio.left[$0] > Self.level / 2
    }.flatMap { Array(repeating: Int64($0), count: Int((studio.left[$0] / Self.level).rounded())) }
  }

  /// Plays what arrives; returns the frames to which it was played, with their arrivals.
  private func play(
    _ client: inout TimingClient, _ frames: [Int64], on studio: Studio, tellsHeard: Bool
  ) -> [(heard: Int64, arrival: Int64)] {
    frames.enumerated().compactMap { number, frame in
      guard let arrival = client.arrival(of: frame) else { return nil }
      studio.send(
        .hit(Pad(number % 16 + 1)!, .full), arriving: arrival, heard: tellsHeard ? frame : nil, by: studio.ann)
      return (frame, arrival)
    }
  }

  /// Two passes of an overdub, and where in the loop what was played in them is heard once all has arrived.
  private func overdub(
    _ timing: Timing, _ milliseconds: Double, seed: UInt64
  ) throws -> (played: [(heard: Int64, arrival: Int64)], heard: [Int64], next: [Int64]) {
    let studio = try studio(timing)
    studio.send(.loop(.overdub), at: 10)
    studio.send(.loop(.play), at: 3 * Self.bar - 20)
    var client = client(milliseconds, seed: seed)
    let frames = client.hits(20, in: Self.bar..<3 * Self.bar)
    let played = play(&client, frames, on: studio, tellsHeard: timing != .live)
    #expect(played.count < 20 || seed % 3 != 0, "some are meant to be lost")
    studio.run(until: Int(7 * Self.bar))
    // What of a pass arrives in time sounds from the next one on.
    let next = onsets(studio, in: 2 * Self.bar..<3 * Self.bar).map { $0 - 2 * Self.bar }
    let cycles = (5..<7).map { cycle in
      onsets(studio, in: cycle * Self.bar..<(cycle + 1) * Self.bar).map { $0 - cycle * Self.bar }
    }
    #expect(cycles[0] == cycles[1])
    return (played, cycles[0], next)
  }

  @Test("heard: an overdub is where its player heard the beat, to the frame, at any latency", arguments: [20, 80, 200])
  func heard(milliseconds: Double) throws {
    for seed in 0..<3 {
      let run = try overdub(.heard, milliseconds, seed: UInt64(seed) * 3 + UInt64(milliseconds))
      let expected = run.played.map { $0.heard % Self.bar }.sorted()
      #expect(run.heard.count == expected.count && expected.count > 15)
      for (heard, place) in zip(run.heard, expected) {
        Figures.note("heard at \(milliseconds) ms, frames", Double(heard - place))
        #expect(abs(heard - place) <= 1)
      }
      let first = run.played.map(\.heard).filter { $0 < 2 * Self.bar }.map { $0 % Self.bar }
      #expect(first.allSatisfy { place in run.next.contains { abs($0 - place) <= 1 } })
    }
  }

  @Test("live: the same overdub is late by the latency, and strays by the jitter", arguments: [20, 80, 200])
  func live(milliseconds: Double) throws {
    let run = try overdub(.live, milliseconds, seed: UInt64(milliseconds))
    let expected = run.played.map(\.arrival).filter { $0 + 240 < 3 * Self.bar }
      .map { ($0 + 240) % Self.bar }.sorted()
    #expect(run.heard.count == expected.count && expected.count > 12)
    #expect(zip(run.heard, expected).allSatisfy { abs($0 - $1) <= 1 })
    let late = run.played.map { Double($0.arrival + 240 - $0.heard) / 48 }
    for late in late { Figures.note("live at \(milliseconds) ms, late by ms", late) }
    #expect(late.allSatisfy { $0 > milliseconds - 11 && $0 < milliseconds * 1.3 + 16 })
    #expect(late.max()! - late.min()! > milliseconds * 0.15)
  }

  @Test(
    "interval: each hit sounds one loop later to the frame, through a change of the tempo", arguments: [20, 80, 200])
  func interval(milliseconds: Double) throws {
    for tellsHeard in [true, false] {
      let studio = try studio(.interval)
      var client = client(milliseconds, seed: 5)
      let played = play(&client, client.hits(24, in: 4_000..<4 * Self.bar), on: studio, tellsHeard: tellsHeard)
      let change = 2 * Self.bar + 17_777
      studio.set(.tempo, .float(93), at: change)
      let old = studio.state.map.view
      let memory = studio.state.map.memory
      studio.run(until: Int(7 * Self.bar))
      withExtendedLifetime(memory) {
        let map = studio.state.map.view
        let expected = played.map { hit in
          let frame = Frames(tellsHeard ? hit.heard : hit.arrival + 240)
          let beat = (frame.count < change ? old : map).beat(at: frame)
          return map.exactFrame(at: beat + Beats(4))
        }.sorted()
        let heard = onsets(studio, in: 0..<7 * Self.bar)
        #expect(heard.count == expected.count && expected.count > 18)
        for (heard, place) in zip(heard, expected) {
          Figures.note("interval at \(milliseconds) ms, frames", Double(heard) - place)
          #expect(abs(Double(heard) - place) <= 1)
        }
      }
    }
  }

  @Test("interval: what is recorded sounds once in each cycle, from one loop later on", arguments: [20, 200])
  func intervalLoop(milliseconds: Double) throws {
    let studio = try studio(.interval)
    var client = client(milliseconds, seed: 11)
    studio.send(.loop(.overdub), at: 10)
    studio.send(.loop(.play), at: 3 * Self.bar - 20)
    let played = play(&client, client.hits(20, in: Self.bar..<3 * Self.bar), on: studio, tellsHeard: true)
    studio.run(until: Int(8 * Self.bar))
    func places(_ frames: [Int64]) -> [Int64] { frames.map { $0 % Self.bar }.sorted() }
    let first = played.map(\.heard).filter { $0 < 2 * Self.bar }
    func cycle(_ number: Int64) -> [Int64] { places(onsets(studio, in: number * Self.bar..<(number + 1) * Self.bar)) }
    func agree(_ a: [Int64], _ b: [Int64]) -> Bool { a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) <= 1 } }
    #expect(cycle(1).isEmpty)
    #expect(agree(cycle(2), places(first)))
    for number in 3..<8 { #expect(agree(cycle(Int64(number)), places(played.map(\.heard)))) }
  }

  @Test("near and far in one room: everybody's layer is where its player heard the beat")
  func together() throws {
    let studio = try studio(.live)
    let far = try studio.join("bob")
    let farther = try studio.join("cleo")
    for id in [far, farther] { studio.send(.set(.loopBars, .integer(1)), by: id) }
    studio.send(.set(.timing, .text("heard")), by: far)
    studio.send(.set(.timing, .text("interval")), by: farther)
    for id in [studio.ann, far, farther] {
      studio.send(.loop(.record), at: 10, by: id)
      // Each on the beat as it hears it.
      let latency: Int64 = id == studio.ann ? 0 : id == far ? 80 * 48 : 300 * 48
      for beat in 0..<4 as Range<Int64> {
        studio.send(
          .hit(Pad(Int(id.index) + 1)!, .full), arriving: Self.bar + beat * 24_000 + latency - (latency == 0 ? 240 : 0),
          heard: latency == 0 ? nil : Self.bar + beat * 24_000, by: id)
      }
    }
    studio.run(until: Int(6 * Self.bar))
    let loud = studio.left.indices[Int(4 * Self.bar)...].filter { studio.left[$0] > Self.level / 2 }
    #expect(loud == (0..<8).map { Int(4 * Self.bar) + $0 * 24_000 })
    #expect(loud.allSatisfy { abs(studio.left[$0] - 3 * Self.level) < Self.level / 4 })
  }
}
