/// The room's effects: its delay and reverb, which sound good as soon as somebody sends to them, and what the whole mix goes through,
/// of which nothing is on as it is made.
///
/// The range of each value stands in its row (`RoomEffectSetting.row`).
@frozen
public struct RoomEffectSettings: Hashable, BitwiseCopyable, Sendable {
  /// From one echo to the next, in quarter notes.
  public var delayBeats: Float = 0.75
  /// What is left from one echo to the next; below 1.
  public var delayFeedback: Float = 0.45
  /// Hz: each echo loses what lies above, and below.
  public var delayTone: Float = 6_000
  public var delayLowCut: Float = 150
  public var delayPingPong = true
  /// dB.
  public var delayLevel: Float = 0
  public var reverbSize: Float = 0.6
  /// Seconds until 60 dB are gone.
  public var reverbDecay: Float = 1.8
  /// How much sooner the treble is gone: 0 with the rest … 1 in a tenth of the time.
  public var reverbDamping: Float = 0.4
  /// ms.
  public var reverbPreDelay: Float = 15
  /// Hz: the reverb gets nothing from below.
  public var reverbLowCut: Float = 120
  /// dB.
  public var reverbLevel: Float = 0
  /// 0 is off … 1.
  public var glueAmount: Float = 0
  /// How much of the whole mix goes to the delay and the reverb.
  public var mixToDelay: Float = 0
  public var mixToReverb: Float = 0
  /// Hz; 20,000 and 20 are off.
  public var lowPass: Float = 20_000
  public var highPass: Float = 20
  public var resonance: Float = 0.2
  /// 0 is off … 1: fewer bits and fewer frames.
  public var crushAmount: Float = 0
  /// 0 is neutral.
  public var throwMacro: Float = 0
  public var washMacro: Float = 0
  public var cutMacro: Float = 0
  public var crushMacro: Float = 0

  @_noLocks @inlinable public init() {}

  /// How long the delay can be: a longer one is halved until it fits.
  @inlinable public static var longestDelaySeconds: Double { @_noLocks get { 5 } }
}
