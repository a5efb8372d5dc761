internal import JamCore
internal import JamListen
internal import JamStream

/// An Opus stream whose packets can be lost, decoded offline by libopus.
struct LossyStream {
  private let profile: StreamProfile
  private var packets: [[UInt8]] = []
  /// The delay of what is decoded.
  let lookahead: Frames
  /// The sound that is decoded where nothing is lost.
  private(set) var whole: [Float] = []

  var count: Int { packets.count }
  var packetFrames: Int { profile.frame.rawValue }

  /// - Parameter music: interleaved stereo; a rest shorter than a packet is left out.
  init(_ music: [Float], _ profile: StreamProfile) throws {
    self.profile = profile
    var encoder = try OpusEncoder(profile)
    lookahead = encoder.lookahead
    var packet = [UInt8](repeating: 0, count: 1_500)
    let values = 2 * profile.frame.rawValue
    for start in stride(from: 0, to: music.count - values + 1, by: values) {
      let bytes = try music[start..<start + values].withUnsafeBufferPointer { input in
        try packet.withUnsafeMutableBytes { output in
          try encoder.encode(input.baseAddress!, into: output)
        }
      }
      packets.append(Array(packet[..<bytes]))
    }
    whole = try decoded { _ in false }
  }

  /// The interleaved sound that a listener decodes.
  /// - Parameters:
  ///   - isFilled: whether gaps are filled as by `bandshell listen`; if not, libopus conceals them.
  ///   - isLost: whether the packet of that number is lost.
  func decoded(isFilled: Bool = false, losing isLost: (Int) -> Bool) throws -> [Float] {
    var decoder = try OpusDecoder()
    var filler = GapFiller()
    var pcm = [Float](repeating: 0, count: 2 * OpusDecoder.maximumFrames)
    var out: [Float] = []
    out.reserveCapacity(2 * packets.count * packetFrames)
    for (number, packet) in packets.enumerated() {
      let isMissing = isLost(number)
      let frames = try pcm.withUnsafeMutableBufferPointer { output in
        let frames =
          isMissing
          ? try decoder.conceal(frames: packetFrames, into: output)
          : try packet.withUnsafeBytes { input in try decoder.decode(input, into: output) }
        let sound = UnsafeMutableBufferPointer(rebasing: output[..<(2 * frames)])
        if isFilled { isMissing ? filler.fill(sound) : filler.take(sound) }
        return frames
      }
      out += pcm[..<(2 * frames)]
    }
    return out
  }

  /// For how many milliseconds behind each lost packet the sound differs from the one without loss
  /// by more than −30 dB of its level.
  /// - Parameter distance: every so many packets one is lost.
  func healing(every distance: Int) throws -> [Double] {
    let torn = try decoded(losing: { $0 % distance == distance - 1 })
    // A step of a millisecond, both channels.
    let step = 96
    let losses = stride(from: distance, to: count - distance, by: distance)
    return losses.compactMap { behind -> Double? in
      let (start, end) = (2 * behind * packetFrames, 2 * (behind + distance - 1) * packetFrames)
      let level = SoundMath.energy(whole[start..<end]) / Double(end - start)
      // In silence there is nothing to differ from.
      guard level > 1e-6 else { return nil }
      let last = Array(stride(from: start, to: end - step + 1, by: step)).last { at in
        let stray = zip(whole[at..<at + step], torn[at..<at + step]).map { $1 - $0 }
        return SoundMath.energy(stray) / Double(step) > level * 1e-3
      }
      return last.map { Double($0 - start) / Double(step) + 1 } ?? 0
    }
  }

  /// How far lost packets and the 10 ms behind them are from what is decoded without loss, in dB of
  /// its level.
  /// - Parameter distance: every so many packets one is lost.
  func stray(every distance: Int, isFilled: Bool) throws -> Double {
    let isLost = { (number: Int) in number % distance == distance - 1 }
    let torn = try decoded(isFilled: isFilled, losing: isLost)
    let powers = (0..<count - distance).filter(isLost).compactMap { lost -> Double? in
      let place = 2 * lost * packetFrames..<2 * ((lost + 1) * packetFrames + 480)
      let level = SoundMath.energy(whole[place])
      guard level > 1e-6 * Double(place.count) else { return nil }
      return SoundMath.energy(zip(whole[place], torn[place]).map { $1 - $0 }) / level
    }
    return SoundMath.decibels(power: powers.reduce(0, +) / Double(max(1, powers.count)))
  }
}
