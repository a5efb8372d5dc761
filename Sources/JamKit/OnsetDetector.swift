/// Finds the beginnings of hits in a recording, by the rise of its energy.
package struct OnsetDetector {
  /// Frames of each step: 2.5 ms.
  private let hop: Int
  private let rate: Int
  /// The RMS of each step, of the louder channel.
  private let envelope: [Float]

  /// The detector looks for no other onset within this time after an onset.
  package static let gapMilliseconds = 60
  /// A step must be twice as loud as the past: 6 dB.
  private static let rise: Float = 2
  /// A hit must be louder than this part of the loudest step (−32 dB), and louder than `silence`
  /// (−60 dB), because hardly anybody hears less.
  private static let floor: Float = 0.025
  private static let silence: Float = 0.001
  /// A rise may take four steps. The past is the loudest of the ten steps before those: half a
  /// period of 20 Hz.
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

  /// The frames at which hits begin, in order; empty in silence.
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

  /// Ranges of frames that hold sound, however it rises, in order; empty in silence. A pause
  /// shorter than 250 ms is part of a range. A range that nowhere reaches the loudness of a hit is
  /// left out.
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

  /// Goes back from the step where the rise was found to the step where the rise began.
  private func start(of step: Int, after last: Int?) -> Int {
    var start = step
    let earliest = max(step - Self.riseSteps, (last ?? -1) + 1, 0)
    // Only steep steps count as the rise, so that the tail of the last hit does not become part of
    // this one.
    while start > earliest, envelope[start - 1] > envelope[step] * 0.1, envelope[start - 1] < envelope[start] * 0.7 {
      start -= 1
    }
    // A rise within a single step may begin at the very start of that step, so one more step is
    // included.
    return start == step ? max(step - 1, earliest) : start
  }
}
