/// What goes into effects, and comes out. Real-time safe.
enum InsertBlock {
  typealias Four = SIMD4<Float>

  /// NaN, infinity, absurd levels and what is too small to be heard become silence.
  /// - Returns: whether all of it is silent.
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
