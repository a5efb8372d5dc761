internal import JamCore

/// Keeps the mix's true peak at or below −1 dBFS, whatever comes in, by looking ahead.
///
/// For every frame the limiter computes the gain that its peak, and the peaks between it and its
/// neighbours, would need. The smallest of these gains around each frame is held for longer than
/// half a wave of the lowest bass, then let go of (`LimiterRelease`), and smoothed so that the gain
/// arrives before the peak does. So the gain stands still for a steady tone, and the bass is not
/// distorted.
/// While no frame needs a gain below 1 the signal passes unchanged to the bit, 64 frames late.
/// Real-time safe except for `init` and `deinit`.
struct Limiter: ~Copyable {
  /// The delay of the output in frames.
  static var latency: Int { @_noLocks get { TruePeak.reach + smoothing - 1 + hold } }
  /// −1.4 dBFS. The margin up to −1 covers the peaks that eightfold oversampling misses, and the
  /// effect of a moving gain.
  static var ceiling: Float { @_noLocks get { 0.851_138 } }
  /// Frames over which the gain bends.
  private static var smoothing: Int { @_noLocks get { 42 } }
  /// Frames around a peak for which the gain stays down, because the peaks next to it depend on the
  /// same frames.
  private static var hold: Int { @_noLocks get { 7 } }
  private static var window: Int { @_noLocks get { smoothing + 2 * hold } }
  private static var block: Int { @_noLocks get { Int(Frames.perBuffer) } }
  /// Frames of input that are kept from before the coming block, because they go out with it.
  private static var past: Int { @_noLocks get { latency } }
  /// Needs and reductions kept from before: at least `window`, in whole fours.
  private static var needPast: Int { @_noLocks get { 64 } }

  private let peaks = TruePeak.shared
  /// Everything that this limiter writes; freed at the end where it is the limiter's own.
  private let memory: UnsafeMutablePointer<Float>
  private let isOwner: Bool
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  /// The gain that each frame needs; the last `needPast` values of the blocks before come first.
  private let need: UnsafeMutablePointer<Float>
  private let held: UnsafeMutablePointer<Float>
  /// The reduction of the gain: 1 − gain, after recovery and before smoothing; the last `needPast`
  /// values of the blocks before come first.
  private let reduction: UnsafeMutablePointer<Float>
  private let weights = Limiter.bell
  /// The largest magnitude of each four frames of the input, both channels together.
  private let groups: UnsafeMutablePointer<Float>
  /// The block that the last `process` gave out.
  let outputLeft: UnsafeMutablePointer<Float>
  let outputRight: UnsafeMutablePointer<Float>
  private var release: LimiterRelease
  /// The smallest gain of the block that the last `process` gave out; 1 where the block passed
  /// unchanged.
  private(set) var smallestGain: Float = 1
  /// Whether a frame of the block that `process` took last needs a gain below 1. Then `need` holds
  /// the needs of that block.
  private var hasNeeds = false
  /// The largest magnitude between the last frame that was measured and its next one.
  private var lastBetween: Float = 0
  /// The number of frames for which all kept input has been silent (`silentFrames`), and for which
  /// no gain below 1 was needed (`idleFrames`).
  private var silentFrames: Int
  private var idleFrames: Int

  /// Floats of memory that a limiter needs.
  static var floats: Int {
    2 * (past + block) + 3 * (needPast + block) + (past + block) / 4 + 2 * block + 2
  }

  /// - Parameter memory: `Limiter.floats` zeros, which are not touched before the limiter follows
  ///   another one; nil allocates them.
  init(memory given: UnsafeMutablePointer<Float>? = nil) {
    release = LimiterRelease()
    // Nothing came before the first frame, so the counters begin as if all had been silent.
    silentFrames = Self.past
    idleFrames = Self.needPast
    isOwner = given == nil
    memory = given ?? .allocate(capacity: Self.floats)
    left = memory
    right = left + Self.past + Self.block
    need = right + Self.past + Self.block
    held = need + Self.needPast + Self.block
    reduction = held + Self.needPast + Self.block
    outputLeft = reduction + Self.needPast + Self.block
    outputRight = outputLeft + Self.block
    groups = outputRight + Self.block
    guard isOwner else { return }
    memory.initialize(repeating: 0, count: Self.floats)
    need.update(repeating: 1, count: Self.needPast + Self.block)
  }

  /// The weights of the frames over which the gain bends. They are made once, and never change.
  private nonisolated(unsafe) static let bell: UnsafePointer<Float> = {
    let weights = UnsafeMutablePointer<Float>.allocate(capacity: smoothing)
    var sum = 0.0
    var raw: [Double] = []
    for i in 0..<smoothing {
      let sine = Polynomial.sine(turns: Double(i + 1) / Double(smoothing + 1) / 2)
      raw.append(sine * sine)
      sum += sine * sine
    }
    for i in 0..<smoothing { (weights + i).initialize(to: Float(raw[i] / sum)) }
    return UnsafePointer(weights)
  }()

  deinit { if isOwner { memory.deallocate() } }

  /// The input of the coming block: room for 120 frames.
  var inputLeft: UnsafeMutablePointer<Float> { @_noLocks get { left + Self.past } }
  var inputRight: UnsafeMutablePointer<Float> { @_noLocks get { right + Self.past } }
  /// Whether nothing is left in the limiter: silence in gives silence out, and nothing need be
  /// computed.
  var isAtRest: Bool { @_noLocks get { silentFrames >= Self.past && idleFrames >= Self.needPast } }

  /// Copies the state of `other`, so that the next block gives the same frames.
  @_noLocks mutating func follow(_ other: borrowing Limiter) {
    Signal.copy(other.left, to: left, Self.past)
    Signal.copy(other.right, to: right, Self.past)
    Signal.copy(other.need, to: need, Self.needPast)
    Signal.copy(other.reduction, to: reduction, Self.needPast)
    release.follow(other.release)
    lastBetween = other.lastBetween
    silentFrames = other.silentFrames
    idleFrames = other.idleFrames
  }

  /// Forgets the frames that were not given out yet, but not how far the gain is down.
  @_noLocks mutating func clearInput() {
    Signal.writeSilence(left, Self.past)
    Signal.writeSilence(right, Self.past)
    lastBetween = 0
    silentFrames = Self.past
  }

  /// Takes a block in and gives out the block that came 64 frames earlier.
  /// - Parameter frames: a multiple of 4, at least 64.
  @_noLocks mutating func process(_ frames: Int) {
    let loudest = measureGroups(frames)
    let isClear = loudest * peaks.overshoot <= Self.ceiling
    if isClear && idleFrames >= Self.needPast {
      pass(frames)
    } else {
      hasNeeds = isClear ? clearNeeds(frames) : findNeeds(frames)
      reduce(frames)
    }
    keep(frames, loudest)
  }

  /// The same, but turns each frame down at least as far as `other` needed it in the same block: so
  /// everything in it is heard as it is behind `other`.
  /// - Parameter other: has processed the block already.
  @_noLocks mutating func process(_ frames: Int, within other: borrowing Limiter) {
    let loudest = measureGroups(frames)
    let isClear = loudest * peaks.overshoot <= Self.ceiling
    if isClear && !other.hasNeeds && idleFrames >= Self.needPast {
      pass(frames)
    } else {
      hasNeeds = isClear ? clearNeeds(frames) : findNeeds(frames)
      if other.hasNeeds { takeNeeds(of: other, frames) }
      reduce(frames)
    }
    keep(frames, loudest)
  }

  @_noLocks private mutating func takeNeeds(of other: borrowing Limiter, _ frames: Int) {
    let (own, others) = (need + Self.needPast, other.need + Self.needPast)
    var i = 0
    while i < frames {
      let need = Signal.smaller(VoiceKernels.load(own + i), VoiceKernels.load(others + i))
      VoiceKernels.store(need, to: own + i)
      i &+= 4
    }
    hasNeeds = true
  }

  @_noLocks private mutating func reduce(_ frames: Int) {
    holdNeeds(frames)
    let isReduced = release.recover(
      needs: held + Self.needPast, to: reduction + Self.needPast, frames: frames)
    apply(frames)
    idleFrames = hasNeeds || isReduced ? 0 : idleFrames + frames
    keep(need, frames, Self.needPast)
    keep(reduction, frames, Self.needPast)
  }

  /// - Parameter loudest: the block's largest magnitude.
  @_noLocks private mutating func keep(_ frames: Int, _ loudest: Float) {
    silentFrames = loudest == 0 ? silentFrames + frames : 0
    keep(left, frames, Self.past)
    keep(right, frames, Self.past)
  }

  /// Fills `groups`. Returns the largest magnitude that this block's needs depend on.
  @_noLocks private mutating func measureGroups(_ frames: Int) -> Float {
    var loudest = SIMD4<Float>()
    // Frames are measured `reach` late and look `reach` back, so older groups are never read.
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
      // A peak between two frames counts for both of them.
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

  /// The smallest need of the last `window` frames, found by doubling.
  @_noLocks private func holdNeeds(_ frames: Int) {
    Signal.copy(need, to: held, Self.needPast + frames)
    var reached = 1
    while reached * 2 <= Self.window {
      takeSmaller(by: reached, frames)
      reached *= 2
    }
    if reached < Self.window { takeSmaller(by: Self.window - reached, frames) }
  }

  /// Goes from the end backwards, so that it reads values before they are overwritten. The first
  /// entries only contain themselves; nothing reads them.
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

  @_noLocks private mutating func pass(_ frames: Int) {
    lastBetween = 0
    smallestGain = 1
    hasNeeds = false
    Signal.copy(left + Self.past - Self.latency, to: outputLeft, frames)
    Signal.copy(right + Self.past - Self.latency, to: outputRight, frames)
  }

  /// Moves the newest `count` values to the front.
  @_noLocks private func keep(_ memory: UnsafeMutablePointer<Float>, _ frames: Int, _ count: Int) {
    Signal.copy(memory + frames, to: memory, count)
  }
}
