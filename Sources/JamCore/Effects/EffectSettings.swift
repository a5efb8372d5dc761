/// A player's effects: the chain that the channel's sound goes through, and how much of the sound
/// goes to the room's delay and reverb.
///
/// All effects are off at first, and the sound passes through bit for bit. The range of each value
/// is in its row (`EffectSetting.row`).
@frozen
public struct EffectSettings: Hashable, BitwiseCopyable, Sendable {
  /// The gain in dB below the frequency in Hz.
  public var lowGain: Float = 0
  public var lowFrequency: Float = 100
  /// The gain in dB, the centre in Hz, and the quality: the centre divided by the width.
  public var lowMidGain: Float = 0
  public var lowMidFrequency: Float = 400
  public var lowMidQ: Float = 1
  public var highMidGain: Float = 0
  public var highMidFrequency: Float = 2_500
  public var highMidQ: Float = 1
  /// The gain in dB above the frequency in Hz.
  public var highGain: Float = 0
  public var highFrequency: Float = 8_000
  /// 0…1: 0 is off; 1 drives the clipper with 30 dB.
  public var driveAmount: Float = 0
  /// Hz. The overtones of the drive above this frequency are removed again.
  public var driveTone: Float = 20_000
  /// The level behind the drive, in dB.
  public var driveLevel: Float = 0
  /// dBFS.
  public var compressorThreshold: Float = -18
  /// How many dB more input give 1 dB more output above the threshold; 1 is off.
  public var compressorRatio: Float = 1
  /// ms.
  public var compressorAttack: Float = 10
  public var compressorRelease: Float = 120
  /// The width of the knee around the threshold, in dB.
  public var compressorKnee: Float = 6
  /// The gain behind the compressor, in dB.
  public var compressorMakeUp: Float = 0
  public var compressorDetector: LevelDetector = .peak
  /// 0…1; 0 is off.
  public var chorusMix: Float = 0
  /// Hz.
  public var chorusRate: Float = 0.6
  public var chorusDepth: Float = 0.5
  /// Hz; 20,000 is off.
  public var lowPass: Float = 20_000
  /// Hz; 20 is off.
  public var highPass: Float = 20
  public var resonance: Float = 0.2
  /// 0…1, taken behind the channel's fader; 1 sends the channel at full level.
  public var delaySend: Float = 0
  public var reverbSend: Float = 0
  /// How far each trigger ducks the channel, in dB.
  public var duckDepth: Float = 12
  /// ms.
  public var duckAttack: Float = 5
  public var duckRelease: Float = 180
  public var duckSource: DuckSource = .off
  /// The number of the pad, 1…16, where the source is a pad.
  public var duckPad: Int8 = 1
  /// 0.5 is neutral.
  public var filterMacro: Float = 0.5
  /// 0 is neutral.
  public var driveMacro: Float = 0
  public var spaceMacro: Float = 0

  @_noLocks @inlinable public init() {}
}

/// The measure of level that the compressor follows.
@frozen
public enum LevelDetector: UInt8, SettingWord, BitwiseCopyable {
  /// The largest frame.
  case peak
  /// The mean power over about 10 ms; a sine at full scale has −3 dB.
  case rms

  public var word: String { self == .peak ? "peak" : "rms" }
}

/// The trigger that ducks a channel.
@frozen
public enum DuckSource: UInt8, SettingWord, BitwiseCopyable {
  case off
  /// Every beat while the transport runs.
  case beat
  /// Every hit of a kick, by any player.
  case kick
  /// Every hit of the pad with that number: by any player (`pad`), or by the channel's own player
  /// (`own`).
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
