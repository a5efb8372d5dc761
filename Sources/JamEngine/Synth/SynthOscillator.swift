internal import JamCore

/// One of a note's sources: a wave, how far its round is, and how much of it goes left and right.
///
/// Real-time safe.
struct SynthOscillator: BitwiseCopyable {
  private var path: SynthKernels.Path
  /// At the end of the tick.
  private var increment: UInt32 = 0
  private var shape: PatchShape
  /// From the next tick on.
  private var wanted: PatchShape
  private var table: Wavetable
  /// The wave before: it fades out while the other one fades in.
  private var oldShape: PatchShape
  private var oldTable: Wavetable
  private var fadeLeft: Int32 = 0
  private var fadeLength: Int32 = 1
  private var level: SynthSmooth
  private var width: SynthSmooth
  private var pulseWidth: UInt32 = 0
  private var drift: UInt32 = 0
  /// Of the current tick; the old wave's while it fades.
  private var left = SynthKernels.Ramp(0, 0)
  private var right = SynthKernels.Ramp(0, 0)
  private var oldLeft = SynthKernels.Ramp(0, 0)
  private var oldRight = SynthKernels.Ramp(0, 0)
  private var isFading = false
  private(set) var isHeard = false
  /// What the left and the right side were multiplied by at the end of the last tick.
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

  /// Another wave comes in over 5 ms; the level and the width follow over as long.
  @_noLocks mutating func go(to shape: PatchShape, level: Float, width: Float) {
    self.level.target = level
    self.width.target = width
    wanted = shape
  }

  @_noLocks private static func turns(_ width: Float) -> UInt32 {
    // Finite: at most 0.95 of a round.
    UInt32(Double(SynthMath.bounded(width, 0.05, 0.95)) * 4_294_967_296)
  }

  /// The pitch at the end of the coming tick: it goes there in a straight line.
  @_noLocks mutating func tune(_ next: UInt32, _ tables: Wavetables, isFirst: Bool) {
    path.increment = isFirst ? next : increment
    path.bend = UInt32(bitPattern: Int32(bitPattern: next &- path.increment) / SynthVoice.tick)
    // The table is for the higher end.
    let increment = Swift.max(next, path.increment)
    self.increment = next
    let next = tables.table(wanted, increment: increment)
    let isOther = wanted != shape
    guard isOther || next.values != table.values else { return }
    // What is above 20 kHz may come and go unheard while a longer fade runs.
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
  ///   - sway: what the slow oscillator adds to the width.
  ///   - sides: what goes left and right at its end.
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

  /// The tick that was just prepared moves nothing but the phase.
  var isStill: Bool {
    @_noLocks @inline(__always) get {
      left.step == 0 && right.step == 0 && !isFading && fadeLeft == 0 && level.isStill && drift == 0
        && (shape != .pulse || width.isStill) && path.bend == 0
    }
  }

  /// Adds `count` frames, `frame` frames into the tick, and goes on.
  /// - Parameters:
  ///   - wave: memory for a tick.
  ///   - right: nil where the note is in one place.
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
