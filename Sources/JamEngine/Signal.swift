/// Small operations on four frames at once. Real-time safe.
enum Signal {
  typealias Four = SIMD4<Float>

  /// 60 dB above full scale: any sum of real sounds stays far below.
  static var bound: Float { @_noLocks get { 1024 } }

  /// Writes zeros only where there are other values, so that a tape's pages stay the kernel's zero
  /// pages until something sounds.
  @_noLocks static func writeSilence(_ output: UnsafeMutablePointer<Float>, _ count: Int) {
    var i = 0
    while i < count {
      let value = UnsafeRawPointer(output + i).loadUnaligned(as: SIMD4<UInt32>.self)
      if value != SIMD4() { VoiceKernels.store(SIMD4(), to: output + i) }
      i &+= 4
    }
  }

  /// Applies gains that move over the block. Broken values become silence.
  /// - Parameter frames: a multiple of 4, as in the three functions below.
  @_noLocks static func amplify(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    _ level: VoiceKernels.Gains, _ frames: Int
  ) {
    var ramp = VoiceKernels.Ramp(level)
    var i = 0
    while i < frames {
      VoiceKernels.store(bounded(VoiceKernels.load(left + i) * ramp.left), to: left + i)
      VoiceKernels.store(bounded(VoiceKernels.load(right + i) * ramp.right), to: right + i)
      ramp.advance()
      i &+= 4
    }
  }

  /// Copies a plane to another one, or to an earlier place of itself.
  @_noLocks static func copy(
    _ source: UnsafeMutablePointer<Float>, to target: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    var i = 0
    while i < frames {
      VoiceKernels.store(VoiceKernels.load(source + i), to: target + i)
      i &+= 4
    }
  }

  /// Adds the first two planes to the other two.
  @_noLocks static func add(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    toLeft sumLeft: UnsafeMutablePointer<Float>, toRight sumRight: UnsafeMutablePointer<Float>,
    _ frames: Int
  ) {
    var i = 0
    while i < frames {
      VoiceKernels.add(VoiceKernels.load(left + i), to: sumLeft + i)
      VoiceKernels.add(VoiceKernels.load(right + i), to: sumRight + i)
      i &+= 4
    }
  }

  /// Writes the whole less a part to a third plane, which may be one of the two.
  @_noLocks static func subtract(
    _ part: UnsafeMutablePointer<Float>, from whole: UnsafeMutablePointer<Float>,
    to rest: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    var i = 0
    while i < frames {
      VoiceKernels.store(VoiceKernels.load(whole + i) - VoiceKernels.load(part + i), to: rest + i)
      i &+= 4
    }
  }

  /// The square root of a share, 0…1, by Newton's method from above. The C library's function must
  /// not be called here.
  @_noLocks static func root(_ square: Double) -> Double {
    var root = (1 + square) / 2
    var i = 0
    while i < 8 {
      root = (root + square / root) / 2
      i &+= 1
    }
    return root
  }

  @_noLocks @inline(__always) static func magnitude(_ value: Four) -> Four {
    unsafeBitCast(unsafeBitCast(value, to: SIMD4<UInt32>.self) & SIMD4(repeating: 0x7FFF_FFFF), to: Four.self)
  }

  @_noLocks @inline(__always) static func larger(_ a: Four, _ b: Four) -> Four { a.replacing(with: b, where: b .> a) }
  @_noLocks @inline(__always) static func smaller(_ a: Four, _ b: Four) -> Four { a.replacing(with: b, where: b .< a) }

  @_noLocks @inline(__always) static func largest(_ a: Four) -> Float {
    let left = a.x > a.y ? a.x : a.y
    let right = a.z > a.w ? a.z : a.w
    return left > right ? left : right
  }

  /// Turns NaN, infinity and absurd levels into silence, so that a broken sound spoils only itself
  /// and nothing stays in the limiter.
  @_noLocks @inline(__always) static func bounded(_ value: Four) -> Four {
    Four().replacing(with: value, where: magnitude(value) .<= Four(repeating: bound))
  }
}
