/// The room's effects. The delay and the reverb sound good as soon as somebody sends to them. The
/// effects on the whole mix are all off at first.
///
/// The range of each value is in its row (`RoomEffectSetting.row`).
@frozen
public struct RoomEffectSettings: Hashable, BitwiseCopyable, Sendable {
  /// The time between two echoes, in quarter notes.
  public var delayBeats: Float = 0.75
  /// The level of each echo relative to the one before; below 1.
  public var delayFeedback: Float = 0.45
  /// Hz. Each echo loses the sound above `delayTone` and below `delayLowCut`.
  public var delayTone: Float = 6_000
  public var delayLowCut: Float = 150
  public var delayPingPong = true
  /// dB.
  public var delayLevel: Float = 0
  public var reverbSize: Float = 0.6
  /// Seconds until the reverb has fallen by 60 dB.
  public var reverbDecay: Float = 1.8
  /// How much sooner the treble ends: at 0 with the rest, at 1 in a tenth of the time.
  public var reverbDamping: Float = 0.4
  /// ms.
  public var reverbPreDelay: Float = 15
  /// Hz. The reverb receives no sound below this frequency.
  public var reverbLowCut: Float = 120
  /// dB.
  public var reverbLevel: Float = 0
  /// 0…1; 0 is off.
  public var glueAmount: Float = 0
  /// How much of the whole mix goes to the delay and to the reverb.
  public var mixToDelay: Float = 0
  public var mixToReverb: Float = 0
  /// Hz; 20,000 switches the low-pass off, and 20 the high-pass.
  public var lowPass: Float = 20_000
  public var highPass: Float = 20
  public var resonance: Float = 0.2
  /// 0…1; 0 is off. Higher values leave fewer bits and fewer frames.
  public var crushAmount: Float = 0
  /// 0 is neutral.
  public var throwMacro: Float = 0
  public var washMacro: Float = 0
  public var cutMacro: Float = 0
  public var crushMacro: Float = 0

  @_noLocks @inlinable public init() {}

  /// The longest delay. A longer delay is halved until it fits.
  @inlinable public static var longestDelaySeconds: Double { @_noLocks get { 5 } }
}
