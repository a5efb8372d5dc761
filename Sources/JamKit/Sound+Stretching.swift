public import JamCore

/// Stretching at the same pitch.
///
/// A sound is cut at its attacks. Each attack begins exactly where it belongs and stays as it was
/// recorded for some hundredths of a second. A phase vocoder makes the rest, up to the next attack,
/// longer or shorter.
///
/// `fast` does this once, with large steps. `best` does it twice, for the frequencies below 750 Hz
/// and for those above, each with its own attacks, windows and smaller steps.
extension Sound {
  /// The sound `factor` times as long at the same pitch; at 48 kHz. The length is `frames ×
  /// factor`, rounded.
  ///
  /// Every attack lies at its frame × `factor`, and sounds as it did. A sound that ends at full
  /// loudness is treated as a loop: its end continues into its beginning.
  /// - Parameter factor: in the range of `PadSetting.stretch`.
  func stretched(by factor: Double, _ quality: StretchQuality) -> Sound {
    let wanted = max(1, Int(saturating: (Double(frames) * factor).rounded()))
    let goesRound = endsInFullSound
    let attacks = AttackFinder(self).attacks()
    var output = [Float](repeating: 0, count: wanted * channels)
    /// Adds a part of the sound, stretched between these attacks.
    func add(_ part: Sound, _ attacks: [AttackFinder.Attack], longSize: Int = Sound.size, hop: Int) -> [StretchSegment]
    {
      let segments = StretchSegment.segments(
        attacks: attacks.map(\.frame), frames: frames, wanted: wanted, factor: factor, kept: Self.kept)
      var vocoder = PhaseVocoder(size: Self.size, hop: hop)
      var longVocoder = PhaseVocoder(size: longSize, hop: longSize / Self.size * hop)
      func add(_ segment: StretchSegment, by vocoder: inout PhaseVocoder) {
        vocoder.add(segment, of: part, lead: Self.lead, fade: Self.joint, goesRound: goesRound, to: &output)
      }
      for segment in segments {
        let isLong = segment.sourceEnd - segment.source > Self.long
        if isLong { add(segment, by: &longVocoder) } else { add(segment, by: &vocoder) }
      }
      return segments
    }
    switch quality {
    case .fast: _ = add(self, attacks, hop: 1_024)
    case .best:
      // A hat does not touch the bass below it: the low part goes on through attacks that have no
      // low frequencies.
      let low = BandSplit(below: AttackFinder.lowEnd, rate: rate).low(of: self, goesRound: goesRound)
      var high = self
      for n in high.interleaved.indices { high.interleaved[n] -= low.interleaved[n] }
      let lowSegments = add(low, attacks.filter(\.isLow), longSize: 8_192, hop: 512)
      let segments = add(high, attacks, hop: 512)
      keep(lowSegments, segments, in: &output)
    }
    if goesRound { closeSeam(&output) }
    return Sound(interleaved: output, channels: channels, rate: rate, depth: depth)
  }

  /// Copies the recording, bit for bit, to the frames that both parts keep.
  private func keep(_ low: [StretchSegment], _ high: [StretchSegment], in output: inout [Float]) {
    let lows = Dictionary(uniqueKeysWithValues: low.map { ($0.source, $0.kept) })
    for segment in high {
      let count = min(segment.kept, lows[segment.source] ?? 0) * channels
      let (from, to) = (segment.source * channels, segment.place * channels)
      for n in 0..<count { output[to + n] = interleaved[from + n] }
    }
  }

  /// Makes a loop end as the original ended, so that its end leads to its beginning, which is
  /// unchanged. The two are cross-faded, because they need not be in phase.
  private func closeSeam(_ output: inout [Float]) {
    let made = output.count / channels
    let count = min(rate / 100, made / 4, frames / 4)
    for frame in 0..<count {
      let gain = Float(frame + 1) / Float(count)
      for channel in 0..<channels {
        let place = (made - count + frame) * channels + channel
        let end = audible(frames - count + frame, channel)
        output[place] = output[place] * (1 - gain) + end * gain
      }
    }
  }

  /// Frames that the vocoder sees at once: 85 ms.
  private static let size = 4_096
  /// Frames. A sound that goes on for longer than a second is a tone rather than a hit, and gets
  /// windows twice as long.
  private static let long = 48_000
  /// Frames after an attack that stay as recorded: 25 ms.
  private static let kept = 1_200
  /// Frames in front of an attack that belong to it: 2.5 ms.
  private static let lead = 120
  /// Frames of the fade between two segments: 2 ms.
  private static let joint = 96

  /// Whether the last 10 ms are at most 30 dB below the loudest 10 ms. Then the end is no tail: the
  /// sound goes on.
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
    let stretched = Sound(self).stretched(by: factor, quality)
    return stretched.interleaved.withUnsafeBufferPointer {
      SampleMemory(hash: hash, interleaved: $0, channels: stretched.channels)
    }
  }
}
