/// What shapes a pad's sound.
@frozen
public struct PadSettings: Hashable, BitwiseCopyable, Sendable {
  /// dB, −60…12.
  public var gain: Float = 0
  /// How far each hit may stray from `gain`, either way: 0…12 dB.
  public var gainRandom: Float = 0
  /// −1 (left) … 1 (right), constant power.
  public var pan: Float = 0
  /// How far each hit may stray from `pan`, either way: 0…1.
  public var panRandom: Float = 0
  /// Where in the sound a hit begins, in ms of the sound: 0…60,000.
  public var start: Float = 0
  /// After how many ms a hit fades; 0 is the whole sound.
  public var decay: Float = 0
  /// Semitones, −24…24; the duration follows.
  public var transpose: Float = 0
  /// How far each hit may stray from `transpose`, either way: 0…12 semitones.
  public var transposeRandom: Float = 0
  /// How many times as long at the same pitch: 0.25…4.
  public var stretch: Float = 1
  public var stretchQuality: StretchQuality = .fast
  public var mute = false
  /// While any pad of the player has it, the others are silent.
  public var solo = false
  /// The group whose members cut each other off: 0 (none) … 8.
  public var choke: UInt8 = 0
  /// Voices that the pad may hold at once, 1…8; 1 cuts itself.
  public var voices: UInt8 = 8
  public var mode: PadMode = .oneShot

  public init() {}

  /// Of `start` and `decay`.
  public static let milliseconds: ClosedRange<Double> = 0...60_000
}

/// How carefully a sound is stretched.
@frozen
public enum StretchQuality: String, CaseIterable, BitwiseCopyable, Sendable { case fast, best }

/// What a press and a release do. The raw values are the words of the protocol and of kits.
@frozen
public enum PadMode: String, CaseIterable, BitwiseCopyable, Sendable {
  /// The sound plays to its end.
  case oneShot = "oneshot"
  /// It sounds while the pad is held.
  case gate
  /// A press starts it, round and round without a gap; the next one stops it.
  case loop
  /// It rolls on the room's grid while the pad is held.
  case `repeat`

  /// Its hits sound until they are let go of.
  public var isHeld: Bool { self == .gate || self == .loop }
}
