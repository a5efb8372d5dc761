internal import JamCore

/// Keeps a room at −14 LUFS, however many play. It turns the sum of the channels down, and never
/// makes it louder than it is.
///
/// 1. A channel that begins to sound is expected to be as loud as a kit's own beat, −16 LUFS. The
///    more channels play, the more each new one is expected to add, because hits on the same beat
///    add up to more than the sum of their powers. The gain falls with the channel's first sound,
///    so there is room before the sum is too loud for the limiter.
/// 2. Within a few seconds the measured loudness of the sum replaces the expectation.
/// 3. A channel that stops keeps its share for a minute: a break is as much softer than the whole
///    as its players make it, and those who come back find the gain that they left.
/// 4. During a build-up nothing moves. Its drop is louder than before by up to 1.6 dB, which drift
///    away again.
/// 5. All else drifts: the gain follows slowly.
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
  /// channel began, while the estimate is still an expectation.
  private static var settling: Double { @_noLocks get { 144_000 } }
  private static var beginning: Double { @_noLocks get { 9_600 } }
  /// Music that is softer than the estimate by this factor, 10 LU, does not change the estimate;
  /// but if it stays so soft for a minute, it counts.
  private static var gate: Double { @_noLocks get { 10 } }
  private static var longQuiet: Double { @_noLocks get { 2_880_000 } }
  /// The time constant, in frames, of the measurement that tells quieter music from silence: 0.4 s,
  /// because there is little sound between two hits.
  private static var moment: Double { @_noLocks get { 19_200 } }
  /// The gain's way down in a block: 0.15 dB a second where the music drifts; 0.7 dB a second while
  /// new channels settle; 24 dB a second where the gain is too high by `far`; 1 dB a block where a
  /// channel begins.
  private static var drift: Float { @_noLocks get { 0.999_956_8 } }
  private static var fall: Float { @_noLocks get { 0.999_798_5 } }
  private static var quickFall: Float { @_noLocks get { 0.993_116_1 } }
  private static var cut: Float { @_noLocks get { 0.891_251 } }
  /// 1 dB while channels settle, else 2 dB.
  private static var far: Float { @_noLocks get { 0.891_251 } }
  private static var farther: Float { @_noLocks get { 0.794_328 } }
  /// The gain's way up in a block: 0.15 dB a second, 0.7 dB a second, and 1 dB a block at a bar
  /// line.
  private static var driftUp: Float { @_noLocks get { 1.000_043_2 } }
  private static var rise: Float { @_noLocks get { 1.000_201_5 } }
  private static var stepUp: Float { @_noLocks get { 1.122_018 } }
  /// New channels settle within 3 s to 16 s, in frames.
  private static var shortest: Double { @_noLocks get { 144_000 } }
  private static var longest: Double { @_noLocks get { 768_000 } }
  /// Half a decibel: the gain has settled.
  private static var near: Float { @_noLocks get { 1.059_25 } }
  /// While those who stopped are remembered, the gain rises no further than to 5 LU below the
  /// target; and where the rest is more than 10 LU below it, the next bar line brings it there.
  private static var contrast: Double { @_noLocks get { 3.162_28 } }
  private static var deepest: Double { @_noLocks get { 10 } }
  /// A drop from the build-up's full height is louder by this share, 1.6 dB, for 4 s, in frames.
  private static var dropLift: Float { @_noLocks get { 0.202_26 } }
  private static var dropFrames: Double { @_noLocks get { 192_000 } }
  /// A channel that was silent for this long no longer plays: 4 s. A recording begins after a
  /// longer silence of all, so nothing from before it counts.
  private static var patience: Int64 { @_noLocks get { 192_000 } }
  /// A channel that stopped is forgotten 64 s after its last sound.
  private static var memory: Int64 { @_noLocks get { 3_072_000 } }
  private static var never: Int64 { @_noLocks get { -1 } }
  /// The factors of learning lie a quarter of a second apart, for 8 s.
  private static var lessonFrames: Int64 { @_noLocks get { 12_000 } }
  private static var lessonCount: Int { @_noLocks get { 32 } }

  private let count: Int
  /// The last frame on which each channel sounded; `never` where it is not known.
  private let lastHeard: UnsafeMutablePointer<Int64>
  /// The share of each channel that rests, as a mean square; 0 for all others.
  private let rest: UnsafeMutablePointer<Double>
  private var playing = 0
  private var restingCount = 0
  /// The sum of `rest`.
  private var resting = 0.0
  private var weighting = KWeighting()
  /// The mean square of the channels that play, as measured or expected.
  private var estimate = 0.0
  /// The product of all that measurement changed of the estimate, and its past values. When a
  /// channel rests, the changes since its last sound are undone.
  private var learnt = 1.0
  private let lessons: UnsafeMutablePointer<Double>
  private var lesson: Int64 = -1
  /// `learnt`, and the last lesson, when the sound was last louder than the moment before it.
  private var loud = 1.0
  private var loudLesson: Int64 = -1
  /// The mean square of the last 0.4 s.
  private var recent = 0.0
  /// Frames since a new channel began last.
  private var age = 0.0
  /// Frames for which the music has been below the gate.
  private var quiet = 0.0
  /// Frames for which the gain may still move freely, because a channel is new.
  private var free = 0.0
  /// The first frame of the block on which a channel began last.
  private var joined: Int64 = 0
  private var isJoining = false
  /// Whether a channel sounds in the coming block.
  private var isHearing = false
  /// Channels stopped, and the next bar line may raise the gain to `goal`.
  private(set) var awaitsBar = false
  private var goal: Float = 0
  private var isHeld = false
  /// How much louder than `wanted` the mix is behind a drop, and the frames until that drifts away.
  private var lift: Float = 1
  private var liftFrames = 0.0
  /// The gain at the coming block's first frame, and behind its last.
  private(set) var now: Float = 1
  private(set) var next: Float = 1
  private(set) var isOn: Bool

  init(limits: Limits, isOn: Bool) {
    self.isOn = isOn
    count = limits.playersPerRoom
    lastHeard = .allocate(capacity: count)
    lastHeard.initialize(repeating: Self.never, count: count)
    rest = .allocate(capacity: count)
    rest.initialize(repeating: 0, count: count)
    lessons = .allocate(capacity: Self.lessonCount)
    lessons.initialize(repeating: 1, count: Self.lessonCount)
  }

  deinit {
    lastHeard.deallocate()
    rest.deallocate()
    lessons.deallocate()
  }

  /// - Parameter isIdle: nothing sounds, so the gain changes at once.
  @_noLocks mutating func set(_ isOn: Bool, isIdle: Bool) {
    if isOn != self.isOn { free = Self.longest }
    self.isOn = isOn
    guard isIdle, !isOn else { return }
    now = 1
    next = 1
  }

  /// Lets the channels rest that have been silent for `patience` before the block that begins on
  /// `frame`. Call it before `hear`: such a channel may sound again in this block, and the engine
  /// may have rested in between.
  @_noLocks mutating func forgetSilent(at frame: Int64) {
    note(frame)
    var leaving = 0
    var oldest = frame
    var channel = 0
    while channel < count {
      if isPlaying(channel), lastHeard[channel] < frame - Self.patience {
        leaving &+= 1
        oldest = Swift.min(oldest, lastHeard[channel])
      } else if rest[channel] > 0, lastHeard[channel] < frame - Self.memory {
        take(channel)
        lastHeard[channel] = Self.never
      }
      channel &+= 1
    }
    guard leaving > 0 else { return }
    guard leaving < playing else { return forgetAll() }
    unlearn(since: Swift.max(oldest, joined))
    let share = Swift.max(1e-9, estimate / Double(playing))
    channel = 0
    while channel < count {
      if isPlaying(channel), lastHeard[channel] < frame - Self.patience {
        rest[channel] = share
        resting += share
        restingCount &+= 1
        playing &-= 1
        estimate = Swift.max(1e-9, estimate - share)
      }
      channel &+= 1
    }
    awaitsBar = estimate + resting > estimate * Self.deepest
  }

  /// Somebody else has the channel now: what is known of it is another's.
  @_noLocks mutating func forget(_ channel: Int) {
    guard channel < count else { return }
    if rest[channel] > 0 {
      take(channel)
    } else if isPlaying(channel) {
      guard playing > 1 else { return forgetAll() }
      estimate *= Double(playing &- 1) / Double(playing)
      playing &-= 1
    }
    lastHeard[channel] = Self.never
  }

  /// A channel sounds in the block that begins on `frame`. Call it before `begin`.
  @_noLocks mutating func hear(_ channel: Int, at frame: Int64) {
    if rest[channel] > 0 {
      estimate += take(channel)
      join(frame)
    } else if lastHeard[channel] == Self.never {
      let others = Swift.min(playing &+ restingCount, Self.most - 1)
      estimate += Self.expected * (1 + Self.together * Double(others))
      age = 0
      free = Self.longest
      join(frame)
    }
    lastHeard[channel] = frame
    isHearing = true
  }

  /// Begins the coming block.
  /// - Parameters:
  ///   - isFresh: nothing sounded before the block, so the gain jumps to its target.
  ///   - isHeld: a build-up goes on, in which nothing moves.
  ///   - drop: the height of the build-up that drops in this block, 0…1; 0 where none does.
  ///   - isBarLine: a bar line lies in the block, or nobody counts bars.
  @_noLocks mutating func begin(
    isFresh: Bool, isHeld: Bool = false, drop: Float = 0, isBarLine: Bool = true
  ) {
    let ends = self.isHeld && !isHeld
    if ends {
      // Channels that began in the meantime count now.
      isJoining = true
      if drop > 0 {
        lift = 1 + Self.dropLift * drop
        liftFrames = Self.dropFrames
        goal = Swift.min(1, now * lift)
      }
    }
    self.isHeld = isHeld
    // Where all are muted, their voices go on, and nothing begins. Silence in front of a drop is no
    // rest.
    if isFresh, isHearing, !isHeld, !ends {
      weighting = KWeighting()
      recent = estimate
      lift = 1
      now = wanted
      next = now
      isJoining = false
      goal = 0
      return
    }
    if !isHeld, goal > now { next = following }
    // Those who begin in a build-up need room at once, too.
    if isJoining {
      let wanted = lifted
      next = Swift.min(next, Swift.max(now * Self.cut, wanted))
      if next <= wanted || !isOn { isJoining = false }
    }
    guard !isHeld else { return }
    if awaitsBar, isBarLine {
      awaitsBar = false
      goal = gain(for: estimate * Self.deepest)
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
    isHearing = false
    guard isOn || now < 1 else { return }
    let power = weighting.energy(left: left, right: right, frames: frames) / Double(frames)
    recent += (power - recent) * Double(frames) / Self.moment
    // Neither in a build-up nor in silence does anything move.
    guard !isHeld, recent > Self.silence || !isOn else { return }
    learn(power, frames)
    next = following
    settle(frames)
  }

  /// The gain that brings the estimate, with all who rest, to the target; but no lower than
  /// `contrast` allows.
  var wanted: Float {
    @_noLocks get { gain(for: Swift.min(estimate + resting, estimate * Self.contrast)) }
  }

  /// `wanted`, and louder behind a drop.
  private var lifted: Float { @_noLocks get { Swift.min(1, wanted * lift) } }

  /// The gain that brings a mean square to the target.
  @_noLocks private func gain(for power: Double) -> Float {
    let others = Swift.max(0, Swift.min(playing &+ restingCount, Self.many) - 1)
    let target = Self.target * (1 - Self.headroom * Double(others))
    guard isOn, power > target else { return 1 }
    return Float(Signal.root(target / power))
  }

  // MARK: The gain's way

  /// The gain behind the coming block.
  private var following: Float {
    @_noLocks get {
      let wanted = lifted
      let isFree = free > 0 || !isOn
      if wanted < now {
        let isFar = wanted < now * (isFree ? Self.far : Self.farther)
        return Swift.max(wanted, now * (isFar ? Self.quickFall : isFree ? Self.fall : Self.drift))
      }
      let drifted = Swift.min(wanted, now * (isFree ? Self.rise : Self.driftUp))
      return Swift.max(drifted, Swift.min(Swift.min(goal, wanted), now * Self.stepUp))
    }
  }

  @_noLocks private mutating func settle(_ frames: Int) {
    // A goal above what is wanted is reached there.
    if next >= Swift.min(goal, lifted) { goal = 0 }
    liftFrames = Swift.max(0, liftFrames - Double(frames))
    if lift > 1, liftFrames == 0 { lift = Swift.max(1, lift * Self.drift) }
    guard free > 0 else { return }
    free -= Double(frames)
    let wanted = lifted
    let isNear = wanted < next * Self.near && next < wanted * Self.near
    if isNear, free < Self.longest - Self.shortest { free = 0 }
  }

  // MARK: The estimate

  @_noLocks private func isPlaying(_ channel: Int) -> Bool {
    lastHeard[channel] != Self.never && rest[channel] == 0
  }

  @_noLocks private mutating func join(_ frame: Int64) {
    playing &+= 1
    joined = frame
    isJoining = true
    awaitsBar = false
    goal = 0
  }

  /// Takes the share of a channel that rests.
  @discardableResult @_noLocks private mutating func take(_ channel: Int) -> Double {
    let share = rest[channel]
    rest[channel] = 0
    restingCount &-= 1
    // Of none, nothing may be left by rounding.
    resting = restingCount > 0 ? Swift.max(0, resting - share) : 0
    return share
  }

  @_noLocks private mutating func forgetAll() {
    var channel = 0
    while channel < count {
      lastHeard[channel] = Self.never
      rest[channel] = 0
      channel &+= 1
    }
    playing = 0
    restingCount = 0
    resting = 0
    estimate = 0
    quiet = 0
    lift = 1
    awaitsBar = false
    goal = 0
    rebase()
  }

  @_noLocks private mutating func learn(_ power: Double, _ frames: Int) {
    guard recent > Self.silence else { return }
    age += Double(frames)
    if power > recent { (loud, loudLesson) = (learnt, lesson) }
    // The estimate of two seconds ago, because it falls on the way to what is below the gate. That
    // fall, since the last sound began, is undone, and no more.
    let past = Swift.max((lesson &- 8) &* Self.lessonFrames, joined)
    if recent * Self.gate >= estimate * lessons[Self.place(past / Self.lessonFrames)] / learnt {
      quiet = 0
    } else {
      if quiet == 0 { unlearnFall() }
      quiet += Double(frames)
    }
    guard quiet == 0 || quiet > Self.longQuiet else { return }
    let before = estimate
    estimate += (power - estimate) * Double(frames) / Swift.min(Self.settling, Self.beginning + age)
    guard before > 0, estimate > 0 else { return }
    learnt *= estimate / before
    if learnt < 1e-6 || learnt > 1e6 { rebase() }
  }

  /// Takes back what was learnt since `frame`.
  @_noLocks private mutating func unlearn(since frame: Int64) {
    var place = frame / Self.lessonFrames
    let then = lessons[Self.place(place)]
    estimate *= then / learnt
    (learnt, loud) = (then, then)
    // Others may have stopped a little later, and all of that was learnt in the meantime, too.
    while place < lesson {
      place &+= 1
      lessons[Self.place(place)] = then
    }
  }

  /// Takes back what was learnt since the last sound that was louder than the moment before it.
  @_noLocks private mutating func unlearnFall() {
    estimate *= loud / learnt
    learnt = loud
    var place = Swift.max(loudLesson, lesson &- Int64(Self.lessonCount &- 1))
    while place < lesson {
      place &+= 1
      lessons[Self.place(place)] = loud
    }
  }

  /// Notes what has been learnt until the block that begins on `frame`.
  @_noLocks private mutating func note(_ frame: Int64) {
    let last = frame / Self.lessonFrames
    guard last != lesson else { return }
    // The engine may have rested in between.
    lesson = Swift.max(lesson, last &- Int64(Self.lessonCount))
    while lesson < last {
      lesson &+= 1
      lessons[Self.place(lesson)] = learnt
    }
  }

  /// Begins to count anew what is learnt.
  @_noLocks private mutating func rebase() {
    var i = 0
    while i < Self.lessonCount {
      lessons[i] = 1
      i &+= 1
    }
    (learnt, loud) = (1, 1)
  }

  @_noLocks private static func place(_ lesson: Int64) -> Int {
    Int(truncatingIfNeeded: lesson & 31)
  }
}
