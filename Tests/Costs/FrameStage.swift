import JamStream

/// An encoder of the frames that RTP's listeners get: 5 ms, 128 kbit/s, low delay.
///
/// Thread: any one.
final class FrameStage: Stage {
  private static let frames = 20
  private var encoder: OpusEncoder
  private let pcm: [Float]
  private var packet = [UInt8](repeating: 0, count: 1_500)
  private let frameLength: Int
  private(set) var operations = 0

  /// - Throws: `StreamError.codec`.
  init() throws {
    let profile = StreamProfile(application: .lowDelay, frame: .ms5)
    encoder = try OpusEncoder(profile)
    frameLength = profile.frame.rawValue * 2
    // Noise over a sawtooth, different on the two channels: neither silence nor a plain tone.
    var state: UInt64 = 7
    pcm = (0..<FrameStage.frames * frameLength).map { i in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let noise = Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
      let saw = Float(i / 2 * (i % 2 == 0 ? 2 : 3) % 240) / 240 - 0.5
      return noise * 0.1 + saw * 0.3
    }
  }

  func prepare() { operations = 0 }

  func run() {
    pcm.withUnsafeBufferPointer { pcm in
      packet.withUnsafeMutableBytes { packet in
        guard let pcm = pcm.baseAddress else { return }
        for frame in 0..<FrameStage.frames {
          guard let bytes = try? encoder.encode(pcm + frame * frameLength, into: packet), bytes > 0 else { return }
          operations += 1
        }
      }
    }
  }
}
