/// The inner loops: they add `count` frames of one voice to a bus. Four frames at a time; the rest one by one, with the same
/// operations in the same order, so that it does not matter to the bit how a steady voice lies in its buffers.
///
/// At any rate but 1, each frame is the sum over the taps of a `KernelTable` in a fixed order, whether it is made beside three
/// others or alone. All of it lies in one file: debug builds inline nothing from another, and would be several times slower.
///
/// Gains are envelope, pad level and pan together: steady, or a parabola over the frames of one call.
/// Plain SSE2 or NEON widths: what the compiler may assume everywhere. Real-time safe.
enum VoiceKernels {
  typealias Four = SIMD4<Float>
  typealias Source = UnsafePointer<Float>
  typealias Bus = UnsafeMutablePointer<Float>

  /// A table has 2 to the power of this many rows.
  static var phaseBits: Int { @_noLocks @inline(__always) get { 7 } }

  /// What one call multiplies by, left and right: at frame i, left + leftStep · i + leftBend · i².
  struct Gains {
    var left: Float
    var right: Float
    var leftStep: Float
    var rightStep: Float
    var leftBend: Float = 0
    var rightBend: Float = 0

    /// Both in one, over a block of `frames`: it meets the product's start, slope and end.
    @_noLocks func times(_ other: Gains, _ frames: Int) -> Gains {
      if areSteady && other.areSteady { return Gains(left: left * other.left, right: right * other.right) }
      let (own, others) = (curves(frames), other.curves(frames))
      return Gains(left: own.left * others.left, right: own.right * others.right, count: frames)
    }

    @_noLocks private func curves(_ frames: Int) -> (left: Curve, right: Curve) {
      let n = Float(frames)
      var (left, right) = (Curve(steady: left), Curve(steady: right))
      left.slope = leftStep
      right.slope = rightStep
      left.end = self.left + (leftStep + leftBend * n) * n
      right.end = self.right + (rightStep + rightBend * n) * n
      return (left, right)
    }

    var areSteady: Bool {
      @_noLocks get { leftStep == 0 && rightStep == 0 && leftBend == 0 && rightBend == 0 }
    }

    /// The left gain at frame `i`.
    @_noLocks @inline(__always) func left(after i: Int) -> Float { left + (leftStep + leftBend * Float(i)) * Float(i) }

    @_noLocks @inline(__always) init(left: Float, right: Float) {
      self.left = left
      self.right = right
      leftStep = 0
      rightStep = 0
    }

    @_noLocks init(left: Curve, right: Curve, count: Int) {
      self.left = left.start
      self.right = right.start
      leftStep = left.slope
      rightStep = right.slope
      leftBend = left.bend(over: count)
      rightBend = right.bend(over: count)
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
    if i &+ 4 <= count {
      add(load(left + i) * ramp.left, to: busLeft + i)
      add(load(right + i) * ramp.right, to: busRight + i)
      if !isSteady { ramp.advance() }
      i &+= 4
    }
    while i < count {
      busLeft[i] += left[i] * ramp.left.x
      busRight[i] += right[i] * ramp.right.x
      if !isSteady { ramp.advanceOne() }
      i &+= 1
    }
  }

  // MARK: Any rate

  /// One channel, to both sides.
  /// - Returns: the phase behind the last frame.
  @_noLocks static func addMono(
    _ source: Source, phase: UInt64, increment: UInt64, kernel: KernelTable, toLeft busLeft: Bus, toRight busRight: Bus,
    count: Int, gains: Gains
  ) -> UInt64 {
    let cursor = Cursor(phase: phase, increment: increment)
    return gains.areSteady
      ? addMono(source, cursor, kernel, busLeft, busRight, count, Ramp(gains), isSteady: true)
      : addMono(source, cursor, kernel, busLeft, busRight, count, Ramp(gains), isSteady: false)
  }

  @_noLocks @inline(__always) private static func addMono(
    _ source: Source, _ first: Cursor, _ kernel: KernelTable, _ busLeft: Bus, _ busRight: Bus, _ count: Int,
    _ start: Ramp, isSteady: Bool
  ) -> UInt64 {
    var ramp = start
    var cursor = first
    let source = source - kernel.before
    var i = 0
    while i &+ 4 <= count {
      let (a, b, c, d) = (cursor.tap(0, kernel), cursor.tap(1, kernel), cursor.tap(2, kernel), cursor.tap(3, kernel))
      var (sumA, sumB, sumC, sumD) = (Four(), Four(), Four(), Four())
      var group = 0
      while group < kernel.groups {
        sumA += load(source + a.place + group &* 4) * a.weights(group)
        sumB += load(source + b.place + group &* 4) * b.weights(group)
        sumC += load(source + c.place + group &* 4) * c.weights(group)
        sumD += load(source + d.place + group &* 4) * d.weights(group)
        group &+= 1
      }
      let value = sums(sumA, sumB, sumC, sumD)
      add(value * ramp.left, to: busLeft + i)
      add(value * ramp.right, to: busRight + i)
      if !isSteady { ramp.advance() }
      cursor.advance()
      i &+= 4
    }
    while i < count {
      let value = sum(cursor.sum(source, kernel))
      busLeft[i] += value * ramp.left.x
      busRight[i] += value * ramp.right.x
      if !isSteady { ramp.advanceOne() }
      cursor.advanceOne()
      i &+= 1
    }
    return cursor.phase
  }

  /// The same for two channels, which share the coefficients.
  @_noLocks static func addStereo(
    left: Source, right: Source, phase: UInt64, increment: UInt64, kernel: KernelTable, toLeft busLeft: Bus,
    toRight busRight: Bus, count: Int, gains: Gains
  ) -> UInt64 {
    let cursor = Cursor(phase: phase, increment: increment)
    return gains.areSteady
      ? addStereo(left, right, cursor, kernel, busLeft, busRight, count, Ramp(gains), isSteady: true)
      : addStereo(left, right, cursor, kernel, busLeft, busRight, count, Ramp(gains), isSteady: false)
  }

  @_noLocks @inline(__always) private static func addStereo(
    _ left: Source, _ right: Source, _ first: Cursor, _ kernel: KernelTable, _ busLeft: Bus,
    _ busRight: Bus, _ count: Int, _ start: Ramp, isSteady: Bool
  ) -> UInt64 {
    var ramp = start
    var cursor = first
    let (left, right) = (left - kernel.before, right - kernel.before)
    var i = 0
    while i &+ 4 <= count {
      let (a, b, c, d) = (cursor.tap(0, kernel), cursor.tap(1, kernel), cursor.tap(2, kernel), cursor.tap(3, kernel))
      var (leftA, leftB, leftC, leftD) = (Four(), Four(), Four(), Four())
      var (rightA, rightB, rightC, rightD) = (Four(), Four(), Four(), Four())
      var group = 0
      while group < kernel.groups {
        var weights = a.weights(group)
        leftA += load(left + a.place + group &* 4) * weights
        rightA += load(right + a.place + group &* 4) * weights
        weights = b.weights(group)
        leftB += load(left + b.place + group &* 4) * weights
        rightB += load(right + b.place + group &* 4) * weights
        weights = c.weights(group)
        leftC += load(left + c.place + group &* 4) * weights
        rightC += load(right + c.place + group &* 4) * weights
        weights = d.weights(group)
        leftD += load(left + d.place + group &* 4) * weights
        rightD += load(right + d.place + group &* 4) * weights
        group &+= 1
      }
      add(sums(leftA, leftB, leftC, leftD) * ramp.left, to: busLeft + i)
      add(sums(rightA, rightB, rightC, rightD) * ramp.right, to: busRight + i)
      if !isSteady { ramp.advance() }
      cursor.advance()
      i &+= 4
    }
    while i < count {
      busLeft[i] += sum(cursor.sum(left, kernel)) * ramp.left.x
      busRight[i] += sum(cursor.sum(right, kernel)) * ramp.right.x
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
    private var leftStep: Four
    private var rightStep: Four
    private let leftBend: Four
    private let rightBend: Four

    @_noLocks @inline(__always) init(_ gains: Gains) {
      let frames = Four(0, 1, 2, 3)
      left = gains.left + frames * gains.leftStep + frames * frames * gains.leftBend
      right = gains.right + frames * gains.rightStep + frames * frames * gains.rightBend
      // From frame i to frame i + 4: 4 steps, and (i + 4)² − i² = 8i + 16 bends.
      let bends = frames * 8 + 16
      leftStep = bends * gains.leftBend + 4 * gains.leftStep
      rightStep = bends * gains.rightBend + 4 * gains.rightStep
      leftBend = Four(repeating: 32 * gains.leftBend)
      rightBend = Four(repeating: 32 * gains.rightBend)
    }

    @_noLocks @inline(__always) mutating func advance() {
      left += leftStep
      right += rightStep
      leftStep += leftBend
      rightStep += rightBend
    }

    /// By one frame, within the last four.
    @_noLocks @inline(__always) mutating func advanceOne() {
      left = Four(left.y, left.z, left.w, left.w)
      right = Four(right.y, right.z, right.w, right.w)
    }
  }

  /// The four lanes' sum, in the order in which `sums` adds.
  @_noLocks @inline(__always) static func sum(_ a: Four) -> Float { (a.x + a.z) + (a.y + a.w) }

  /// The sums of four vectors.
  @_noLocks @inline(__always) static func sums(_ a: Four, _ b: Four, _ c: Four, _ d: Four) -> Four {
    let ab = Four(a.x, b.x, a.y, b.y) + Four(a.z, b.z, a.w, b.w)
    let cd = Four(c.x, d.x, c.y, d.y) + Four(c.z, d.z, c.w, d.w)
    return Four(ab.x, ab.y, cd.x, cd.y) + Four(ab.z, ab.w, cd.z, cd.w)
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

    /// From one row of the table to the next, 0 ..< 1: 23 bits become the mantissa of a number in 1 ..< 2.
    var x: Four {
      @_noLocks @inline(__always) get {
        let between = (fractions &<< UInt32(truncatingIfNeeded: VoiceKernels.phaseBits)) &>> 9
        return unsafeBitCast(between | SIMD4(repeating: 0x3F80_0000), to: Four.self) - 1
      }
    }

    /// The place of `lane`, and its coefficients.
    @_noLocks @inline(__always) func tap(_ lane: Int, _ kernel: KernelTable) -> Tap {
      let phase = phase &+ increment &* UInt64(truncatingIfNeeded: lane)
      let row = UInt32(truncatingIfNeeded: phase) &>> UInt32(truncatingIfNeeded: 32 &- VoiceKernels.phaseBits)
      return Tap(
        place: Int(truncatingIfNeeded: phase &>> 32),
        row: UnsafeRawPointer(kernel.rows + Int(row) &* kernel.groups &* 8), x: Four(repeating: x[lane]))
    }

    /// Four partial sums of the first place's frame, in the order of the loops.
    @_noLocks @inline(__always) func sum(_ source: Source, _ kernel: KernelTable) -> Four {
      let tap = tap(0, kernel)
      var sum = Four()
      var group = 0
      while group < kernel.groups {
        sum += load(source + tap.place + group &* 4) * tap.weights(group)
        group &+= 1
      }
      return sum
    }
  }

  /// What one frame is made of.
  struct Tap {
    /// Whole frames in front of it.
    let place: Int
    let row: UnsafeRawPointer
    /// The way to the next row.
    let x: Four

    /// The coefficients of four taps. Rows lie on 16 bytes.
    @_noLocks @inline(__always) func weights(_ group: Int) -> Four {
      row.load(fromByteOffset: group &* 32, as: Four.self) + row.load(fromByteOffset: group &* 32 &+ 16, as: Four.self)
        * x
    }
  }
}
