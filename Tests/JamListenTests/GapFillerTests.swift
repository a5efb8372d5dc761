import Glibc
import Testing

@testable import JamListen

/// What a listener hears in place of a lost packet.
struct GapFillerTests {
  /// Frames of a packet of 5 ms.
  private static let packet = 240

  /// Feeds packets of a sound, of which one is lost, and gives what is heard.
  private func heard(_ sound: (Int) -> Float, packets: Int, losing lost: Range<Int>) -> [Float] {
    var filler = GapFiller()
    return (0..<packets).flatMap { number -> [Float] in
      var pcm = (0..<Self.packet).flatMap { frame -> [Float] in
        let value = sound(number * Self.packet + frame)
        return [value, -value]
      }
      pcm.withUnsafeMutableBufferPointer { lost.contains(number) ? filler.fill($0) : filler.take($0) }
      return pcm
    }
  }

  private func chord(_ frame: Int) -> Float {
    let time = Double(frame) / 48_000
    return Float([220.0, 277.2, 329.6, 1_046.5].reduce(0) { $0 + sin(2 * .pi * $1 * time) } / 8)
  }

  @Test("a chord goes on over a lost packet, on both channels")
  func chordGoesOn() {
    let heard = heard(chord, packets: 60, losing: 50..<51)
    for frame in 50 * Self.packet..<51 * Self.packet {
      #expect(abs(heard[2 * frame] - chord(frame)) < 0.01)
      #expect(abs(heard[2 * frame + 1] + chord(frame)) < 0.01)
    }
  }

  @Test("behind a gap all is as it was decoded, after 180 frames")
  func blendEnds() {
    let heard = heard(chord, packets: 60, losing: 50..<52)
    for frame in 52 * Self.packet + 180..<60 * Self.packet { #expect(heard[2 * frame] == chord(frame)) }
  }

  @Test("no step is heard where a gap begins and ends")
  func noStep() {
    let heard = heard(chord, packets: 60, losing: 50..<52)
    let steepest = (1..<50 * Self.packet).map { abs(chord($0) - chord($0 - 1)) }.max() ?? 0
    for frame in 49 * Self.packet..<54 * Self.packet {
      #expect(abs(heard[2 * frame] - heard[2 * frame - 2]) < steepest * 1.2, "frame \(frame)")
    }
  }

  @Test("a gap becomes silence within 100 ms, and the sound comes back behind it")
  func longGap() {
    let heard = heard(chord, packets: 100, losing: 40..<80)
    #expect(heard[2 * 60 * Self.packet..<2 * 80 * Self.packet].allSatisfy { $0 == 0 })
    #expect(heard[2 * 90 * Self.packet] == chord(90 * Self.packet))
  }

  @Test("noise, clicks, full scale and silence are filled with nothing louder than full scale")
  func hardSounds() {
    let noise = { (frame: Int) in
      Float(Int32(truncatingIfNeeded: (UInt64(frame) &* 0x9e37_79b9_7f4a_7c15) >> 29)) / Float(Int32.max)
    }
    let square = { (frame: Int) -> Float in frame / 100 % 2 == 0 ? 1 : -1 }
    let click = { (frame: Int) -> Float in frame % 4_800 == 0 ? 1 : 0 }
    let growing = { (frame: Int) in Float(sin(Double(frame) / 10) * exp(Double(frame - 12_000) / 800)) }
    for sound in [noise, square, click, growing] {
      let heard = heard(sound, packets: 60, losing: 48..<52)
      #expect(heard[2 * 48 * Self.packet..<2 * 52 * Self.packet].allSatisfy { abs($0) <= 1 })
    }
    #expect(heard({ _ in 0 }, packets: 60, losing: 48..<52).allSatisfy { $0 == 0 })
  }

  @Test("a gap before any sound is silent")
  func gapAtTheBeginning() {
    #expect(heard(chord, packets: 2, losing: 0..<1)[..<(2 * Self.packet)].allSatisfy { $0 == 0 })
  }
}
