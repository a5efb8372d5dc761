import JamCore
import JamRoom
import Testing

@testable import bandshell

@Suite("MIDI export")
struct MIDIExportTests {
  private let anna = PlayerName("anna")!

  private func hit(_ pad: Int, _ velocity: Float, at frame: Int64) -> LogEntry {
    LogEntry(
      sequence: 0, frame: Frames(frame), player: anna, action: .command(.hit(Pad(pad)!, Velocity(velocity)!)))
  }

  @Test("a hit is a note on channel 10, as long as a 64th note, at its place in the bars")
  func bytes() {
    let file = MIDIExport.file(
      players: [anna], log: [hit(1, 1, at: 0), hit(16, 0.5, at: 24_000)], maps: [(.zero, TempoMap(tempo: .standard))])
    let expected: [UInt8] =
      Array("MThd".utf8) + [0, 0, 0, 6, 0, 1, 0, 2, 3, 0xc0]
      + Array("MTrk".utf8) + [0, 0, 0, 28]
      + [0, 0xff, 3, 5] + Array("clock".utf8)
      // 500,000 µs per beat, 4/4.
      + [0, 0xff, 0x51, 3, 7, 0xa1, 0x20, 0, 0xff, 0x58, 4, 4, 2, 24, 8, 0, 0xff, 0x2f, 0]
      + Array("MTrk".utf8) + [0, 0, 0, 29]
      + [0, 0xff, 3, 4] + Array("anna".utf8)
      + [0, 0x99, 36, 127, 60, 0x89, 36, 0]
      // 900 ticks later, a beat after the first: 7 × 128 + 4.
      + [0x87, 4, 0x99, 51, 64, 60, 0x89, 51, 0, 0, 0xff, 0x2f, 0]
    #expect(file.bytes == expected)
  }

  @Test("a note ends where the same pad is hit again")
  func roll() {
    let file = MIDIExport.file(
      players: [anna], log: (0..<3).map { hit(2, 1, at: $0 * 500) }, maps: [(.zero, TempoMap(tempo: .standard))])
    // 500 frames are 20 ticks.
    let expected: [UInt8] =
      [0, 0x99, 37, 127, 20, 0x89, 37, 0] + [0, 0x99, 37, 127, 20, 0x89, 37, 0] + [0, 0x99, 37, 127, 60, 0x89, 37, 0]
      + [0, 0xff, 0x2f, 0]
    #expect(Array(file.bytes.suffix(expected.count)) == expected)
  }

  @Test("what loops and lanes repeat are notes too: of a hit, a step, and a block's hit")
  func loops() {
    let voicing = Voicing(pad: Pad(3)!, sample: .pad(Pad(3)!, of: "one"), settings: PadSettings())
    let commands: [(frame: Int64, command: Command)] = [
      (0, .hit(Pad(1)!, .full)), (0, .set(.step(Pad(2)!, 1), .float(0.5))), (0, .set(.step(Pad(2)!, 5), .float(0))),
      (0, .define(voicing, .full, turn: 0)),
      // Their log order is that of sending.
      (48_000, .loopHit(layer: 2, hit: 2, hold: 0, gain: 0)), (24_000, .loopHit(layer: 1, hit: 1, hold: 0, gain: 0)),
      (24_000, .loopHit(layer: 2, hit: 2, hold: 0, gain: 0)), (24_000, .loopHit(layer: 0, hit: 4, hold: 0, gain: 0)),
      (24_000, .loopHit(layer: 0, hit: 99, hold: 0, gain: 0)),
    ]
    let log = commands.enumerated().map { index, entry in
      LogEntry(
        sequence: UInt64(index + 1), frame: Frames(entry.frame), player: anna, action: .command(entry.command))
    }
    let file = MIDIExport.file(players: [anna], log: log, maps: [(.zero, TempoMap(tempo: .standard))])
    let expected: [UInt8] =
      [0, 0x99, 36, 127, 60, 0x89, 36, 0]
      + [0x87, 4, 0x99, 36, 127, 0, 0x99, 37, 64, 0, 0x99, 38, 127]
      + [60, 0x89, 36, 0, 0, 0x89, 37, 0, 0, 0x89, 38, 0]
      + [0x87, 4, 0x99, 37, 64, 60, 0x89, 37, 0, 0, 0xff, 0x2f, 0]
    #expect(Array(file.bytes.suffix(expected.count)) == expected)
  }

  @Test("ticks follow the beats through tempo changes and ramps, and go on when the transport starts anew")
  func ruler() {
    let first = TempoMap(tempo: .standard)
    let faster = first.setting(Tempo(beatsPerMinute: 240)!, at: Frames(48_000))
    let again = faster.starting(at: Frames(96_000))
    let ruler = MIDIRuler([(.zero, first), (Frames(48_000), faster), (Frames(96_000), again)])
    // Two beats at 120, four at 240, and on from there.
    #expect(ruler.tick(at: Frames(24_000)) == 960)
    #expect(ruler.tick(at: Frames(48_000)) == 1_920)
    #expect(ruler.tick(at: Frames(96_000)) == 5_760)
    #expect(ruler.tick(at: Frames(108_000)) == 6_720)
    #expect(ruler.stretches.map(\.microsecondsPerBeat) == [500_000, 250_000, 250_000])
    #expect(ruler.stretches.map(\.tick) == [0, 1_920, 5_760])
  }

  @Test("a ramp's stretches take as long as the ramp does")
  func ramp() {
    let map = TempoMap(tempo: .standard)
      .ramping(to: Tempo(beatsPerMinute: 180)!, from: Beats(4), over: Beats(8), curve: .ease)
    let ruler = MIDIRuler([(.zero, map)])
    var seconds = 0.0
    for (stretch, next) in zip(ruler.stretches, ruler.stretches.dropFirst()) {
      let beats = Double(next.tick - stretch.tick) / Double(MIDIFile.division)
      seconds += beats * Double(stretch.microsecondsPerBeat) / 1_000_000
    }
    #expect(abs(seconds - map.view.exactFrame(at: Beats(12)) / 48_000) < 0.000_1)
  }
}
