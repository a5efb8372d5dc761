internal import JamCore
internal import JamKit

extension SoundBench {
  /// The peak above 6 kHz while the delay's time changes under a steady tone. The tone begins at
  /// once, 0.7 s earlier, and no echo comes back into the delay.
  func delay() throws -> [BenchRow] {
    let tone = SoundKit.sine(440, seconds: 8, amplitude: 0.25)
    let kit = try SoundKit([.init("tone", [tone])])
    let stage = try kit.stage()
    let begin = 33_600
    func act(_ frame: Int, _ setting: Setting, _ value: Float) -> SoundStage.Act {
      SoundStage.Act(frame, .set(setting, .float(value)))
    }
    /// - Parameter changes: the frames behind `begin`, the delay in beats, and the tempo.
    func tick(_ changes: [(Int, Float, Float)]) throws -> Double {
      var acts = [SoundStage.Act(0, .hit(Pad.all[0], .full))]
      acts.append(act(-2_400, .effect(.delaySend), 1))
      acts.append(act(-2_400, .roomEffect(.delayFeedback), 0))
      for (frame, beats, tempo) in changes {
        acts.append(act(begin + frame, .roomEffect(.delayBeats), beats))
        acts.append(act(begin + frame, .tempo, tempo))
      }
      let take = try stage.play(acts, kits: [SoundKit.id], seconds: 5)
      let window = Array(take.sumLeft[begin - 1_200..<begin + 132_000])
      let high = SoundMath.highPassed(window, above: 6_000)
      // The ends of the window are no ticks.
      let peak = high[600..<high.count - 600].reduce(0.0) { max($0, abs($1)) }
      let level = SoundMath.peak(take.sumLeft[begin - 9_600..<begin])
      return SoundMath.decibels(peak / max(1e-9, level))
    }
    let single: [(Float, Float)] = [
      (0.5, 140), (0.75, 97), (1, 100), (2, 93), (3, 111), (4, 130),
    ]
    let quick = (0..<20).map { (turn: Int) -> (Int, Float, Float) in
      let tempo = 90 + turn * 37 % 60
      return (turn * 1_300, Float(turn % 5 + 1) / 2, Float(tempo))
    }
    return [
      BenchRow(
        "another delay time and tempo under a tone, above 6 kHz", unit: "dB",
        values: try single.map { try tick([(0, $0, $1)]) }, target: .allAtMost(-65)),
      BenchRow(
        "  twenty changes within half a second", unit: "dB", values: [try tick(quick)],
        target: .atMost(-65)),
    ]
  }
}
