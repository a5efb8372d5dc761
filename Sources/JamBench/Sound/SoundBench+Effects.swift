internal import JamCore
internal import JamKit

extension SoundBench {
  /// The loudness of beats with an effect beside their loudness without it. The mix is 12 dB below
  /// the level at which the limiter would turn it down.
  func effects(_ stage: SoundStage) throws -> [BenchRow] {
    func set(_ setting: Setting, _ value: Float) -> Command { .set(setting, .float(value)) }
    let effects: [(String, Command)] = [
      ("compressor 4:1", set(.effect(.compressorRatio), 4)),
      ("drive 0.25", set(.effect(.driveAmount), 0.25)),
      ("drive 0.5", set(.effect(.driveAmount), 0.5)), ("drive 1", set(.effect(.driveAmount), 1)),
      ("chorus 0.5", set(.effect(.chorusMix), 0.5)), ("chorus 1", set(.effect(.chorusMix), 1)),
      ("macro 1 at 0.25", set(.effect(.filterMacro), 0.25)),
      ("macro 1 at 0.75", set(.effect(.filterMacro), 0.75)),
      ("macro 2 at 0.5", set(.effect(.driveMacro), 0.5)), ("macro 2", set(.effect(.driveMacro), 1)),
      ("wash at 0.5", set(.roomEffect(.washMacro), 0.5)), ("wash", set(.roomEffect(.washMacro), 1)),
    ]
    let dry = try stage.catalogue.kits.map { try Self.loudness(of: $0, stage, with: nil) }
    return try effects.flatMap { name, command -> [BenchRow] in
      let wet = try stage.catalogue.kits.map { try Self.loudness(of: $0, stage, with: command) }
      let changes = zip(wet, dry).map { $0 - $1 }
      return [
        BenchRow(
          "\(name) makes beats louder by", unit: "LU", values: [changes.median],
          target: .allWithin(-1...1)),
        BenchRow("  each kit’s", unit: "LU", values: changes),
      ]
    }
  }

  /// The loudness of a kit's demo beat in LUFS, 12 dB below the level at which it plays.
  static func loudness(of kit: Kit, _ stage: SoundStage, with effect: Command?) throws -> Double {
    var acts = [SoundStage.Act(-2_400, .set(.masterGain, .float(-12)))]
    if let effect { acts.append(SoundStage.Act(-2_400, effect)) }
    acts += SoundBeat(of: kit).acts(seconds: 8)
    let take = try stage.play(acts, kits: [kit.id], seconds: 8)
    return MixLoudness.measure(take.interleaved)?.integrated ?? -70
  }
}
