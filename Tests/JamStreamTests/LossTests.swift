import Glibc
import TestSupport
import Testing

@testable import JamStream

/// A stream of which packets are lost, as a listener over Wi-Fi decodes it.
struct LossTests {
  /// Two seconds of what tears a decoder most: loud beats that break off, over a steady chord.
  private static func beats(_ frame: Int) -> Float {
    let time = Double(frame) / 48_000
    let sinceBeat = time.truncatingRemainder(dividingBy: 0.25)
    let beat = sinceBeat < 0.06 ? sin(2 * .pi * 70 * time) * exp(-sinceBeat * 40) : 0
    let chord = [220.0, 277.2, 329.6].reduce(0) { $0 + sin(2 * .pi * $1 * time) } / 24
    return Float(0.85 * beat + chord)
  }

  private func packets(_ profile: StreamProfile) throws -> [[UInt8]] {
    var encoder = try OpusEncoder(profile)
    let frames = profile.frame.rawValue
    return try stride(from: 0, to: 96_000, by: frames).map { start in
      let pcm = (start..<start + frames).flatMap { [Self.beats($0), Self.beats($0)] }
      return try withUnsafeTemporaryAllocation(byteCount: 1_500, alignment: 1) { packet in
        Array(packet[..<(try encoder.encode(pcm, into: packet))])
      }
    }
  }

  private func decoded(_ packets: [[UInt8]], _ profile: StreamProfile, losing isLost: (Int) -> Bool) throws -> [Float] {
    var decoder = try OpusDecoder()
    var pcm = [Float](repeating: 0, count: 2 * profile.frame.rawValue)
    return try packets.enumerated().flatMap { number, packet in
      _ = try pcm.withUnsafeMutableBufferPointer { output in
        isLost(number)
          ? try decoder.conceal(frames: profile.frame.rawValue, into: output)
          : try packet.withUnsafeBytes { try decoder.decode($0, into: output) }
      }
      return pcm
    }
  }

  @Test("lost packets make nothing louder than full scale", arguments: [StreamProfile.rtp, .webRTC])
  func peaks(profile: StreamProfile) throws {
    let packets = try packets(profile)
    var random = SplitMix(seed: 7)
    for percent in [1, 3, 10] {
      for _ in 0..<6 {
        let torn = try decoded(packets, profile) { _ in random.below(100) < percent }
        #expect(torn.allSatisfy { abs($0) < 1 }, "\(percent) % lost")
      }
    }
  }

  @Test("a lost packet is over within 20 ms", arguments: [StreamProfile.rtp, .webRTC])
  func healing(profile: StreamProfile) throws {
    let packets = try packets(profile)
    let whole = try decoded(packets, profile) { _ in false }
    let healed = 2 * 960
    for lost in stride(from: 20, to: packets.count - 20, by: 7) {
      let torn = try decoded(packets, profile) { $0 == lost }
      let behind = 2 * (lost + 1) * profile.frame.rawValue + healed
      // A thousandth of full scale is −60 dB.
      #expect(zip(whole[behind...], torn[behind...]).allSatisfy { abs($0 - $1) < 1e-3 }, "packet \(lost)")
    }
  }
}
