internal import JamCore

extension Sound {
  /// The values of one channel.
  func channel(_ channel: Int) -> [Float] {
    guard channels > 1 else { return interleaved }
    return [Float](unsafeUninitializedCapacity: frames) { plane, count in
      interleaved.withUnsafeBufferPointer { values in
        guard let plane = plane.baseAddress, let values = values.baseAddress else { return }
        for frame in 0..<frames { plane[frame] = values[frame * channels + channel] }
      }
      count = frames
    }
  }

  /// A part of the sound. - Precondition: within it, not empty.
  package func part(_ range: Range<Int>) -> Sound {
    guard range != 0..<frames else { return self }
    var part = self
    // In order: a range's bounds, each times the same.
    part.interleaved = Array(interleaved[range.lowerBound * channels..<range.upperBound * channels])
    return part
  }

  /// Half a cosine from silence, over at most half of the sound.
  package mutating func fadeIn(milliseconds: Double) { fade(milliseconds) { $0 } }

  /// Half a cosine to silence, over at most half of the sound.
  package mutating func fadeOut(milliseconds: Double) {
    let last = frames - 1
    fade(milliseconds) { last - $0 }
  }

  private mutating func fade(_ milliseconds: Double, _ frame: (Int) -> Int) {
    let count = min(max(1, Int(saturating: milliseconds * Double(rate) / 1_000)), max(1, frames / 2))
    for n in 0..<min(count, frames) {
      let gain = Float(0.5 - 0.5 * PortableMath.cosine(turns: Double(n) / Double(2 * count)))
      for channel in 0..<channels { interleaved[frame(n) * channels + channel] *= gain }
    }
  }

  /// Subtracts each channel's mean.
  mutating func removeOffset() {
    for channel in 0..<channels {
      let mean = Float(SoundMeasure.offset(self.channel(channel)))
      for index in stride(from: channel, to: interleaved.count, by: channels) { interleaved[index] -= mean }
    }
  }

  /// As if it had been recorded with another pitch: the same frames, in less or more time.
  ///
  /// Where that makes a rate that no sound may have, it is moved as far as one may, resampled, and
  /// moved by the rest. What lasts longer than sounds do is cut before.
  package mutating func detune(semitones: Double) {
    var wanted = Double(rate) * PortableMath.ratio(semitones: semitones)
    let farthest = min(max(wanted, Double(Self.rates.lowerBound)), Double(Self.rates.upperBound))
    if farthest != wanted {
      var moved = self
      moved.rate = Int(saturating: farthest.rounded())
      // One second more, so that whoever cuts it tells it.
      let longest = max(Int(saturating: Double(SoundMeasure.longestSeconds + 1) * wanted), 1)
      if moved.frames > longest { moved.interleaved.removeLast((moved.frames - longest) * channels) }
      if let resampled = try? moved.resampled(named: "") {
        self = resampled
        depth = .twentyFour
        wanted *= Double(rate) / farthest
      }
    }
    rate = min(max(Int(saturating: wanted.rounded()), Self.rates.lowerBound), Self.rates.upperBound)
  }
}
