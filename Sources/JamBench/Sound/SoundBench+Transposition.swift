internal import JamCore
internal import JamKit

extension SoundBench {
  private static let semitones: [Float] = [2, 7, 12, 24, -24]
  /// The frames of each sound that are measured, and the frames between the starts of two sounds in
  /// the take.
  private static let measured = 36_000
  private static let slot = 42_000

  /// Silence in front of each sound and behind it, so that the ringing of a filter there is heard
  /// and compared as well. A voice that begins on a hard first frame has no time to ring. A voice
  /// that ends at full level is faded over its last 2 ms, which is no alias.
  private static let silence = 2_400

  /// The frames behind a kernel's middle after which every kernel has ended: half of 40 at a
  /// quarter of the speed.
  private static let reach = 120

  /// The engine's own filter at each of `semitones`.
  private func responses() throws -> [KernelResponse] {
    let impulse = [Float(1)] + [Float](repeating: 0, count: Self.silence)
    let acts = Self.semitones.enumerated().flatMap { turn, semitones in
      [
        SoundStage.Act(turn * Self.slot, .set(.pad(.transpose, Pad.all[0]), .float(semitones))),
        SoundStage.Act(turn * Self.slot + 480, .hit(Pad.all[0], .full)),
      ]
    }
    let kit = try SoundKit([.init("Impulse", [impulse])])
    let take = try kit.stage().play(
      acts, kits: [SoundKit.id], seconds: Double(Self.semitones.count * Self.slot) / Double(SoundStage.rate))
    return Self.semitones.enumerated().map { turn, semitones in
      let begin = turn * Self.slot + 480
      return KernelResponse(
        Array(take.sumLeft[begin..<begin + Self.reach]), rate: Double(Decibels.ratio(semitones: semitones)))
    }
  }

  private static func inSilence(_ view: SampleView) -> [[Float]] {
    let silence = [Float](repeating: 0, count: silence)
    return [view.left, view.right].prefix(view.isStereo ? 2 : 1).map { plane in
      silence + (0..<Int(view.frameCount)).map { plane[$0] } + silence
    }
  }

  /// Measures the kits' hats and cymbals, transposed. Each is compared with an ideal resampling
  /// that has passed through the engine's own filter.
  func transposition(_ stage: SoundStage) throws -> [BenchRow] {
    let loader = KitLoader(catalogue: stage.catalogue)
    let (ideal, meter, responses) = (IdealResampling(), StrayMeter(), try responses())
    var stray = Self.semitones.map { _ in [Double]() }
    var audible = Self.semitones.map { _ in 0 }
    var drawn = pictures == nil
    for kit in stage.catalogue.kits {
      let loaded = try loader.load(kit.id)
      let pads = Pad.all.filter { pad in
        guard let entry = loaded.kit[pad], entry.settings.stretch == 1 else { return false }
        return entry.category == "hat" || entry.category == "cymbal"
      }
      guard !pads.isEmpty else { continue }
      let sounds = pads.compactMap { pad in loaded.layers(pad).last.map { Self.inSilence($0.sounds[0].view) } }
      let copies = try SoundKit(sounds.map { SoundKit.Sound("Sound", $0) })
      let acts = sounds.indices.flatMap { index -> [SoundStage.Act] in
        Self.semitones.enumerated().flatMap { turn, semitones -> [SoundStage.Act] in
          let begin = (index * Self.semitones.count + turn) * Self.slot
          return [
            SoundStage.Act(begin, .set(.pad(.transpose, Pad.all[index]), .float(semitones))),
            SoundStage.Act(begin + 480, .hit(Pad.all[index], .full)),
            SoundStage.Act(begin + 480 + Self.measured + 480, .panic),
          ]
        }
      }
      let count = sounds.count * Self.semitones.count
      let take = try copies.stage().play(
        acts, kits: [SoundKit.id], seconds: Double(count * Self.slot) / Double(SoundStage.rate))
      for (index, planes) in sounds.enumerated() {
        for (turn, semitones) in Self.semitones.enumerated() {
          let begin = (index * Self.semitones.count + turn) * Self.slot + 480
          let left = Array(take.sumLeft[begin..<begin + Self.measured])
          let right = Array(take.sumRight[begin..<begin + Self.measured])
          let isRight = SoundMath.energy(right) > SoundMath.energy(left) * 4
          let source = isRight ? planes[planes.count - 1] : planes[0]
          let rate = Double(Decibels.ratio(semitones: semitones))
          // The filter also reads frames behind the last one.
          let whole = source.withUnsafeBufferPointer {
            ideal.resampled($0, rate: rate, frames: Self.measured + Self.reach)
          }
          let best = Array(responses[turn].filtered(whole)[..<Self.measured])
          let (decibels, share) = meter.measure(isRight ? right : left, beside: best, rate: rate)
          stray[turn].append(decibels)
          if share > 0.02 { audible[turn] += 1 }
          if !drawn, semitones == 7, let pictures {
            drawn = true
            try SoundPicture.draw(isRight ? right : left, in: pictures, "transposed-7")
            try SoundPicture.draw(best, in: pictures, "transposed-7-ideal")
          }
        }
      }
    }
    return Self.semitones.indices.flatMap { turn -> [BenchRow] in
      guard !stray[turn].isEmpty else { return [] }
      let share = Double(audible[turn]) / Double(stray[turn].count) * 100
      let name = "hats and cymbals at \(Self.semitones[turn] > 0 ? "+" : "")\(Int(Self.semitones[turn]))"
      return [
        BenchRow(
          "\(stray[turn].count) \(name), aliases below 16 kHz", key: "\(name), aliases below 16 kHz", unit: "dB",
          values: stray[turn], target: .allAtMost(-80)),
        BenchRow("  audible in", unit: "%", values: [share], target: .atMost(0)),
      ]
    }
  }

  /// Measures single tones: how well high ones pass a transposition of a semitone up, and which
  /// stray tones the others leave.
  func tones() throws -> [BenchRow] {
    let seconds = 0.5
    // The ratio as the engine has it, a number of 24 bits. Another ratio would leave a rest of the
    // tone among its images.
    let semitoneUp = Double(Decibels.ratio(semitones: 1))
    let kit = try SoundKit(
      [1_000.0, 16_000, 12_000].map { hertz in
        // The name has the height of the output; the input is a semitone lower.
        .init("\(Int(hertz))", [Self.faded(SoundKit.sine(hertz / semitoneUp, seconds: seconds))])
      }
        + [2_000.0, 5_000, 9_000, 13_000, 15_000, 17_000, 18_000, 19_000, 20_000, 21_000, 22_000].map {
          .init("\(Int($0))", [Self.faded(SoundKit.sine($0, seconds: seconds))])
        })
    let stage = try kit.stage()
    let pads = Array(Pad.all[..<14])
    func play(_ pads: [Pad], _ semitones: Float) throws -> [[Float]] {
      let acts = pads.enumerated().flatMap { index, pad in
        [
          SoundStage.Act(index * 96_000, .set(.pad(.transpose, pad), .float(semitones))),
          SoundStage.Act(index * 96_000 + 480, .hit(pad, .full)),
          SoundStage.Act(index * 96_000 + 90_000, .panic),
        ]
      }
      let take = try stage.play(acts, kits: [SoundKit.id], seconds: Double(pads.count * 2))
      return pads.indices.map { Array(take.sumLeft[$0 * 96_000 + 480..<$0 * 96_000 + 88_000]) }
    }
    let semitone = try play(Array(pads[..<3]), 1)
    let window = 6_000..<14_192
    let levels = zip(semitone, [1_000.0, 16_000, 12_000]).map { SoundMath.amplitude($1, in: $0[window]) }
    let images = Self.stray(Array(semitone[2][window]), tone: 12_000, below: 24_000)
    var rows = [
      BenchRow(
        "a tone that comes out at 16 kHz, beside 1 kHz", unit: "dB",
        values: [SoundMath.decibels(levels[1] / levels[0])], target: .allWithin(-0.2...0.2)),
      BenchRow("  images of one at 12 kHz", unit: "dB", values: [images], target: .atMost(-90)),
    ]
    for semitones in [7, 24, -24] as [Float] {
      let rate = Double(Decibels.ratio(semitones: semitones))
      let full = SoundMath.peak(semitone[0][window])
      let worst = zip(
        try play(Array(pads[3...]), semitones),
        [2_000.0, 5_000, 9_000, 13_000, 15_000, 17_000, 18_000, 19_000, 20_000, 21_000, 22_000]
      ).map { signal, hertz in
        // A window well inside the tone. Transposition changes the length of the tone.
        let length = Int(seconds * Double(SoundStage.rate) / rate)
        let size = 1 << (Int.bitWidth - 1 - (length / 2).leadingZeroBitCount)
        let start = (length - min(size, 8_192)) / 2
        return Self.stray(
          Array(signal[start..<start + min(size, 8_192)]), tone: hertz * rate, below: 16_000, full: full)
      }
      rows.append(
        BenchRow(
          "tones of 2…22 kHz at \(semitones > 0 ? "+" : "")\(Int(semitones)), strays below 16 kHz", unit: "dB",
          values: worst, target: .allAtMost(-80)))
    }
    return rows
  }

  /// The highest line of the spectrum away from the tone, relative to the tone, or to `full`.
  private static func stray(_ signal: [Float], tone: Double, below limit: Double, full: Double? = nil) -> Double {
    // The tone itself is subtracted first, so that it does not leak into other lines.
    let (c, s) = tone < 24_000 ? SoundMath.tone(tone, in: signal) : (0, 0)
    let turn = 2 * Double.pi * tone / Double(SoundStage.rate)
    let rest = signal.enumerated().map {
      Float(Double($1) - c * cosine(turn * Double($0)) - s * sine(turn * Double($0)))
    }
    let spectrum = Spectrum(size: signal.count)
    let powers = spectrum.windowed(rest, from: 0).map(\.power)
    let highest = powers[..<min(powers.count, Int(limit / Double(SoundStage.rate) * Double(signal.count)))].max() ?? 0
    // Under a Hann window, a tone of amplitude 1 has a line of a quarter of the length.
    let reference = full ?? (c * c + s * s).squareRoot()
    return SoundMath.decibels(highest.squareRoot() / (Double(signal.count) / 4) / max(reference, 1e-9))
  }

  private static func cosine(_ radians: Double) -> Double { PortableMath.cosine(turns: radians / (2 * .pi)) }
  private static func sine(_ radians: Double) -> Double { PortableMath.sine(turns: radians / (2 * .pi)) }

  /// The signal with a fade of 20 ms at either end.
  static func faded(_ signal: [Float]) -> [Float] {
    signal.enumerated().map { frame, value in
      let near = min(Double(frame), Double(signal.count - 1 - frame)) / 960
      return value * Float(near < 1 ? 0.5 - 0.5 * cosine(.pi * near) : 1)
    }
  }
}
