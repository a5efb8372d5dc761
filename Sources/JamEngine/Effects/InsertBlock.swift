/// The input and the output of effects. Real-time safe.
enum InsertBlock {
  typealias Four = SIMD4<Float>

  /// Turns NaN, infinity, absurd levels and inaudibly small values into silence.
  /// - Returns: whether all of the block is silent.
  @_noLocks static func clean(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) -> Bool {
    var largest = Four()
    var i = 0
    while i < frames {
      let l = EffectMath.flushed(Signal.bounded(VoiceKernels.load(left + i)))
      let r = EffectMath.flushed(Signal.bounded(VoiceKernels.load(right + i)))
      VoiceKernels.store(l, to: left + i)
      VoiceKernels.store(r, to: right + i)
      largest = Signal.larger(largest, Signal.larger(Signal.magnitude(l), Signal.magnitude(r)))
      i &+= 4
    }
    return largest == Four()
  }

  @_noLocks static func peak(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) -> Float {
    var largest = Four()
    var i = 0
    while i < frames {
      let (l, r) = (VoiceKernels.load(left + i), VoiceKernels.load(right + i))
      largest = Signal.larger(largest, Signal.larger(Signal.magnitude(l), Signal.magnitude(r)))
      i &+= 4
    }
    return Signal.largest(largest)
  }
}
