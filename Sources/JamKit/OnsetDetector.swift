/// Finds where hits begin in a recording, by how its energy rises.
package struct OnsetDetector {
  /// Frames of each step: 2.5 ms.
  private let hop: Int
  private let rate: Int
  /// The RMS of each step, of the louder side.
  private let envelope: [Float]

  /// At least so long after one onset no other is looked for.
  package static let gapMilliseconds = 60
  /// How far a step must rise above what was before: 6 dB.
  private static let rise: Float = 2
  /// What is softer than this part of the loudest step is no hit (−32 dB), and neither is what hardly anybody hears (−60 dB).
  private static let floor: Float = 0.025
  private static let silence: Float = 0.001
  /// A rise may take four steps; what was before is the loudest of ten, half a period of 20 Hz.
  private static let riseSteps = 4
  private static let pastSteps = 10

  package init(_ sound: Sound) {
    rate = sound.rate
    let hop = max(1, rate / 400)
    self.hop = hop
    envelope = stride(from: 0, to: sound.frames, by: hop).map { start in
      // In order: each step begins within the sound.
      let frames = start..<min(start + hop, sound.frames)
      let sums = (0..<sound.channels).map { channel in
        frames.reduce(Float(0)) { sum, frame in
          let value = sound.interleaved[frame * sound.channels + channel]
          return sum + value * value
        }
      }
      return ((sums.max() ?? 0) / Float(frames.count)).squareRoot()
    }
  }

  /// Frames at which hits begin, in order; empty in silence.
  package func onsets() -> [Int] {
    let threshold = max((envelope.max() ?? 0) * Self.floor, Self.silence)
    let gap = (Self.gapMilliseconds * rate / 1_000 + hop - 1) / hop
    var steps: [Int] = []
    for step in envelope.indices where envelope[step] >= threshold {
      if let last = steps.last, step - last < gap { continue }
      // In order: `pastSteps` is above 0.
      let past = envelope[max(0, step - Self.riseSteps - Self.pastSteps)..<max(0, step - Self.riseSteps)]
      guard envelope[step] > Self.rise * (past.max() ?? 0) else { continue }
      steps.append(start(of: step, after: steps.last))
    }
    return steps.map { $0 * hop }
  }

  /// Stretches of sound without regard to how it rises, in order; empty in silence. Pauses shorter than 250 ms are part of one, and
  /// what nowhere reaches the loudness of a hit is none.
  package func soundings() -> [Range<Int>] {
    let loudest = envelope.max() ?? 0
    guard loudest >= Self.silence else { return [] }
    let pause = max(1, rate / 4 / hop)
    var runs: [Range<Int>] = []
    for step in envelope.indices where envelope[step] >= Self.silence {
      if let last = runs.last, step - last.upperBound < pause {
        // In order: no step lies before an earlier one.
        runs[runs.count - 1] = last.lowerBound..<step + 1
      } else {
        runs.append(step..<step + 1)
      }
    }
    let threshold = max(loudest * Self.floor, Self.silence)
    return runs.filter { run in envelope[run].contains { $0 >= threshold } }.map {
      $0.lowerBound * hop..<$0.upperBound * hop
    }
  }

  /// A step back from where the rise was seen to where it began.
  private func start(of step: Int, after last: Int?) -> Int {
    var start = step
    let earliest = max(step - Self.riseSteps, (last ?? -1) + 1, 0)
    // Steeply down, that is: the last hit's tail is no part of this one.
    while start > earliest, envelope[start - 1] > envelope[step] * 0.1, envelope[start - 1] < envelope[start] * 0.7 {
      start -= 1
    }
    // One step more where the rise is within a single one: it may begin at the very start of that.
    return start == step ? max(step - 1, earliest) : start
  }
}
