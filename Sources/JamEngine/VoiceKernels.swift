/// The inner loops: they add `count` frames of one voice to a bus. Four frames at a time; the rest one by one, with the same
/// operations in the same order, so that it does not matter to the bit how a voice lies in its buffers.
///
/// `gain` is the envelope and the pan together at the first frame, `step` what each frame adds to it.
/// Plain SSE2 or NEON widths: what the compiler may assume everywhere. Real-time safe.
enum VoiceKernels {
  typealias Four = SIMD4<Float>
  typealias Source = UnsafePointer<Float>
  typealias Bus = UnsafeMutablePointer<Float>

  /// What one call adds, left and right.
  struct Gains {
    var left: Float
    var right: Float
    var leftStep: Float
    var rightStep: Float

    @_noLocks init(left: Float, right: Float, leftStep: Float, rightStep: Float) {
      self.left = left
      self.right = right
      self.leftStep = leftStep
      self.rightStep = rightStep
    }
  }

  @_noLocks @inline(__always) static func load(_ source: Source) -> Four {
    UnsafeRawPointer(source).loadUnaligned(as: Four.self)
  }

  @_noLocks @inline(__always) static func store(_ value: Four, to target: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(target).storeBytes(of: value, as: Four.self)
  }

  @_noLocks @inline(__always) static func add(_ value: Four, to bus: Bus) {
    let raw = UnsafeMutableRawPointer(bus)
    raw.storeBytes(of: raw.loadUnaligned(as: Four.self) + value, as: Four.self)
  }

  // MARK: Rate 1

  @_noLocks static func addAsRecorded(
    left: Source, right: Source, toLeft busLeft: Bus, toRight busRight: Bus, count: Int, gains: Gains
  ) {
    var ramp = Ramp(gains)
    var i = 0
    while i &+ 4 <= count {
      add(load(left + i) * ramp.left, to: busLeft + i)
      add(load(right + i) * ramp.right, to: busRight + i)
      ramp.advance()
      i &+= 4
    }
    var lane = 0
    while i < count {
      busLeft[i] += left[i] * ramp.left[lane]
      busRight[i] += right[i] * ramp.right[lane]
      i &+= 1
      lane &+= 1
    }
  }

  // MARK: Any rate

  /// 4-point, third-order Hermite interpolation (Catmull–Rom).
  /// - Returns: the phase behind the last frame.
  @_noLocks static func addMono(
    _ source: Source, phase start: UInt64, increment: UInt64, toLeft busLeft: Bus, toRight busRight: Bus, count: Int,
    gains: Gains
  ) -> UInt64 {
    var ramp = Ramp(gains)
    var cursor = Cursor(phase: start, increment: increment)
    var i = 0
    while i &+ 4 <= count {
      let value = cursor.interpolate(source)
      add(value * ramp.left, to: busLeft + i)
      add(value * ramp.right, to: busRight + i)
      ramp.advance()
      cursor.advance()
      i &+= 4
    }
    var lane = 0
    while i < count {
      let value = cursor.interpolate(source, lane: lane)
      busLeft[i] += value * ramp.left[lane]
      busRight[i] += value * ramp.right[lane]
      i &+= 1
      lane &+= 1
    }
    return cursor.phase &+ increment &* UInt64(lane)
  }

  @_noLocks static func addStereo(
    left: Source, right: Source, phase start: UInt64, increment: UInt64, toLeft busLeft: Bus, toRight busRight: Bus,
    count: Int, gains: Gains
  ) -> UInt64 {
    var ramp = Ramp(gains)
    var cursor = Cursor(phase: start, increment: increment)
    var i = 0
    while i &+ 4 <= count {
      add(cursor.interpolate(left) * ramp.left, to: busLeft + i)
      add(cursor.interpolate(right) * ramp.right, to: busRight + i)
      ramp.advance()
      cursor.advance()
      i &+= 4
    }
    var lane = 0
    while i < count {
      busLeft[i] += cursor.interpolate(left, lane: lane) * ramp.left[lane]
      busRight[i] += cursor.interpolate(right, lane: lane) * ramp.right[lane]
      i &+= 1
      lane &+= 1
    }
    return cursor.phase &+ increment &* UInt64(lane)
  }

  // MARK: Parts

  /// Gains of four frames.
  struct Ramp {
    var left: Four
    var right: Four
    let leftStep: Four
    let rightStep: Four

    @_noLocks @inline(__always) init(_ gains: Gains) {
      left = gains.left + Four(0, 1, 2, 3) * gains.leftStep
      right = gains.right + Four(0, 1, 2, 3) * gains.rightStep
      leftStep = Four(repeating: 4 * gains.leftStep)
      rightStep = Four(repeating: 4 * gains.rightStep)
    }

    @_noLocks @inline(__always) mutating func advance() {
      left += leftStep
      right += rightStep
    }
  }

  /// Four places in a sample, one increment apart.
  struct Cursor {
    var phase: UInt64
    let increment: UInt64
    /// The lower halves of the four phases: they wrap by themselves, so that they need no 64-bit lanes.
    var fractions: SIMD4<UInt32>
    let fractionStep: SIMD4<UInt32>

    @_noLocks @inline(__always) init(phase: UInt64, increment: UInt64) {
      self.phase = phase
      self.increment = increment
      let low = UInt32(truncatingIfNeeded: increment)
      fractions = SIMD4(repeating: UInt32(truncatingIfNeeded: phase)) &+ SIMD4(0, 1, 2, 3) &* SIMD4(repeating: low)
      fractionStep = SIMD4(repeating: low &* 4)
    }

    @_noLocks @inline(__always) mutating func advance() {
      phase &+= increment &* 4
      fractions &+= fractionStep
    }

    /// 0 ..< 1: the upper 23 bits become the mantissa of a number in 1 ..< 2.
    var x: Four {
      @_noLocks @inline(__always) get {
        unsafeBitCast((fractions &>> 9) | SIMD4(repeating: 0x3F80_0000), to: Four.self) - 1
      }
    }

    @_noLocks @inline(__always) func points(_ source: Source, _ lane: UInt64) -> Four {
      load(source + Int(truncatingIfNeeded: (phase &+ increment &* lane) &>> 32) - 1)
    }

    @_noLocks @inline(__always) func interpolate(_ source: Source) -> Four {
      let a = points(source, 0)
      let b = points(source, 1)
      let c = points(source, 2)
      let d = points(source, 3)
      return hermite(
        Four(a.x, b.x, c.x, d.x), Four(a.y, b.y, c.y, d.y), Four(a.z, b.z, c.z, d.z), Four(a.w, b.w, c.w, d.w), x)
    }

    @_noLocks @inline(__always) func interpolate(_ source: Source, lane: Int) -> Float {
      let p = points(source, UInt64(truncatingIfNeeded: lane))
      return hermite(
        Four(repeating: p.x), Four(repeating: p.y), Four(repeating: p.z), Four(repeating: p.w), x)[lane]
    }

    /// Between `y0` and `y1` at `x`, by the differences of their neighbours (after L. de Soras' form of the polynomial).
    @_noLocks @inline(__always) func hermite(_ before: Four, _ y0: Four, _ y1: Four, _ after: Four, _ x: Four) -> Four {
      let slope = (y1 - before) * 0.5
      let drop = y0 - y1
      let w = slope + drop
      let cubic = w + drop + (after - y0) * 0.5
      return ((cubic * x - (w + cubic)) * x + slope) * x + y0
    }
  }
}
