internal import JamCore

/// Ducks a channel at each trigger: down within the attack, back up within the release, both on
/// S-curves in dB.
///
/// Real-time safe.
struct Ducker: BitwiseCopyable {
  typealias Four = SIMD4<Float>

  private enum Phase: UInt8, BitwiseCopyable { case up, falling, rising }

  /// The depth, in octaves of amplitude.
  private var shape = GlidingShape(SIMD8())
  private var attack: Int32 = 240
  private var release: Int32 = 8_640
  private var phase = Phase.up
  /// Frames since the phase began.
  private var frame: Int32 = 0
  /// The level at which the fall began: 0 is up, 1 down.
  private var origin: Float = 0
  /// Frames of the coming block at which the ducker is triggered. If a block has more than eight
  /// triggers, the last one replaces the eighth.
  private var triggers = SIMD8<Int32>(repeating: -1)
  private var triggerCount = 0

  @_noLocks init() {}

  /// Whether the ducker changes no bit in the coming block.
  var isOff: Bool { @_noLocks get { phase == .up && triggerCount == 0 } }

  /// - Parameters:
  ///   - depth: dB.
  ///   - attack: ms.
  ///   - release: ms.
  @_noLocks mutating func set(depth: Float, attack: Float, release: Float) {
    shape.go(to: SIMD8(repeating: EffectMath.bounded(depth, 0, 60) * 0.166_096_4))
    if isOff { shape.arrive() }
    self.attack = Int32(EffectMath.bounded(attack, 0.5, 1_000) * 48)
    self.release = Int32(EffectMath.bounded(release, 1, 10_000) * 48)
  }

  /// Ducks from frame `offset` of the coming block on; triggers of one block come in order.
  @_noLocks mutating func trigger(at offset: Int) {
    triggers[Swift.min(triggerCount, 7)] = Int32(truncatingIfNeeded: Swift.min(Swift.max(0, offset), 119))
    triggerCount = Swift.min(triggerCount + 1, 8)
  }

  @_noLocks mutating func reset() {
    phase = .up
    frame = 0
    origin = 0
    triggerCount = 0
  }

  /// Processes the block in place.
  /// - Parameter frames: a multiple of 4.
  @_noLocks mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    var next = 0
    var i = 0
    while i < frames {
      var depth = shape.now[0]
      let step = shape.advance()[0]
      var down = Four()
      var n = 0
      while n < 4 {
        while next < triggerCount, triggers[next] <= Int32(truncatingIfNeeded: i + n) {
          fall()
          next += 1
        }
        depth += step
        down[n] = advance() * depth
        n &+= 1
      }
      if down != Four() {
        let gain = EffectMath.exp2(-down)
        VoiceKernels.store(VoiceKernels.load(left + i) * gain, to: left + i)
        VoiceKernels.store(VoiceKernels.load(right + i) * gain, to: right + i)
      }
      i &+= 4
    }
    triggerCount = 0
  }

  /// Advances over a silent block.
  @_noLocks mutating func skip(_ frames: Int) {
    guard !isOff else { return }
    var next = 0
    var i = 0
    while i < frames {
      while next < triggerCount, triggers[next] <= Int32(truncatingIfNeeded: i) {
        fall()
        next += 1
      }
      _ = advance()
      i &+= 1
    }
    shape.arrive()
    triggerCount = 0
  }

  @_noLocks private mutating func fall() {
    // A channel that is falling already continues to fall.
    guard phase != .falling else { return }
    origin = level
    phase = .falling
    frame = 0
  }

  /// 0 is up, 1 down.
  private var level: Float {
    @_noLocks get {
      switch phase {
      case .up: 0
      case .falling: origin + (1 - origin) * (1 - Curve.rest(attack - frame, of: attack))
      case .rising: Curve.rest(release - frame, of: release)
      }
    }
  }

  @_noLocks private mutating func advance() -> Float {
    let level = level
    guard phase != .up else { return 0 }
    frame += 1
    if phase == .falling, frame >= attack {
      phase = .rising
      frame = 0
    } else if phase == .rising, frame >= release {
      reset(keepingTriggers: triggerCount)
    }
    return level
  }

  @_noLocks private mutating func reset(keepingTriggers count: Int) {
    reset()
    triggerCount = count
  }
}
