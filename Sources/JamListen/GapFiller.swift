internal import JamCore

/// Fills the gaps of a stream with what its sound would have gone on as, and fades back to what is
/// decoded behind them.
///
/// It knows more of the sound than libopus's own concealment does, which repeats one period: over
/// beats with chords its error is some 3 dB smaller (`make bench ARGS="sound --part loss"`).
///
/// Thread: one at a time. Not real-time safe.
package struct GapFiller {
  /// The last `LinearPrediction.memory` frames of each channel.
  private var history = [[Float]](
    repeating: [Float](repeating: 0, count: LinearPrediction.memory), count: 2)
  /// Of each channel while a gap is open.
  private var predictions: [LinearPrediction] = []
  /// The frames that were filled in the open gap.
  private var filled = 0

  /// Up to here a gap is filled at full level, and from `end` on by silence: after 100 ms nobody
  /// knows what would be played.
  private static let (full, end) = (960, 4_800)
  /// Frames behind a gap that hold something of what the decoder guessed: its windows overlap by
  /// 120, and the longer the fade, the less is heard of it.
  private static let blend = 180
  /// The frames of them that came in packets which are shorter.
  private var blended = 0
  /// Whether so much is missing that nothing is left to go on with.
  var isSilent: Bool { filled >= GapFiller.end }

  package init() {}

  /// Takes what was decoded, interleaved stereo. Right behind a gap its beginning is blended with
  /// what fills the gap.
  package mutating func take(_ pcm: UnsafeMutableBufferPointer<Float>) {
    let frames = pcm.count / 2
    if !predictions.isEmpty {
      let count = min(GapFiller.blend - blended, frames)
      let (pure, end) = (GapFiller.blend / 3, GapFiller.blend)
      for channel in 0..<2 {
        for (at, value) in next(count, of: channel).enumerated() {
          let place = blended + at
          let part = place < pure ? 1 : Float(end - place) / Float(end - pure)
          pcm[2 * at + channel] += part * (value - pcm[2 * at + channel])
        }
      }
      blended += count
      filled += count
      if blended == GapFiller.blend { close() }
    }
    keep(frames) { channel, at in pcm[2 * at + channel] }
  }

  private mutating func close() {
    predictions = []
    (filled, blended) = (0, 0)
  }

  /// Fills `pcm`, interleaved stereo, with what would follow.
  package mutating func fill(_ pcm: UnsafeMutableBufferPointer<Float>) {
    let frames = pcm.count / 2
    guard !isSilent else {
      // So long a gap parts what comes behind it from what was before it.
      keep(frames) { _, _ in 0 }
      return pcm.update(repeating: 0)
    }
    if predictions.isEmpty { predictions = history.map { LinearPrediction(of: $0) } }
    blended = 0
    // The history goes on at full level: the fade is no part of the sound.
    let sounds = (0..<2).map { predictions[$0].continued(history[$0], count: frames) }
    for channel in 0..<2 {
      for at in 0..<frames { pcm[2 * at + channel] = sounds[channel][at] * level(filled + at) }
    }
    keep(frames) { channel, at in sounds[channel][at] }
    filled += frames
  }

  private func next(_ count: Int, of channel: Int) -> [Float] {
    predictions[channel].continued(history[channel], count: count).enumerated().map { at, value in
      value * level(filled + at)
    }
  }

  private func level(_ frame: Int) -> Float {
    let (full, end) = (GapFiller.full, GapFiller.end)
    return frame < full ? 1 : Float(max(0, end - frame)) / Float(end - full)
  }

  private mutating func keep(_ frames: Int, _ value: (_ channel: Int, _ frame: Int) -> Float) {
    let first = max(0, frames - LinearPrediction.memory)
    for channel in 0..<2 {
      history[channel].removeFirst(frames - first)
      for at in Range(from: first, to: frames) { history[channel].append(value(channel, at)) }
    }
  }
}
