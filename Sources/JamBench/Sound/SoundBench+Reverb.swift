internal import JamCore
internal import JamKit

extension SoundBench {
  /// The echo density of the reverb's answer to one frame, by the time behind it, without
  /// pre-delay.
  /// - Source: J. Abel, P. Huang, "A simple, robust measure of reverberation echo density", AES 121
  ///   (2006).
  func reverb() throws -> [BenchRow] {
    let kit = try SoundKit([.init("frame", [[1] + [Float](repeating: 0, count: 24_000)])])
    let stage = try kit.stage()
    return try [(0.5, 50), (1, 80)].flatMap { (size: Float, due: Int) -> [BenchRow] in
      let settings: [(Setting, Float)] = [
        (.effect(.reverbSend), 1), (.roomEffect(.reverbPreDelay), 0),
        (.roomEffect(.reverbSize), size),
      ]
      let acts = settings.map { SoundStage.Act(-2_400, .set($0, .float($1))) }
      let hit = SoundStage.Act(2_400, .hit(Pad.all[0], .full))
      let take = try stage.play(acts + [hit], kits: [SoundKit.id], seconds: 1)
      let first = take.sumLeft.firstIndex { $0 != 0 } ?? 0
      return [10, 20, 40, due, 160].map { milliseconds in
        let start = max(first + 1, first + milliseconds * 48 - 480)
        let sides = [take.sumLeft, take.sumRight].map {
          SoundMath.echoDensity(Array($0[start..<start + 960]))
        }
        let isDue = milliseconds == due || milliseconds == 160
        return BenchRow(
          "echo density of the reverb, size \(size), after \(milliseconds) ms", unit: "",
          values: [(sides[0] + sides[1]) / 2], target: isDue ? .atLeast(0.9) : nil)
      }
    }
  }
}
