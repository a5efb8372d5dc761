internal import JamCore
internal import JamKit

extension SoundBench {
  /// The clicks of a tone that is cut off in every way there is, and of one that begins in its
  /// middle.
  func fades() throws -> [BenchRow] {
    let tone = Self.faded(SoundKit.sine(200, seconds: 2))
    let silence = [Float](repeating: 0, count: 4_800)
    let kit = try SoundKit([
      .init("stolen", [tone], fields: #""voices": 1"#),
      .init("choked", [tone], fields: #""choke": 1"#),
      .init("choking", [silence], fields: #""choke": 1"#),
      .init("released", [tone], fields: #""mode": "gate""#),
      .init("muted", [tone]),
      .init("decaying", [tone], fields: #""decay": 500"#),
      // The sound starts at the top of a wave: 50 Hz has one every 20 ms.
      .init("begun", [SoundKit.sine(50, seconds: 1)], fields: #""start": 105"#),
    ])
    let pads = Pad.all
    let soft = Velocity(0.000_01) ?? .softest
    let cut = 24_000
    // A quarter of a period behind a zero, so that the tone is at its highest.
    let high = cut + 60
    let ways: [(String, Pad, Command?)] = [
      ("stolen", pads[0], .hit(pads[0], soft)), ("choked", pads[1], .hit(pads[2], .full)),
      ("released", pads[3], .release(pads[3])), ("muted", pads[4], .set(.pad(.mute, pads[4]), .bool(true))),
      ("silenced", pads[4], .panic), ("decayed", pads[5], nil),
    ]
    let stage = try kit.stage()
    var rows: [BenchRow] = []
    for (name, pad, command) in ways {
      var acts = [SoundStage.Act(0, .hit(pad, .full))]
      if let command { acts.append(SoundStage.Act(high, command)) }
      let take = try stage.play(acts, kits: [SoundKit.id], seconds: 1)
      rows.append(
        BenchRow(
          "a tone that is \(name), above 2 kHz", unit: "dB",
          values: [Self.click(take.sumLeft, near: cut, tone: take.sumLeft[9_600..<19_200])], target: .atMost(-65)))
    }
    let take = try stage.play([SoundStage.Act(24_000, .hit(pads[6], .full))], kits: [SoundKit.id], seconds: 1)
    rows.append(
      BenchRow(
        "a tone of 50 Hz that begins in its midst, above 2 kHz", unit: "dB",
        values: [Self.click(take.sumLeft, near: 24_000, tone: take.sumLeft[28_800..<38_400])], target: .atMost(-40)))
    return rows
  }

  private static func click(_ signal: [Float], near frame: Int, tone: ArraySlice<Float>) -> Double {
    let high = SoundMath.highPassed(Array(signal[frame - 2_400..<frame + 4_800]), above: 2_000)
    // The ends of the window are not clicks.
    let peak = high[600..<high.count - 600].reduce(0.0) { max($0, abs($1)) }
    return SoundMath.decibels(peak / max(1e-9, SoundMath.peak(tone)))
  }
}
