internal import JamCore

/// Keeps a room at −14 LUFS, however many play. It turns the sum of the channels down, over
/// seconds, and never makes it louder than it is.
///
/// 1. A channel that begins to sound is expected to be as loud as a kit's own beat, −16 LUFS. The
///    more channels play, the more each new one is expected to add, because hits on the same beat
///    add up to more than the sum of their powers. So there is room before the sum is too loud for
///    the limiter. If nothing sounded before, the gain changes at once.
/// 2. Within a few seconds the measured loudness of the sum replaces the expectation.
/// 3. When a channel falls silent, its share is removed.
///
/// The leveller comes after the players' channels and before the master's level. So all faders keep
/// their meaning, and a player who is alone is as loud as the channel's fader says. Real-time safe
/// except for `init` and `deinit`.
struct Leveller: ~Copyable {
  /// −13.7 LUFS as a mean square, 10^((−13.7 + 0.691) / 10). The limiter takes the peaks of drums,
  /// which leaves −14.
  private static var target: Double { @_noLocks get { 0.050_014_9 } }
  /// −16 LUFS: the expected loudness of the first channel.
  private static var expected: Double { @_noLocks get { 0.029_444_4 } }
  /// Each further channel is expected to bring this share of `expected` more than the one before
  /// it, up to sixteen channels: 2 dB more together.
  private static var together: Double { @_noLocks get { 0.08 } }
  private static var most: Int { @_noLocks get { 16 } }
  /// The target falls by this share for each further channel, up to eight: 0.3 dB. With many
  /// channels, the peaks are higher above the loudness of the sum.
  private static var headroom: Double { @_noLocks get { 0.01 } }
  private static var many: Int { @_noLocks get { 8 } }
  /// −50 LUFS. Below it nobody plays, and the estimate does not change.
  private static var silence: Double { @_noLocks get { 0.000_011_7 } }
  /// The time constants of the estimate, in frames: 3 s normally; a fifth of a second right after a
  /// channel began, while the estimate is still an expectation; 12 s where the music has become
  /// quieter by 10 LU.
  private static var settling: Double { @_noLocks get { 144_000 } }
  private static var beginning: Double { @_noLocks get { 9_600 } }
  private static var lingering: Double { @_noLocks get { 576_000 } }
  /// The time constant, in frames, of the measurement that tells quieter music from silence: 0.4 s,
  /// because there is little sound between two hits.
  private static var moment: Double { @_noLocks get { 19_200 } }
  /// The largest change of the gain in a block: 0.7 dB a second either way, and 24 dB a second down
  /// where the gain is too high by a decibel or more.
  private static var fall: Float { @_noLocks get { 0.999_798_5 } }
  private static var quickFall: Float { @_noLocks get { 0.993_116_1 } }
  private static var far: Float { @_noLocks get { 0.891_251 } }
  private static var rise: Float { @_noLocks get { 1.000_201_5 } }
  /// A channel that was silent for this long no longer plays: 4 s. A recording begins after a
  /// longer silence, so nothing from before it counts.
  private static var patience: Int64 { @_noLocks get { 192_000 } }
  private static var never: Int64 { @_noLocks get { -1 } }

  private let count: Int
  /// The last frame on which each channel sounded; `never` where it does not play.
  private let lastHeard: UnsafeMutablePointer<Int64>
  private var playing = 0
  private var weighting = KWeighting()
  /// The mean square of the input, as measured or expected.
  private var estimate = 0.0
  /// The mean square of the last 0.4 s.
  private var recent = 0.0
  /// Frames since a channel began last.
  private var age = 0.0
  /// The gain at the coming block's first frame, and behind its last.
  private(set) var now: Float = 1
  private(set) var next: Float = 1
  private(set) var isOn: Bool

  init(limits: Limits, isOn: Bool) {
    self.isOn = isOn
    count = limits.playersPerRoom
    lastHeard = .allocate(capacity: count)
    lastHeard.initialize(repeating: Self.never, count: count)
  }

  deinit { lastHeard.deallocate() }

  /// - Parameter isIdle: nothing sounds, so the gain changes at once.
  @_noLocks mutating func set(_ isOn: Bool, isIdle: Bool) {
    self.isOn = isOn
    guard isIdle, !isOn else { return }
    now = 1
    next = 1
  }

  /// Forgets the channels that have been silent for `patience` before the block that begins on
  /// `frame`. Call it before `hear`: a forgotten channel may sound again in this block, and the
  /// engine may have rested in between.
  @_noLocks mutating func forgetSilent(at frame: Int64) { forget(before: frame - Self.patience) }

  /// A channel sounds in the block that begins on `frame`. Call it before `begin`.
  @_noLocks mutating func hear(_ channel: Int, at frame: Int64) {
    if lastHeard[channel] == Self.never {
      estimate += Self.expected * (1 + Self.together * Double(Swift.min(playing, Self.most - 1)))
      playing &+= 1
      age = 0
    }
    lastHeard[channel] = frame
  }

  /// Begins the coming block.
  /// - Parameter isFresh: nothing sounded before the block, so the gain jumps to its target.
  @_noLocks mutating func begin(isFresh: Bool) {
    guard isFresh else { return }
    weighting = KWeighting()
    recent = estimate
    now = wanted
    next = now
  }

  @_noLocks private mutating func forget(before frame: Int64) {
    guard playing > 0 else { return }
    var channel = 0
    while channel < count {
      if lastHeard[channel] != Self.never && lastHeard[channel] < frame {
        lastHeard[channel] = Self.never
        estimate = playing > 1 ? estimate * Double(playing - 1) / Double(playing) : 0
        playing &-= 1
      }
      channel &+= 1
    }
  }

  /// The gain over the coming block.
  @_noLocks func gains(_ frames: Int) -> VoiceKernels.Gains {
    guard next != now else { return VoiceKernels.Gains(left: now, right: now) }
    var curve = Curve(steady: now)
    curve.slope = (next - now) / Float(frames)
    curve.end = next
    return VoiceKernels.Gains(left: curve, right: curve, count: frames)
  }

  /// Measures the sum of the channels, and moves on to the next block.
  @_noLocks mutating func finish(
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    now = next
    guard isOn || now < 1 else { return }
    let power = weighting.energy(left: left, right: right, frames: frames) / Double(frames)
    recent += (power - recent) * Double(frames) / Self.moment
    if recent > Self.silence {
      age += Double(frames)
      let learnt = Swift.min(Self.settling, Self.beginning + age)
      estimate += (power - estimate) * Double(frames) / (recent * 10 < estimate ? Self.lingering : learnt)
    }
    let wanted = self.wanted
    let slowest = now * (wanted < now * Self.far ? Self.quickFall : Self.fall)
    next = Swift.max(slowest, Swift.min(now * Self.rise, wanted))
  }

  /// The gain that brings the estimate to the target.
  var wanted: Float {
    @_noLocks get {
      let others = Swift.max(0, Swift.min(playing, Self.many) - 1)
      let target = Self.target * (1 - Self.headroom * Double(others))
      guard isOn, estimate > target else { return 1 }
      return Float(Signal.root(target / estimate))
    }
  }
}
