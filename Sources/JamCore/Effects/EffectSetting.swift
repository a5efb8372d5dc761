/// The settings of a player's effects. Their order is the order in which a room tells them.
///
/// A new setting needs a case, a row, a property in `EffectSettings`, and a line in
/// `EffectSettings.setNumber`.
public enum EffectSetting: UInt8, CaseIterable, Hashable, BitwiseCopyable, Sendable {
  case lowGain, lowFrequency, lowMidGain, lowMidFrequency, lowMidQ, highMidGain, highMidFrequency, highMidQ, highGain,
    highFrequency
  case driveAmount, driveTone, driveLevel
  case compressorThreshold, compressorRatio, compressorAttack, compressorRelease, compressorKnee, compressorMakeUp,
    compressorDetector
  case chorusMix, chorusRate, chorusDepth
  case lowPass, highPass, resonance
  case delaySend, reverbSend
  case duckDepth, duckAttack, duckRelease, duckSource, duckPad
  case filterMacro, driveMacro, spaceMacro

  public typealias Row = ValueRow<EffectSettings>

  public var row: Row { EffectSetting.rows[Int(rawValue)] }

  private static let rows: [Row] = allCases.map { setting in
    switch setting {
    case .lowGain: Row("fx/eq/low/gain", "gain", .equaliser, .float(\.lowGain), "What lies below its frequency.")
    case .lowFrequency:
      Row("fx/eq/low/frequency", "frequency", .hertz(20...1_000), .float(\.lowFrequency), "Where the low shelf ends.")
    case .lowMidGain:
      Row("fx/eq/lowmid/gain", "gain", .equaliser, .float(\.lowMidGain), "What lies around its frequency.")
    case .lowMidFrequency:
      Row(
        "fx/eq/lowmid/frequency", "frequency", .hertz(50...5_000), .float(\.lowMidFrequency),
        "The middle of the lower band.")
    case .lowMidQ: Row("fx/eq/lowmid/q", "q", .float(0.2...8), .float(\.lowMidQ), "How narrow the lower band is.")
    case .highMidGain:
      Row("fx/eq/highmid/gain", "gain", .equaliser, .float(\.highMidGain), "What lies around its frequency.")
    case .highMidFrequency:
      Row(
        "fx/eq/highmid/frequency", "frequency", .hertz(200...15_000), .float(\.highMidFrequency),
        "The middle of the upper band.")
    case .highMidQ: Row("fx/eq/highmid/q", "q", .float(0.2...8), .float(\.highMidQ), "How narrow the upper band is.")
    case .highGain: Row("fx/eq/high/gain", "gain", .equaliser, .float(\.highGain), "What lies above its frequency.")
    case .highFrequency:
      Row(
        "fx/eq/high/frequency", "frequency", .hertz(1_000...18_000), .float(\.highFrequency),
        "Where the high shelf begins.")
    case .driveAmount:
      Row("fx/drive/amount", "amount", .float(0...1), .float(\.driveAmount), "Distortion: 0 is none, 1 is 30 dB of it.")
    case .driveTone:
      Row(
        "fx/drive/tone", "tone", .hertz(500...20_000), .float(\.driveTone),
        "A low-pass behind the distortion; 20,000 is open.")
    case .driveLevel:
      Row("fx/drive/level", "level", .float(-24...12, unit: "dB"), .float(\.driveLevel), "Behind the distortion.")
    case .compressorThreshold:
      Row(
        "fx/compressor/threshold", "threshold", .float(-60...0, unit: "dB"), .float(\.compressorThreshold),
        "What is louder is compressed.")
    case .compressorRatio:
      Row(
        "fx/compressor/ratio", "ratio", .float(1...20), .float(\.compressorRatio),
        "So many dB above the threshold become one; 1 is off.")
    case .compressorAttack:
      Row(
        "fx/compressor/attack", "attack", .float(0.1...200, unit: "ms"), .float(\.compressorAttack),
        "How fast it turns down.")
    case .compressorRelease:
      Row(
        "fx/compressor/release", "release", .float(5...2_000, unit: "ms"), .float(\.compressorRelease),
        "How fast it lets go.")
    case .compressorKnee:
      Row(
        "fx/compressor/knee", "knee", .float(0...24, unit: "dB"), .float(\.compressorKnee),
        "How wide the bend around the threshold is.")
    case .compressorMakeUp:
      Row(
        "fx/compressor/makeup", "gain", .float(0...24, unit: "dB"), .float(\.compressorMakeUp),
        "Behind the compressor, on top of what keeps a beat's loudness.")
    case .compressorDetector:
      Row(
        "fx/compressor/detector", "detector", .choice(LevelDetector.allCases.map(\.word)),
        .word(\.compressorDetector), "What counts as the level: peaks, or the mean power.")
    case .chorusMix:
      Row("fx/chorus/mix", "mix", .float(0...1), .float(\.chorusMix), "How much of the chorus; 0 is off.")
    case .chorusRate:
      Row("fx/chorus/rate", "rate", .float(0.05...5, unit: "Hz"), .float(\.chorusRate), "How fast it sways.")
    case .chorusDepth: Row("fx/chorus/depth", "depth", .float(0...1), .float(\.chorusDepth), "How far it sways.")
    case .lowPass:
      Row(
        "fx/filter/lowpass", "frequency", .hertz(100...20_000), .float(\.lowPass),
        "Takes away what lies above; 20,000 is off.")
    case .highPass:
      Row(
        "fx/filter/highpass", "frequency", .hertz(20...10_000), .float(\.highPass),
        "Takes away what lies below; 20 is off.")
    case .resonance:
      Row("fx/filter/resonance", "resonance", .float(0...1), .float(\.resonance), "How both filters ring at the edge.")
    case .delaySend:
      Row("send/delay", "amount", .float(0...1), .float(\.delaySend), "How much of the channel the room's delay gets.")
    case .reverbSend:
      Row(
        "send/reverb", "amount", .float(0...1), .float(\.reverbSend), "How much of the channel the room's reverb gets.")
    case .duckDepth:
      Row("duck/depth", "depth", .float(0...24, unit: "dB"), .float(\.duckDepth), "How far the channel is ducked.")
    case .duckAttack:
      Row("duck/attack", "attack", .float(1...100, unit: "ms"), .float(\.duckAttack), "How fast it goes down.")
    case .duckRelease:
      Row("duck/release", "release", .float(10...2_000, unit: "ms"), .float(\.duckRelease), "How fast it comes back.")
    case .duckSource:
      Row(
        "duck/source", "source", .choice(DuckSource.allCases.map(\.word)), .word(\.duckSource),
        "What ducks the channel: nothing, every beat, every kick, or a pad: anybody's of that number, or your own.")
    case .duckPad:
      Row("duck/pad", "pad", .integer(1...16), .integer(\.duckPad), "Which pad ducks it, where a pad does.")
    case .filterMacro:
      Row(
        "macro/1", "filter", .float(0...1), .float(\.filterMacro),
        "Filter: closes from above to the left, from below to the right; 0.5 is open.")
    case .driveMacro: Row("macro/2", "drive", .float(0...1), .float(\.driveMacro), "Drive: denser and rougher.")
    case .spaceMacro: Row("macro/3", "space", .float(0...1), .float(\.spaceMacro), "Space: reverb first, then echoes.")
    }
  }
}

extension SettingKind {
  fileprivate static let equaliser = SettingKind.float(-18...18, unit: "dB")
  fileprivate static func hertz(_ range: ClosedRange<Double>) -> SettingKind { .float(range, unit: "Hz") }
}

extension EffectSettings {
  /// Any setting by its name. A value of another type changes nothing; a value out of range sets
  /// the nearest one.
  public subscript(setting: EffectSetting) -> SettingValue {
    get { setting.row.value(in: self) }
    set { setting.row.set(newValue, in: &self) }
  }

  /// Any setting as a number, in the form of an engine's command.
  public func number(_ setting: EffectSetting) -> Float { setting.row.number(in: self) }
}
