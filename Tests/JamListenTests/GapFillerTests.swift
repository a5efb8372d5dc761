import Glibc
import JamStream
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

  @Test("what a decoder guessed behind a gap fades in", arguments: [120, 240, 480])
  func blendFades(packet: Int) {
    // The decoded sound is upside down there, so that it can be told from the filled one.
    let lost = 12_000..<12_000 + packet
    var filler = GapFiller()
    let heard = stride(from: 0, to: 13_440, by: packet).flatMap { start -> [Float] in
      var pcm = (start..<start + packet).flatMap { frame -> [Float] in
        [frame < lost.upperBound ? chord(frame) : -chord(frame), 0]
      }
      pcm.withUnsafeMutableBufferPointer { start == lost.lowerBound ? filler.fill($0) : filler.take($0) }
      return stride(from: 0, to: pcm.count, by: 2).map { pcm[$0] }
    }
    // The decoded sound is up to 1 away. What is predicted strays with the length of the gap.
    for frame in lost.upperBound..<lost.upperBound + 60 { #expect(abs(heard[frame] - chord(frame)) < 0.1) }
    let middle = lost.upperBound + 120
    #expect(abs(heard[middle]) < 0.1, "half of each")
    for frame in 180..<240 { #expect(heard[lost.upperBound + frame] == -chord(lost.upperBound + frame)) }
  }

  @Test("a chord that comes as Opus goes on over a lost packet")
  func overOpus() throws {
    var encoder = try OpusEncoder(.rtp)
    let packets = try (0..<80).map { number in
      let pcm = (0..<Self.packet).flatMap { frame -> [Float] in
        [chord(number * Self.packet + frame), 0]
      }
      return try withUnsafeTemporaryAllocation(byteCount: 1_500, alignment: 1) { packet in
        Array(packet[..<(try encoder.encode(pcm, into: packet))])
      }
    }
    func heard(losing lost: Int?) throws -> [Float] {
      var decoder = try StreamDecoder()
      return packets.enumerated().flatMap { number, packet in
        Array(number == lost ? decoder.conceal(frames: Self.packet) : decoder.decode(packet))
      }
    }
    let (whole, torn) = (try heard(losing: nil), try heard(losing: 60))
    let gap = 2 * 60 * Self.packet..<2 * 63 * Self.packet
    let stray = zip(whole[gap], torn[gap]).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    let level = whole[gap].reduce(0) { $0 + $1 * $1 }
    // −20 dB: libopus’s own sound for it strays by −8.
    #expect(stray < level / 100)
  }

  @Test("a gap becomes silence within 100 ms, and the sound comes back behind it")
  func longGap() {
    let heard = heard(chord, packets: 100, losing: 40..<80)
    #expect(heard[2 * 60 * Self.packet..<2 * 80 * Self.packet].allSatisfy { $0 == 0 })
    #expect(heard[2 * 90 * Self.packet] == chord(90 * Self.packet))
  }

  @Test("noise, clicks, full scale and silence are filled with nothing louder than what was before")
  func hardSounds() {
    let noise = { (frame: Int) in
      Float(Int32(truncatingIfNeeded: (UInt64(frame) &* 0x9e37_79b9_7f4a_7c15) >> 29)) / Float(Int32.max)
    }
    let square = { (frame: Int) -> Float in frame / 100 % 2 == 0 ? 1 : -1 }
    let click = { (frame: Int) -> Float in frame % 4_800 == 0 ? 1 : 0 }
    let growing = { (frame: Int) in Float(sin(Double(frame) / 10) * exp(Double(frame - 12_000) / 800)) }
    for (sound, grows) in [(noise, false), (square, false), (click, false), (growing, true)] {
      for level in [Float(1), 0.1] {
        let heard = heard({ level * sound($0) }, packets: 60, losing: 48..<52)
        let before = heard[2 * (48 * Self.packet - LinearPrediction.memory)..<2 * 48 * Self.packet]
        let gap = heard[2 * 48 * Self.packet..<2 * 52 * Self.packet]
        #expect(gap.map(abs).max() ?? 2 <= before.map(abs).max() ?? 0)
        // The power may be that of the loudest part before it, unless the sound itself grows.
        let loudest =
          stride(from: before.startIndex, to: before.endIndex, by: gap.count).map { start in
            before[start..<min(start + gap.count, before.endIndex)].reduce(0) { $0 + $1 * $1 }
          }.max() ?? 0
        #expect(grows || gap.reduce(0) { $0 + $1 * $1 } < 2 * loudest + 1e-9)
      }
    }
    #expect(heard({ _ in 0 }, packets: 60, losing: 48..<52).allSatisfy { $0 == 0 })
  }

  @Test("a gap before any sound is silent")
  func gapAtTheBeginning() {
    #expect(heard(chord, packets: 2, losing: 0..<1)[..<(2 * Self.packet)].allSatisfy { $0 == 0 })
  }
}
