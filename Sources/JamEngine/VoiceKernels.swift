internal import CVoices

/// The inner loops: they add `count` frames of one voice to a bus. They take four frames at a time.
/// They take the rest one by one, with the same operations in the same order, so that the bits of a
/// steady voice do not depend on its place in the buffers.
///
/// At any rate but 1, each frame is the sum over the taps of a `KernelTable` in a fixed order,
/// whether it is computed beside three others or alone. All of it lies in one file: debug builds
/// inline nothing from another file, and would be several times slower.
///
/// Gains are envelope, pad level and pan together: steady, or a parabola over the frames of one
/// call.
/// The code uses plain SSE2 or NEON widths, which the compiler may assume everywhere. Where a
/// machine has eight lanes (`KernelTable.isWide`), `CVoices` adds transposed voices with steady
/// gains, to the same bits. Real-time safe.
enum VoiceKernels {
  typealias Four = SIMD4<Float>
  typealias Source = UnsafePointer<Float>
  typealias Bus = UnsafeMutablePointer<Float>

  /// A table has 2 to the power of this many rows.
  static var phaseBits: Int { @_noLocks @inline(__always) get { 7 } }

  /// The factors of one call, left and right: at frame i, left + leftStep · i + leftBend · i².
  struct Gains {
    var left: Float
    var right: Float
    var leftStep: Float
    var rightStep: Float
    var leftBend: Float = 0
    var rightBend: Float = 0

    /// The product of both, over a block of `frames`. It has the product's start, slope and end.
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

  /// Adds one channel to both sides.
  /// - Returns: the phase behind the last frame.
  @_noLocks static func addMono(
    _ source: Source, phase: UInt64, increment: UInt64, kernel: KernelTable, toLeft busLeft: Bus, toRight busRight: Bus,
    count: Int, gains: Gains
  ) -> UInt64 {
    if gains.areSteady && kernel.isWide {
      return jam_add_mono(
        source, phase, increment, kernel.rows, kernel.groups, busLeft, busRight, count, gains.left, gains.right)
    }
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
      let a = sum(source, cursor.next(kernel), kernel)
      let b = sum(source, cursor.next(kernel), kernel)
      let c = sum(source, cursor.next(kernel), kernel)
      let d = sum(source, cursor.next(kernel), kernel)
      let value = sums(a, b, c, d)
      add(value * ramp.left, to: busLeft + i)
      add(value * ramp.right, to: busRight + i)
      if !isSteady { ramp.advance() }
      i &+= 4
    }
    while i < count {
      let value = sum(sum(source, cursor.next(kernel), kernel))
      busLeft[i] += value * ramp.left.x
      busRight[i] += value * ramp.right.x
      if !isSteady { ramp.advanceOne() }
      i &+= 1
    }
    return cursor.phase
  }

  /// The same for two channels, which share the coefficients.
  @_noLocks static func addStereo(
    left: Source, right: Source, phase: UInt64, increment: UInt64, kernel: KernelTable, toLeft busLeft: Bus,
    toRight busRight: Bus, count: Int, gains: Gains
  ) -> UInt64 {
    if gains.areSteady && kernel.isWide {
      return jam_add_stereo(
        left, right, phase, increment, kernel.rows, kernel.groups, busLeft, busRight, count, gains.left, gains.right)
    }
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
      let a = sums(left, right, cursor.next(kernel), kernel)
      let b = sums(left, right, cursor.next(kernel), kernel)
      let c = sums(left, right, cursor.next(kernel), kernel)
      let d = sums(left, right, cursor.next(kernel), kernel)
      add(sums(a.left, b.left, c.left, d.left) * ramp.left, to: busLeft + i)
      add(sums(a.right, b.right, c.right, d.right) * ramp.right, to: busRight + i)
      if !isSteady { ramp.advance() }
      i &+= 4
    }
    while i < count {
      let a = sums(left, right, cursor.next(kernel), kernel)
      busLeft[i] += sum(a.left) * ramp.left.x
      busRight[i] += sum(a.right) * ramp.right.x
      if !isSteady { ramp.advanceOne() }
      i &+= 1
    }
    return cursor.phase
  }

  /// Four partial sums of one frame: those of the even groups of taps, and of the odd ones. Eight
  /// lanes hold both side by side.
  @_noLocks @inline(__always) private static func sum(_ source: Source, _ tap: Tap, _ kernel: KernelTable) -> Four {
    let source = source + tap.place
    var even = load(source) * tap.weights(0)
    var odd = load(source + 4) * tap.weights(1)
    var group = 2
    while group &+ 2 <= kernel.groups {
      even += load(source + group &* 4) * tap.weights(group)
      odd += load(source + (group &* 4 &+ 4)) * tap.weights(group &+ 1)
      group &+= 2
    }
    if group < kernel.groups { even += load(source + group &* 4) * tap.weights(group) }
    return even + odd
  }

  /// The same for two channels.
  @_noLocks @inline(__always) private static func sums(
    _ left: Source, _ right: Source, _ tap: Tap, _ kernel: KernelTable
  ) -> (left: Four, right: Four) {
    let (left, right) = (left + tap.place, right + tap.place)
    var weights = tap.weights(0)
    var (leftEven, rightEven) = (load(left) * weights, load(right) * weights)
    weights = tap.weights(1)
    var (leftOdd, rightOdd) = (load(left + 4) * weights, load(right + 4) * weights)
    var group = 2
    while group &+ 2 <= kernel.groups {
      weights = tap.weights(group)
      leftEven += load(left + group &* 4) * weights
      rightEven += load(right + group &* 4) * weights
      weights = tap.weights(group &+ 1)
      leftOdd += load(left + (group &* 4 &+ 4)) * weights
      rightOdd += load(right + (group &* 4 &+ 4)) * weights
      group &+= 2
    }
    if group < kernel.groups {
      weights = tap.weights(group)
      leftEven += load(left + group &* 4) * weights
      rightEven += load(right + group &* 4) * weights
    }
    return (leftEven + leftOdd, rightEven + rightOdd)
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

    /// Advances by one frame, within the last four.
    @_noLocks @inline(__always) mutating func advanceOne() {
      left = Four(left.y, left.z, left.w, left.w)
      right = Four(right.y, right.z, right.w, right.w)
    }
  }

  /// The sum of the four lanes, in the order in which the sums of four vectors are added.
  @_noLocks @inline(__always) static func sum(_ a: Four) -> Float { (a.x + a.z) + (a.y + a.w) }

  /// The sums of four vectors.
  @_noLocks @inline(__always) static func sums(_ a: Four, _ b: Four, _ c: Four, _ d: Four) -> Four {
    let ab = Four(a.x, b.x, a.y, b.y) + Four(a.z, b.z, a.w, b.w)
    let cd = Four(c.x, d.x, c.y, d.y) + Four(c.z, d.z, c.w, d.w)
    return Four(ab.x, ab.y, cd.x, cd.y) + Four(ab.z, ab.w, cd.z, cd.w)
  }

  /// A place in a sample that advances with each frame.
  struct Cursor {
    var phase: UInt64
    let increment: UInt64

    @_noLocks @inline(__always) init(phase: UInt64, increment: UInt64) {
      self.phase = phase
      self.increment = increment
    }

    /// The values and weights that the place's frame is computed from.
    @_noLocks @inline(__always) func tap(_ kernel: KernelTable) -> Tap {
      let fraction = UInt32(truncatingIfNeeded: phase)
      let bits = UInt32(truncatingIfNeeded: VoiceKernels.phaseBits)
      let row = UnsafeRawPointer(kernel.rows + Int(fraction &>> (32 &- bits)) &* kernel.groups &* 8)
      // 23 bits become the mantissa of a number in 1 ..< 2.
      let x = Float(bitPattern: (fraction &<< bits) &>> 9 | 0x3F80_0000) - 1
      return Tap(
        place: Int(truncatingIfNeeded: phase &>> 32), values: row, differences: row + kernel.groups &* 16,
        x: Four(repeating: x))
    }

    /// The same, and advances to the next frame.
    @_noLocks @inline(__always) mutating func next(_ kernel: KernelTable) -> Tap {
      let tap = tap(kernel)
      phase &+= increment
      return tap
    }
  }

  /// The values and weights of one frame.
  struct Tap {
    /// Whole frames in front of it.
    let place: Int
    let values: UnsafeRawPointer
    let differences: UnsafeRawPointer
    /// The way from one row of the table to the next, 0 ..< 1.
    let x: Four

    /// The coefficients of four taps. Rows lie on 16 bytes.
    @_noLocks @inline(__always) func weights(_ group: Int) -> Four {
      values.load(fromByteOffset: group &* 16, as: Four.self)
        + differences.load(fromByteOffset: group &* 16, as: Four.self) * x
    }
  }
}
