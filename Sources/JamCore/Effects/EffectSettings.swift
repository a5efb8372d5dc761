/// A player's effects: what the channel's sound goes through, and how much of it goes to the room's delay and reverb.
///
/// As it is made, nothing is on: the sound passes unchanged to the bit. The range of each value stands in its row (`EffectSetting.row`).
@frozen
public struct EffectSettings: Hashable, BitwiseCopyable, Sendable {
  /// dB, and Hz: below the frequency.
  public var lowGain: Float = 0
  public var lowFrequency: Float = 100
  /// dB, Hz, and the frequency over the width.
  public var lowMidGain: Float = 0
  public var lowMidFrequency: Float = 400
  public var lowMidQ: Float = 1
  public var highMidGain: Float = 0
  public var highMidFrequency: Float = 2_500
  public var highMidQ: Float = 1
  /// dB, and Hz: above the frequency.
  public var highGain: Float = 0
  public var highFrequency: Float = 8_000
  /// 0 is none … 1: 30 dB into the clipper.
  public var driveAmount: Float = 0
  /// Hz: what is made above it is taken away again.
  public var driveTone: Float = 20_000
  /// dB behind it.
  public var driveLevel: Float = 0
  /// dBFS.
  public var compressorThreshold: Float = -18
  /// So many dB more in give 1 dB more out; 1 is off.
  public var compressorRatio: Float = 1
  /// ms.
  public var compressorAttack: Float = 10
  public var compressorRelease: Float = 120
  /// dB, around the threshold.
  public var compressorKnee: Float = 6
  /// dB behind it.
  public var compressorMakeUp: Float = 0
  public var compressorDetector: LevelDetector = .peak
  /// 0 is off … 1.
  public var chorusMix: Float = 0
  /// Hz.
  public var chorusRate: Float = 0.6
  public var chorusDepth: Float = 0.5
  /// Hz; 20,000 is off.
  public var lowPass: Float = 20_000
  /// Hz; 20 is off.
  public var highPass: Float = 20
  public var resonance: Float = 0.2
  /// Of the channel behind its fader: 1 is as loud as the channel.
  public var delaySend: Float = 0
  public var reverbSend: Float = 0
  /// dB, for each time something ducks it.
  public var duckDepth: Float = 12
  /// ms.
  public var duckAttack: Float = 5
  public var duckRelease: Float = 180
  public var duckSource: DuckSource = .off
  /// 1…16: which pad, where that is the source.
  public var duckPad: Int8 = 1
  /// 0.5 is neutral.
  public var filterMacro: Float = 0.5
  /// 0 is neutral.
  public var driveMacro: Float = 0
  public var spaceMacro: Float = 0

  @_noLocks @inlinable public init() {}
}

/// What a compressor takes for the level.
@frozen
public enum LevelDetector: UInt8, SettingWord, BitwiseCopyable {
  /// The largest frame.
  case peak
  /// The mean power over some 10 ms; a full sine has −3 dB.
  case rms

  public var word: String { self == .peak ? "peak" : "rms" }
}

/// What ducks a channel.
@frozen
public enum DuckSource: UInt8, SettingWord, BitwiseCopyable {
  case off
  /// Every beat, while the transport runs.
  case beat
  /// Every hit of a kick, whoever plays it.
  case kick
  /// Every hit of the pad of that number: anybody's, and the player's own.
  case pad, own

  public var word: String {
    switch self {
    case .off: "off"
    case .beat: "beat"
    case .kick: "kick"
    case .pad: "pad"
    case .own: "own"
    }
  }
}
