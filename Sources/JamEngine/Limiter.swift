internal import JamCore

/// Keeps the mix's true peak at or below −1 dBFS, whatever comes in, by looking ahead.
///
/// For every frame the gain that its peak, and the peaks between it and its neighbours, would need is worked out. The smallest need
/// around each frame is held for longer than half a wave of the lowest bass, then let go of (`LimiterRelease`), and smoothed so that the
/// gain arrives before the peak does. So the gain of a steady tone stands still: nothing of the bass is bent.
/// While nothing needs a gain the signal passes unchanged to the bit, 64 frames late.
/// Real-time safe but for `init` and `deinit`.
struct Limiter: ~Copyable {
  /// How far the output is behind the input.
  static var latency: Int { @_noLocks get { TruePeak.reach + smoothing - 1 + hold } }
  /// −1.4 dBFS: the rest up to −1 is for what eightfold oversampling cannot see and a moving gain adds.
  static var ceiling: Float { @_noLocks get { 0.851_138 } }
  /// Frames over which the gain bends.
  private static var smoothing: Int { @_noLocks get { 42 } }
  /// Frames around a peak for which the gain stays down: the peaks next to it are made of the same frames.
  private static var hold: Int { @_noLocks get { 7 } }
  private static var window: Int { @_noLocks get { smoothing + 2 * hold } }
  private static var block: Int { @_noLocks get { Int(Frames.perBuffer) } }
  /// Input kept from before the coming block: what goes out with it.
  private static var past: Int { @_noLocks get { latency } }
  /// Needs and reductions kept from before: at least `window`, in whole fours.
  private static var needPast: Int { @_noLocks get { 64 } }

  private let peaks: TruePeak
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  /// What each frame needs, as a gain; `needPast` of the blocks before come first.
  private let need: UnsafeMutablePointer<Float>
  private let held: UnsafeMutablePointer<Float>
  /// How much gain is taken away: 1 − gain, after recovery and before smoothing; `needPast` of the blocks before come first.
  private let reduction: UnsafeMutablePointer<Float>
  private let weights: UnsafeMutablePointer<Float>
  /// The largest magnitude of each four frames of the input, both channels together.
  private let groups: UnsafeMutablePointer<Float>
  /// The block that `process` gave out.
  let outputLeft: UnsafeMutablePointer<Float>
  let outputRight: UnsafeMutablePointer<Float>
  private var release: LimiterRelease
  /// The smallest gain of the block that `process` gave out; 1 where it passed.
  private(set) var smallestGain: Float = 1
  /// The largest magnitude between the last frame that was looked at and its next one.
  private var lastBetween: Float = 0
  /// Frames for which all that is kept has been silent, and for which no gain was needed.
  private var silentFrames: Int
  private var idleFrames: Int

  init() {
    peaks = TruePeak()
    release = LimiterRelease()
    // Nothing was before the first frame: what is set there holds from there.
    silentFrames = Self.past
    idleFrames = Self.needPast
    left = Self.zeros(Self.past + Self.block)
    right = Self.zeros(Self.past + Self.block)
    need = .allocate(capacity: Self.needPast + Self.block)
    need.initialize(repeating: 1, count: Self.needPast + Self.block)
    held = .allocate(capacity: Self.needPast + Self.block)
    held.initialize(repeating: 1, count: Self.needPast + Self.block)
    groups = Self.zeros((Self.past + Self.block) / 4)
    outputLeft = Self.zeros(Self.block)
    outputRight = Self.zeros(Self.block)
    reduction = Self.zeros(Self.needPast + Self.block)
    weights = Self.zeros(Self.smoothing)
    var sum = 0.0
    var raw: [Double] = []
    for i in 0..<Self.smoothing {
      let sine = Polynomial.sine(turns: Double(i + 1) / Double(Self.smoothing + 1) / 2)
      raw.append(sine * sine)
      sum += sine * sine
    }
    for i in 0..<Self.smoothing { weights[i] = Float(raw[i] / sum) }
  }

  private static func zeros(_ count: Int) -> UnsafeMutablePointer<Float> {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    return memory
  }

  deinit {
    left.deallocate()
    right.deallocate()
    need.deallocate()
    held.deallocate()
    groups.deallocate()
    outputLeft.deallocate()
    outputRight.deallocate()
    reduction.deallocate()
    weights.deallocate()
  }

  /// Where the coming block goes: room for 120 frames.
  var inputLeft: UnsafeMutablePointer<Float> { @_noLocks get { left + Self.past } }
  var inputRight: UnsafeMutablePointer<Float> { @_noLocks get { right + Self.past } }
  /// Nothing is left in it: silence in gives silence out, with nothing to be worked out.
  var isAtRest: Bool { @_noLocks get { silentFrames >= Self.past && idleFrames >= Self.needPast } }

  /// Goes on as `other` would: the next block gives the same frames.
  @_noLocks mutating func follow(_ other: borrowing Limiter) {
    copy(from: other.left, to: left, Self.past)
    copy(from: other.right, to: right, Self.past)
    copy(from: other.need, to: need, Self.needPast)
    copy(from: other.reduction, to: reduction, Self.needPast)
    release.follow(other.release)
    lastBetween = other.lastBetween
    silentFrames = other.silentFrames
    idleFrames = other.idleFrames
  }

  /// Takes the block in and gives out the one that came 64 frames earlier.
  /// - Parameter frames: a multiple of 4, at least 64.
  @_noLocks mutating func process(_ frames: Int) {
    let loudest = measureGroups(frames)
    let isClear = loudest * peaks.overshoot <= Self.ceiling
    if isClear && idleFrames >= Self.needPast {
      pass(frames)
      lastBetween = 0
      smallestGain = 1
    } else {
      let isNeeded = isClear ? clearNeeds(frames) : findNeeds(frames)
      holdNeeds(frames)
      let isReduced = release.recover(needs: held + Self.needPast, to: reduction + Self.needPast, frames: frames)
      apply(frames)
      idleFrames = isNeeded || isReduced ? 0 : idleFrames + frames
      keep(need, frames, Self.needPast)
      keep(reduction, frames, Self.needPast)
    }
    silentFrames = loudest == 0 ? silentFrames + frames : 0
    keep(left, frames, Self.past)
    keep(right, frames, Self.past)
  }

  /// Fills `groups`; the largest of what this block's needs depend on.
  @_noLocks private mutating func measureGroups(_ frames: Int) -> Float {
    var loudest = SIMD4<Float>()
    // Frames are looked at `reach` late and see `reach` back: older groups are not asked for.
    var i = Self.past - 2 * TruePeak.reach
    while i < Self.past + frames {
      let peak = Signal.larger(
        Signal.magnitude(VoiceKernels.load(left + i)), Signal.magnitude(VoiceKernels.load(right + i)))
      groups[i / 4] = Signal.largest(peak)
      loudest = Signal.larger(loudest, peak)
      i &+= 4
    }
    return Signal.largest(loudest)
  }

  @_noLocks private func clearNeeds(_ frames: Int) -> Bool {
    var i = 0
    while i < frames {
      need[Self.needPast + i] = 1
      i &+= 1
    }
    return false
  }

  /// - Returns: whether any frame needs a gain below 1.
  @_noLocks private mutating func findNeeds(_ frames: Int) -> Bool {
    var smallest: Float = 1
    let reach = TruePeak.reach
    var i = 0
    while i < frames {
      let place = Self.past - reach + i
      let local = largestGroup(from: (place - reach) / 4, to: (place + reach) / 4)
      var between = SIMD4<Float>()
      if local * peaks.overshoot > Self.ceiling {
        between = Signal.larger(peaks.between(left + place), peaks.between(right + place))
      }
      // A peak between two frames is made by both of them.
      let before = SIMD4(lastBetween, between.x, between.y, between.z)
      lastBetween = between.w
      let frame = Signal.larger(
        Signal.magnitude(VoiceKernels.load(left + place)), Signal.magnitude(VoiceKernels.load(right + place)))
      let peak = Signal.larger(frame, Signal.larger(before, between))
      let gains = Self.ceiling / Signal.larger(peak, SIMD4(repeating: Self.ceiling))
      VoiceKernels.store(gains, to: need + Self.needPast + i)
      smallest = Swift.min(smallest, gains.min())
      i &+= 4
    }
    return smallest < 1
  }

  @_noLocks private func largestGroup(from first: Int, to last: Int) -> Float {
    var largest: Float = 0
    var i = first
    while i <= last {
      if groups[i] > largest { largest = groups[i] }
      i &+= 1
    }
    return largest
  }

  /// The smallest need of the last `window` frames, by doubling.
  @_noLocks private func holdNeeds(_ frames: Int) {
    copy(from: need, to: held, Self.needPast + frames)
    var reached = 1
    while reached * 2 <= Self.window {
      takeSmaller(by: reached, frames)
      reached *= 2
    }
    if reached < Self.window { takeSmaller(by: Self.window - reached, frames) }
  }

  /// From the end backwards, so that what is read was not written yet. The first entries look at themselves alone; nothing asks for them.
  @_noLocks private func takeSmaller(by distance: Int, _ frames: Int) {
    var i = Self.needPast + frames - 4
    while i >= distance {
      VoiceKernels.store(
        Signal.smaller(VoiceKernels.load(held + i), VoiceKernels.load(held + i - distance)), to: held + i)
      i &-= 4
    }
  }

  @_noLocks private mutating func apply(_ frames: Int) {
    var smallest = SIMD4<Float>(repeating: 1)
    var i = 0
    while i < frames {
      let newest = reduction + Self.needPast + i
      var sum = SIMD4<Float>()
      var j = 0
      while j < Self.smoothing {
        sum += VoiceKernels.load(newest - j) * weights[j]
        j &+= 1
      }
      let gains = 1 - sum
      smallest = Signal.smaller(smallest, gains)
      VoiceKernels.store(VoiceKernels.load(left + Self.past - Self.latency + i) * gains, to: outputLeft + i)
      VoiceKernels.store(VoiceKernels.load(right + Self.past - Self.latency + i) * gains, to: outputRight + i)
      i &+= 4
    }
    smallestGain = smallest.min()
  }

  @_noLocks private func pass(_ frames: Int) {
    copy(from: left + Self.past - Self.latency, to: outputLeft, frames)
    copy(from: right + Self.past - Self.latency, to: outputRight, frames)
  }

  @_noLocks private func copy(
    from source: UnsafeMutablePointer<Float>, to target: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    var i = 0
    while i < count {
      VoiceKernels.store(VoiceKernels.load(source + i), to: target + i)
      i &+= 4
    }
  }

  /// Moves the newest `count` values to the front.
  @_noLocks private func keep(_ memory: UnsafeMutablePointer<Float>, _ frames: Int, _ count: Int) {
    copy(from: memory + frames, to: memory, count)
  }
}
