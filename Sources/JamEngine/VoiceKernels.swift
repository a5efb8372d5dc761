/// The inner loops: they add `count` frames of one voice to a bus. Four frames at a time; the rest one by one, with the same
/// operations in the same order, so that it does not matter to the bit how a steady voice lies in its buffers.
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

    /// Both in one, by the ends of the block's `frames`.
    @_noLocks func times(_ other: Gains, _ frames: Int) -> Gains {
      let count = Float(frames)
      let (left, right) = (self.left * other.left, self.right * other.right)
      if areSteady && other.areSteady { return Gains(left: left, right: right, leftStep: 0, rightStep: 0) }
      let lastLeft = (self.left + leftStep * count) * (other.left + other.leftStep * count)
      let lastRight = (self.right + rightStep * count) * (other.right + other.rightStep * count)
      return Gains(
        left: left, right: right, leftStep: (lastLeft - left) / count, rightStep: (lastRight - right) / count)
    }

    var areSteady: Bool { @_noLocks get { leftStep == 0 && rightStep == 0 } }

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
    // Most voices are steady: without a ramp the loop is a third shorter.
    if gains.areSteady {
      addAsRecorded(left, right, busLeft, busRight, count, Ramp(gains), isSteady: true)
    } else {
      addAsRecorded(left, right, busLeft, busRight, count, Ramp(gains), isSteady: false)
    }
  }

  @_noLocks @inline(__always) private static func addAsRecorded(
    _ left: Source, _ right: Source, _ busLeft: Bus, _ busRight: Bus, _ count: Int, _ start: Ramp, isSteady: Bool
  ) {
    var ramp = start
    var i = 0
    while i &+ 8 <= count {
      add(load(left + i) * ramp.left, to: busLeft + i)
      add(load(right + i) * ramp.right, to: busRight + i)
      if !isSteady { ramp.advance() }
      add(load(left + i + 4) * ramp.left, to: busLeft + i + 4)
      add(load(right + i + 4) * ramp.right, to: busRight + i + 4)
      if !isSteady { ramp.advance() }
      i &+= 8
    }
    while i < count {
      busLeft[i] += left[i] * ramp.left.x
      busRight[i] += right[i] * ramp.right.x
      if !isSteady { ramp.advanceOne() }
      i &+= 1
    }
  }

  // MARK: Any rate

  /// 4-point, third-order Hermite interpolation (Catmull–Rom).
  /// - Returns: the phase behind the last frame.
  @_noLocks static func addMono(
    _ source: Source, phase start: UInt64, increment: UInt64, toLeft busLeft: Bus, toRight busRight: Bus, count: Int,
    gains: Gains
  ) -> UInt64 {
    let cursor = Cursor(phase: start, increment: increment)
    return gains.areSteady
      ? addMono(source, cursor, busLeft, busRight, count, Ramp(gains), isSteady: true)
      : addMono(source, cursor, busLeft, busRight, count, Ramp(gains), isSteady: false)
  }

  @_noLocks @inline(__always) private static func addMono(
    _ source: Source, _ first: Cursor, _ busLeft: Bus, _ busRight: Bus, _ count: Int, _ start: Ramp, isSteady: Bool
  ) -> UInt64 {
    var ramp = start
    var cursor = first
    var i = 0
    while i &+ 4 <= count {
      let value = cursor.interpolate(source)
      add(value * ramp.left, to: busLeft + i)
      add(value * ramp.right, to: busRight + i)
      if !isSteady { ramp.advance() }
      cursor.advance()
      i &+= 4
    }
    while i < count {
      let value = cursor.interpolateOne(source)
      busLeft[i] += value * ramp.left.x
      busRight[i] += value * ramp.right.x
      if !isSteady { ramp.advanceOne() }
      cursor.advanceOne()
      i &+= 1
    }
    return cursor.phase
  }

  /// The same for two channels.
  @_noLocks static func addStereo(
    left: Source, right: Source, phase start: UInt64, increment: UInt64, toLeft busLeft: Bus, toRight busRight: Bus,
    count: Int, gains: Gains
  ) -> UInt64 {
    let cursor = Cursor(phase: start, increment: increment)
    return gains.areSteady
      ? addStereo(left, right, cursor, busLeft, busRight, count, Ramp(gains), isSteady: true)
      : addStereo(left, right, cursor, busLeft, busRight, count, Ramp(gains), isSteady: false)
  }

  @_noLocks @inline(__always) private static func addStereo(
    _ left: Source, _ right: Source, _ first: Cursor, _ busLeft: Bus, _ busRight: Bus, _ count: Int, _ start: Ramp,
    isSteady: Bool
  ) -> UInt64 {
    var ramp = start
    var cursor = first
    var i = 0
    while i &+ 4 <= count {
      add(cursor.interpolate(left) * ramp.left, to: busLeft + i)
      add(cursor.interpolate(right) * ramp.right, to: busRight + i)
      if !isSteady { ramp.advance() }
      cursor.advance()
      i &+= 4
    }
    while i < count {
      busLeft[i] += cursor.interpolateOne(left) * ramp.left.x
      busRight[i] += cursor.interpolateOne(right) * ramp.right.x
      if !isSteady { ramp.advanceOne() }
      cursor.advanceOne()
      i &+= 1
    }
    return cursor.phase
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

    @_noLocks @inline(__always) mutating func advanceOne() {
      left += leftStep * 0.25
      right += rightStep * 0.25
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

    @_noLocks @inline(__always) mutating func advanceOne() {
      phase &+= increment
      fractions &+= SIMD4(repeating: UInt32(truncatingIfNeeded: increment))
    }

    /// 0 ..< 1: the upper 23 bits become the mantissa of a number in 1 ..< 2.
    var x: Four {
      @_noLocks @inline(__always) get {
        unsafeBitCast((fractions &>> 9) | SIMD4(repeating: 0x3F80_0000), to: Four.self) - 1
      }
    }

    /// The frame before the place of `lane`.
    @_noLocks @inline(__always) func before(_ source: Source, _ lane: UInt64) -> Source {
      source + Int(truncatingIfNeeded: (phase &+ increment &* lane) &>> 32) - 1
    }

    /// Two frames of one place beside two of another: both fit one register, and so need only one shuffle to be sorted.
    @_noLocks @inline(__always) func pair(_ a: Source, _ b: Source) -> Four {
      unsafeBitCast(
        SIMD2(
          UnsafeRawPointer(a).loadUnaligned(as: UInt64.self), UnsafeRawPointer(b).loadUnaligned(as: UInt64.self)),
        to: Four.self)
    }

    @_noLocks @inline(__always) func interpolate(_ source: Source) -> Four {
      let a = before(source, 0)
      let b = before(source, 1)
      let c = before(source, 2)
      let d = before(source, 3)
      let abLow = pair(a, b)
      let cdLow = pair(c, d)
      let abHigh = pair(a + 2, b + 2)
      let cdHigh = pair(c + 2, d + 2)
      return hermite(
        Four(abLow.x, abLow.z, cdLow.x, cdLow.z), Four(abLow.y, abLow.w, cdLow.y, cdLow.w),
        Four(abHigh.x, abHigh.z, cdHigh.x, cdHigh.z), Four(abHigh.y, abHigh.w, cdHigh.y, cdHigh.w), x)
    }

    @_noLocks @inline(__always) func interpolateOne(_ source: Source) -> Float {
      let p = load(before(source, 0))
      return hermite(Four(repeating: p.x), Four(repeating: p.y), Four(repeating: p.z), Four(repeating: p.w), x).x
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
