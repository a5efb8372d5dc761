/// The inner loops: they add `count` frames of one voice to a bus. Four frames at a time; the rest one by one, with the same
/// operations in the same order, so that it does not matter to the bit how a steady voice lies in its buffers.
///
/// Gains are envelope, pad level and pan together: steady, or a parabola over the frames of one call.
/// Plain SSE2 or NEON widths: what the compiler may assume everywhere. Real-time safe.
enum VoiceKernels {
  typealias Four = SIMD4<Float>
  typealias Source = UnsafePointer<Float>
  typealias Bus = UnsafeMutablePointer<Float>

  /// What one call multiplies by, left and right: at frame i, left + leftStep · i + leftBend · i².
  struct Gains {
    var left: Float
    var right: Float
    var leftStep: Float
    var rightStep: Float
    var leftBend: Float = 0
    var rightBend: Float = 0

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
}
