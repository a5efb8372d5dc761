internal import JamCore

/// A chorus: each channel together with a copy that is 7 ms late and sways by up to 5 ms, left and
/// right a quarter turn apart.
///
/// Real-time safe.
struct Chorus: BitwiseCopyable {
  typealias Four = SIMD4<Float>

  /// Frames that the chorus keeps: both channels, interleaved.
  static var capacity: Int { @_noLocks get { 1_024 } }

  /// The coefficients: the share of the sound itself, the share of the late copy, the sway in
  /// frames.
  private var shape = GlidingShape(SIMD8(1, 0, 0, 0, 0, 0, 0, 0))
  private var increment: UInt32 = 0
  private var phase: UInt32 = 0
  private var place = 0
  /// The target of `shape` once the memory has filled, and the groups of four frames until then.
  /// Without the wait, the late copy would begin with a step.
  private var waiting = SIMD8<Float>()
  private var foursToFill: Int32 = 0
  /// Whether `memory` holds anything.
  private var isFilled = false

  @_noLocks init() {}

  /// Whether the effect changes no bit.
  var isOff: Bool { @_noLocks get { foursToFill == 0 && !shape.isMoving && shape.now[1] == 0 } }

  private static var middle: Float { @_noLocks get { 340 } }

  /// - Parameters:
  ///   - mix: 0 … 1.
  ///   - rate: Hz.
  ///   - depth: 0 … 1.
  @_noLocks mutating func set(mix: Float, rate: Float, depth: Float) {
    let mix = EffectMath.bounded(mix, 0, 1)
    let sway = 240 * EffectMath.bounded(depth, 0, 1)
    let gain = Decibels.gain(MakeUp.chorus(mix: mix))
    let next = SIMD8<Float>((1 - 0.3 * mix) * gain, 0.7 * mix * gain, sway, 0, 0, 0, 0, 0)
    if isOff {
      shape.go(from: SIMD8(1, 0, sway, 0, 0, 0, 0, 0), to: SIMD8(1, 0, sway, 0, 0, 0, 0, 0))
      foursToFill = mix > 0 ? 150 : 0
    }
    waiting = next
    if foursToFill == 0, !isOff { shape.go(to: next) }
    // Turns of 2³² in four frames.
    increment = UInt32(EffectMath.bounded(rate, 0.01, 20) * (17_179_869_184 / Float(Frames.perSecond)))
  }

  @_noLocks mutating func arrive() {
    if foursToFill > 0 { shape.go(to: waiting) }
    foursToFill = 0
    shape.arrive()
  }

  /// - Parameter memory: room for `capacity` frames.
  @_noLocks mutating func reset(_ memory: UnsafeMutablePointer<Float>) {
    guard isFilled else { return }
    var i = 0
    while i < 2 * Chorus.capacity {
      VoiceKernels.store(Four(), to: memory + i)
      i &+= 4
    }
    phase = 0
    place = 0
    isFilled = false
  }

  /// Processes the block in place.
  /// - Parameter frames: a multiple of 4.
  @_noLocks mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int,
    _ memory: UnsafeMutablePointer<Float>
  ) {
    isFilled = true
    var i = 0
    while i < frames {
      if foursToFill > 0 {
        foursToFill -= 1
        if foursToFill == 0 { shape.go(to: waiting) }
      }
      var now = shape.now
      let (swayLeft, swayRight) = (sway(now[2], 0), sway(now[2], 0x4000_0000))
      let step = shape.isMoving ? shape.advance() : SIMD8()
      phase &+= increment
      let after = shape.now[2]
      let (stepLeft, stepRight) = (
        (sway(after, 0) - swayLeft) * 0.25, (sway(after, 0x4000_0000) - swayRight) * 0.25
      )
      var n = 0
      while n < 4 {
        now += step
        let (l, r) = (left[i + n], right[i + n])
        memory[2 * place] = l
        memory[2 * place + 1] = r
        let late = Float(n + 1)
        left[i + n] = l * now[0] + Chorus.read(memory, place, swayLeft + stepLeft * late) * now[1]
        right[i + n] = r * now[0] + Chorus.read(memory + 1, place, swayRight + stepRight * late) * now[1]
        place = (place &+ 1) & (Chorus.capacity - 1)
        n &+= 1
      }
      i &+= 4
    }
  }

  @_noLocks @inline(__always) private func sway(_ depth: Float, _ turn: UInt32) -> Float {
    Chorus.middle + depth * EffectMath.sine(phase &+ turn)
  }

  /// Reads between frames, by a cubic through four of them (Catmull and Rom).
  @_noLocks @inline(__always) private static func read(
    _ memory: UnsafeMutablePointer<Float>, _ place: Int, _ delay: Float
  ) -> Float {
    let whole = Int(delay)
    let t = delay - Float(whole)
    let mask = capacity - 1
    let a = memory[2 * ((place &- whole &+ 1) & mask)]
    let b = memory[2 * ((place &- whole) & mask)]
    let c = memory[2 * ((place &- whole &- 1) & mask)]
    let d = memory[2 * ((place &- whole &- 2) & mask)]
    let (p, q) = (0.5 * (c - a), 0.5 * (d - b))
    return b + t * (p + t * (3 * (c - b) - 2 * p - q + t * (2 * (b - c) + p + q)))
  }
}
