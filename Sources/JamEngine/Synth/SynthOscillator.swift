internal import JamCore

/// One of a note's sources: a wave, its phase, and its levels on the left and the right.
///
/// Real-time safe.
struct SynthOscillator: BitwiseCopyable {
  private var path: SynthKernels.Path
  /// The increment at the end of the tick.
  private var increment: UInt32 = 0
  private var shape: PatchShape
  /// The shape from the next tick on.
  private var wanted: PatchShape
  private var table: Wavetable
  /// The wave before: it fades out while the new one fades in.
  private var oldShape: PatchShape
  private var oldTable: Wavetable
  private var fadeLeft: Int32 = 0
  private var fadeLength: Int32 = 1
  private var level: SynthSmooth
  private var width: SynthSmooth
  private var pulseWidth: UInt32 = 0
  private var drift: UInt32 = 0
  /// The levels of the current tick; `old…` are the levels of the old wave while it fades.
  private var left = SynthKernels.Ramp(0, 0)
  private var right = SynthKernels.Ramp(0, 0)
  private var oldLeft = SynthKernels.Ramp(0, 0)
  private var oldRight = SynthKernels.Ramp(0, 0)
  private var isFading = false
  private(set) var isHeard = false
  /// The factors of the left and the right side at the end of the last tick.
  private var sides = SIMD2<Float>(0, 0)

  @_noLocks init(_ shape: PatchShape, level: Float, width: Float, phase: UInt32, _ tables: Wavetables) {
    self.shape = shape
    wanted = shape
    oldShape = shape
    table = tables.sine
    oldTable = table
    self.level = SynthSmooth(level)
    self.width = SynthSmooth(width)
    path = SynthKernels.Path(phase: phase, increment: 0, bend: 0)
    pulseWidth = SynthOscillator.turns(width)
  }

  /// Another wave fades in over 5 ms. The level and the width take as long.
  @_noLocks mutating func go(to shape: PatchShape, level: Float, width: Float) {
    self.level.target = level
    self.width.target = width
    wanted = shape
  }

  @_noLocks private static func turns(_ width: Float) -> UInt32 {
    // Finite: at most 0.95 of a round.
    UInt32(Double(SynthMath.bounded(width, 0.05, 0.95)) * 4_294_967_296)
  }

  /// Sets the pitch at the end of the coming tick. The pitch goes there in a straight line.
  @_noLocks mutating func tune(_ next: UInt32, _ tables: Wavetables, isFirst: Bool) {
    path.increment = isFirst ? next : increment
    path.bend = UInt32(bitPattern: Int32(bitPattern: next &- path.increment) / SynthVoice.tick)
    // The table must suit the higher of the two pitches.
    let increment = Swift.max(next, path.increment)
    self.increment = next
    let next = tables.table(wanted, increment: increment)
    let isOther = wanted != shape
    guard isOther || next.values != table.values else { return }
    // Partials above 20 kHz may appear or vanish without being heard, so a longer fade need not be
    // interrupted.
    if isHeard && (isOther || fadeLeft == 0) {
      oldShape = shape
      oldTable = table
      fadeLength = isOther ? 10 : 1
      fadeLeft = fadeLength
    }
    shape = wanted
    table = next
  }

  /// Prepares the coming tick.
  /// - Parameters:
  ///   - sway: the amount that the slow oscillator adds to the width.
  ///   - sides: the factors of left and right at the end of the tick.
  ///   - isFirst: of the note.
  @_noLocks mutating func advance(sway: Float, sides next: SIMD2<Float>, isFirst: Bool) {
    if isFirst { sides = next * level.now }
    let before = sides
    level.advance()
    sides = next * level.now
    left = SynthKernels.Ramp(before.x, sides.x)
    right = SynthKernels.Ramp(before.y, sides.y)
    isHeard = before != SIMD2() || sides != SIMD2()
    if shape == .pulse || fadeLeft > 0 {
      pulseWidth &+= drift &* UInt32(bitPattern: SynthVoice.tick)
      width.advance()
      let way = Int32(bitPattern: SynthOscillator.turns(width.now + sway) &- pulseWidth)
      if isFirst { pulseWidth &+= UInt32(bitPattern: way) }
      drift = isFirst ? 0 : UInt32(bitPattern: way / SynthVoice.tick)
    }
    isFading = fadeLeft > 0
    guard isFading else { return }
    let part = 1 / Float(fadeLength)
    let (from, to) = (Float(fadeLeft) * part, Float(fadeLeft &- 1) * part)
    oldLeft = SynthKernels.Ramp(before.x * from, sides.x * to)
    oldRight = SynthKernels.Ramp(before.y * from, sides.y * to)
    left = SynthKernels.Ramp(before.x * (1 - from), sides.x * (1 - to))
    right = SynthKernels.Ramp(before.y * (1 - from), sides.y * (1 - to))
    fadeLeft &-= 1
  }

  /// Whether the tick that was just prepared changes only the phase.
  var isStill: Bool {
    @_noLocks @inline(__always) get {
      left.step == 0 && right.step == 0 && !isFading && fadeLeft == 0 && level.isStill && drift == 0
        && (shape != .pulse || width.isStill) && path.bend == 0
    }
  }

  /// Adds `count` frames, `frame` frames into the tick, and advances.
  /// - Parameters:
  ///   - wave: memory for a tick.
  ///   - right: nil where the note is mono.
  @_noLocks @inline(__always) mutating func render(
    from frame: Int, toLeft left: UnsafeMutablePointer<Float>, toRight right: UnsafeMutablePointer<Float>?, count: Int,
    _ wave: UnsafeMutablePointer<Float>, isFirst: Bool
  ) {
    write(shape, table, frame, wave, count)
    SynthKernels.add(wave, self.left, from: frame, to: left, count: count, isFirst: isFirst)
    if let right { SynthKernels.add(wave, self.right, from: frame, to: right, count: count, isFirst: isFirst) }
    if isFading {
      write(oldShape, oldTable, frame, wave, count)
      SynthKernels.add(wave, oldLeft, from: frame, to: left, count: count, isFirst: false)
      if let right { SynthKernels.add(wave, oldRight, from: frame, to: right, count: count, isFirst: false) }
    }
    skip(count)
  }

  @_noLocks @inline(__always) mutating func skip(_ count: Int) {
    path.advance(UInt32(truncatingIfNeeded: count))
  }

  @_noLocks @inline(__always) private func write(
    _ shape: PatchShape, _ table: Wavetable, _ frame: Int, _ wave: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    if shape == .pulse {
      let width = pulseWidth &+ drift &* UInt32(truncatingIfNeeded: frame)
      var other = path
      other.phase &+= width
      other.increment &+= drift
      SynthKernels.pulse(table, path, other, to: wave, count: count)
    } else {
      SynthKernels.wave(table, path, to: wave, count: count)
    }
  }
}
