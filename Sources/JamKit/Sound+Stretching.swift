import CSoundTouch
public import JamCore

/// Stretching at the same pitch.
///
/// The stretcher joins pieces of about a tenth of a second where they fit best: alone it moves hits by as much, and sounds some of them twice. So the
/// sound is cut at its onsets, each piece is stretched by itself, and begins exactly where it belongs.
extension Sound {
  /// The sound `factor` times as long at the same pitch; at 48 kHz.
  ///
  /// Every onset lies at its time × `factor`, and sounds as it did. What ends in full sound is taken to go round, and goes on at its end as
  /// it begins.
  /// - Parameter factor: in the range of `PadSetting.stretch`.
  /// - Returns: nil only for want of memory.
  func stretched(by factor: Double, _ quality: StretchQuality) -> Sound? {
    let begin = OnsetDetector.gapMilliseconds * rate / 1_000
    let starts = [0] + OnsetDetector(self).onsets().filter { $0 >= begin && $0 < frames }
    let wanted = max(1, Int(saturating: (Double(frames) * factor).rounded()))
    /// Where a piece begins, so that its attack lies where it belongs.
    func place(_ start: Int) -> Int {
      guard start > 0 else { return 0 }
      let attack = attack(from: start)
      return Int(saturating: (Double(attack) * factor).rounded()) - (attack - start)
    }
    var output = [Float](repeating: 0, count: wanted * channels)
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : frames
      let (from, to) = (place(start), index + 1 < starts.count ? place(end) : wanted)
      // A little more than is wanted, to fade into the next piece.
      let count = min(to - from + Sound.joint, wanted - from)
      // In order: each onset lies behind the one before, and within the sound.
      guard let piece = stretchedPiece(start..<end, by: factor, quality, count: count) else { return nil }
      for frame in 0..<min(count, piece.count / channels) {
        // The piece before fades out while this one fades in.
        let isJoint = index > 0 && frame < Sound.joint
        let gain = isJoint ? Float(frame) / Float(Sound.joint) : 1
        for channel in 0..<channels {
          let place = (from + frame) * channels + channel
          output[place] = output[place] * (1 - gain) + piece[frame * channels + channel] * gain
        }
      }
    }
    if endsInFullSound { closeSeam(&output) }
    return Sound(interleaved: output, channels: channels, rate: rate, depth: depth)
  }

  /// What goes round ends as it did: so its end leads to its beginning, which is as it was. It fades there, for the two need not be in step.
  private func closeSeam(_ output: inout [Float]) {
    let made = output.count / channels
    let count = min(rate / 100, made / 4, frames / 4)
    for frame in 0..<count {
      let gain = Float(frame + 1) / Float(count)
      for channel in 0..<channels {
        let place = (made - count + frame) * channels + channel
        let end = interleaved[(frames - count + frame) * channels + channel]
        output[place] = output[place] * (1 - gain) + end * gain
      }
    }
  }

  /// Where a hit that was found at `start` is to be heard: it was looked for in steps.
  private func attack(from start: Int) -> Int {
    // In order: an onset lies within the sound.
    let near = start..<min(start + rate / 100, frames)
    func level(_ frame: Int) -> Float {
      (0..<channels).reduce(0) { max($0, abs(interleaved[frame * channels + $1])) }
    }
    let loudest = near.reduce(Float(0)) { max($0, level($1)) }
    return near.first { level($0) > loudest / 4 } ?? start
  }

  /// Frames of the fade between two pieces: 1 ms.
  private static let joint = 48
  /// What the stretcher wants to see behind a piece's end.
  private static let beyond = 48_000

  /// - Returns: `count` frames or fewer.
  private func stretchedPiece(
    _ range: Range<Int>, by factor: Double, _ quality: StretchQuality, count: Int
  ) -> [Float]? {
    // In order: a range's bounds, each times the same.
    var input = Array(interleaved[range.lowerBound * channels..<range.upperBound * channels])
    // It sounds to its end: what follows there is the beginning of what goes round, or else the end, mirrored.
    let wraps = range.upperBound == frames && endsInFullSound
    for frame in 0..<Sound.beyond {
      let turn = frame % (2 * range.count)
      let mirrored = turn < range.count ? range.upperBound - 1 - turn : range.lowerBound + turn - range.count
      let source = wraps ? frame % frames : mirrored
      for channel in 0..<channels { input.append(interleaved[source * channels + channel]) }
    }
    let capacity = Int(saturating: Double(input.count / channels) * factor) + 96_000
    var made = 0
    let output = [Float](unsafeUninitializedCapacity: capacity * channels) { buffer, filled in
      made = input.withUnsafeBufferPointer {
        jam_stretch(
          $0.baseAddress, input.count / channels, Int32(channels), factor, quality == .fast ? 1 : 0,
          buffer.baseAddress, capacity)
      }
      filled = max(0, made) * channels
    }
    guard made > 0 else { return nil }
    return Array(output.prefix(count * channels))
  }

  /// The last 10 ms are no more than 30 dB below the loudest 10 ms: no tail, but something that goes on.
  private var endsInFullSound: Bool {
    let step = max(1, rate / 100)
    func energy(_ start: Int) -> Float {
      // In order: `start` lies within the sound, or less than a step before it.
      let range = max(0, start) * channels..<min(start + step, frames) * channels
      return interleaved[range].reduce(0) { $0 + $1 * $1 }
    }
    let loudest = stride(from: 0, to: frames, by: step).map(energy).max() ?? 0
    return loudest > 0 && energy(frames - step) > loudest * 0.001
  }
}

extension SampleMemory {
  /// The same sound, `factor` times as long at the same pitch.
  /// - Parameter factor: in the range of `PadSetting.stretch`.
  /// - Thread: any that may wait: some hundredths of the sound's length.
  /// - Returns: nil only for want of memory.
  public func stretched(by factor: Double, _ quality: StretchQuality) -> SampleMemory? {
    guard let stretched = Sound(self).stretched(by: factor, quality) else { return nil }
    return stretched.interleaved.withUnsafeBufferPointer {
      SampleMemory(hash: hash, interleaved: $0, channels: stretched.channels)
    }
  }
}
