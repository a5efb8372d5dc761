internal import JamCore

/// Keeps a room at −14 LUFS, however many play: it turns the sum of the channels down, over seconds, and never up beyond its own level.
///
/// 1. A channel that begins to sound is expected to bring as much as a kit's own beat does, −16 LUFS, and more the more play: hits
///    that fall on one beat add up to more than their powers. So room is made before the sum is too loud for the limiter, and at
///    once where nothing sounded before.
/// 2. What the sum really has, weighed as loudness is, takes the place of the expectation within a few seconds.
/// 3. A channel that fell silent takes its share with it.
///
/// It stands in front of the master's level and behind the players' channels: all faders keep their meaning, and one player alone is as
/// loud as its channel says. Real-time safe but for `init` and `deinit`.
struct Leveller: ~Copyable {
  /// −13.7 LUFS as a mean square, 10^((−13.7 + 0.691) / 10): of drums, whose peaks the limiter takes, −14 is left.
  private static var target: Double { @_noLocks get { 0.050_014_9 } }
  /// −16 LUFS: what the first channel is expected to bring.
  private static var expected: Double { @_noLocks get { 0.029_444_4 } }
  /// By which share of that each further channel brings more than the one before it, up to sixteen: together 2 dB more.
  private static var together: Double { @_noLocks get { 0.08 } }
  private static var most: Int { @_noLocks get { 16 } }
  /// By which share the target is lower for each further channel, up to eight: 0.3 dB. The peaks of many are higher above their sum.
  private static var headroom: Double { @_noLocks get { 0.01 } }
  private static var many: Int { @_noLocks get { 8 } }
  /// −50 LUFS: below it nobody plays, and nothing is learnt.
  private static var silence: Double { @_noLocks get { 0.000_011_7 } }
  /// Frames over which the estimate nears what sounds: 3 s; a fifth of a second right after a channel began, when it is an expectation still;
  /// 12 s where the music has become quieter by 10 LU.
  private static var settling: Double { @_noLocks get { 144_000 } }
  private static var beginning: Double { @_noLocks get { 9_600 } }
  private static var lingering: Double { @_noLocks get { 576_000 } }
  /// Frames over which one tells whether the music is quieter or silent: 0.4 s, for there is little between two hits.
  private static var moment: Double { @_noLocks get { 19_200 } }
  /// What the gain may move in a block: 0.7 dB a second either way, and 24 down where a decibel and more is missing.
  private static var fall: Float { @_noLocks get { 0.999_798_5 } }
  private static var quickFall: Float { @_noLocks get { 0.993_116_1 } }
  private static var far: Float { @_noLocks get { 0.891_251 } }
  private static var rise: Float { @_noLocks get { 1.000_201_5 } }
  /// A channel that was silent for so long plays no more: 4 s. A recording begins behind a longer quiet, so nothing from before it counts.
  private static var patience: Int64 { @_noLocks get { 192_000 } }
  private static var never: Int64 { @_noLocks get { -1 } }

  private let count: Int
  /// The frame on which each channel sounded last; `never` where it does not play.
  private let lastHeard: UnsafeMutablePointer<Int64>
  private var playing = 0
  private var weighting = KWeighting()
  /// The mean square of what comes in, as it is known or expected.
  private var estimate = 0.0
  /// That of the last moment.
  private var recent = 0.0
  /// Frames since a channel began last.
  private var age = 0.0
  /// The gain at the coming block's first frame and behind its last.
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

  /// - Parameter isIdle: nothing sounds: the gain is there at once.
  @_noLocks mutating func set(_ isOn: Bool, isIdle: Bool) {
    self.isOn = isOn
    guard isIdle, !isOn else { return }
    now = 1
    next = 1
  }

  /// Who fell silent so long before the block that begins on `frame` is out: before `hear`, for one of them may sound again in it, and the
  /// engine may have rested since.
  @_noLocks mutating func forgetSilent(at frame: Int64) { forget(before: frame - Self.patience) }

  /// A channel sounds in the block that begins on `frame`: before `begin`.
  @_noLocks mutating func hear(_ channel: Int, at frame: Int64) {
    if lastHeard[channel] == Self.never {
      estimate += Self.expected * (1 + Self.together * Double(Swift.min(playing, Self.most - 1)))
      playing &+= 1
      age = 0
    }
    lastHeard[channel] = frame
  }

  /// The coming block begins.
  /// - Parameter isFresh: nothing sounded before it, so the gain jumps to where it belongs.
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

  /// Hears the sum of the channels, and moves on to the next block.
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
  private var wanted: Float {
    @_noLocks get {
      let others = Swift.max(0, Swift.min(playing, Self.many) - 1)
      let target = Self.target * (1 - Self.headroom * Double(others))
      guard isOn, estimate > target else { return 1 }
      return Float(Signal.root(target / estimate))
    }
  }
}
