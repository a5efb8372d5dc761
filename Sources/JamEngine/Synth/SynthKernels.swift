/// The inner loops of oscillators: four frames at a time, up to three more than were asked for.
/// Real-time safe.
///
/// A value depends only on its frame's own phase, so its bits do not depend on the place of a tick
/// in its blocks.
enum SynthKernels {
  typealias Four = SIMD4<Float>
  typealias Phases = SIMD4<UInt32>
  typealias Target = UnsafeMutablePointer<Float>

  /// A phase that moves by `increment`, and by `bend` more with each frame.
  struct Path: BitwiseCopyable {
    var phase: UInt32
    var increment: UInt32
    var bend: UInt32

    @_noLocks @inline(__always) init(phase: UInt32, increment: UInt32, bend: UInt32) {
      self.phase = phase
      self.increment = increment
      self.bend = bend
    }

    @_noLocks @inline(__always) mutating func advance(_ frames: UInt32) {
      phase &+= increment &* frames &+ bend &* ((frames &* (frames &- 1)) &>> 1)
      increment &+= bend &* frames
    }

    /// The phases of its first four frames, the step from these to the next four, and the growth of
    /// that step.
    var four: (phases: Phases, step: Phases, growth: Phases) {
      @_noLocks @inline(__always) get {
        let frames = Phases(0, 1, 2, 3)
        let phases =
          Phases(repeating: phase) &+ frames &* Phases(repeating: increment)
          &+ Phases(0, 0, 1, 3) &* Phases(repeating: bend)
        let step = Phases(repeating: increment &* 4 &+ bend &* 6) &+ frames &* Phases(repeating: bend &* 4)
        return (phases, step, Phases(repeating: bend &* 16))
      }
    }
  }

  /// Writes `count` frames of a wave.
  @_noLocks static func wave(_ table: Wavetable, _ path: Path, to target: Target, count: Int) {
    switch table.bits {
    case 10: wave(table.values, 10, path, target, count)
    case 11: wave(table.values, 11, path, target, count)
    case 12: wave(table.values, 12, path, target, count)
    default: wave(table.values, 13, path, target, count)
    }
  }

  @_noLocks @inline(__always) private static func wave(
    _ values: UnsafePointer<Float>, _ bits: UInt32, _ path: Path, _ target: Target, _ count: Int
  ) {
    var (phases, step, growth) = path.four
    var i = 0
    while i < count {
      VoiceKernels.store(read(values, bits, phases), to: target + i)
      phases &+= step
      step &+= growth
      i &+= 4
    }
  }

  /// Writes `count` frames of a pulse: the difference of two saws.
  @_noLocks static func pulse(_ table: Wavetable, _ path: Path, _ other: Path, to target: Target, count: Int) {
    switch table.bits {
    case 10: pulse(table.values, 10, path, other, target, count)
    case 11: pulse(table.values, 11, path, other, target, count)
    case 12: pulse(table.values, 12, path, other, target, count)
    default: pulse(table.values, 13, path, other, target, count)
    }
  }

  @_noLocks @inline(__always) private static func pulse(
    _ values: UnsafePointer<Float>, _ bits: UInt32, _ path: Path, _ other: Path, _ target: Target, _ count: Int
  ) {
    var (phases, step, growth) = path.four
    var (others, otherStep, _) = other.four
    var i = 0
    while i < count {
      VoiceKernels.store(read(values, bits, phases) - read(values, bits, others), to: target + i)
      phases &+= step
      step &+= growth
      others &+= otherStep
      otherStep &+= growth
      i &+= 4
    }
  }

  /// The wave at four phases, interpolated linearly between two frames.
  @_noLocks @inline(__always) private static func read(
    _ values: UnsafePointer<Float>, _ bits: UInt32, _ phases: Phases
  ) -> Four {
    let places = phases &>> Phases(repeating: 32 &- bits)
    // 23 bits become the mantissa of a number in 1 ..< 2.
    let fractions = (phases &<< Phases(repeating: bits)) &>> Phases(repeating: 9) | Phases(repeating: 0x3F80_0000)
    let x = unsafeBitCast(fractions, to: Four.self) - Four(repeating: 1)
    let a = pair(values, places.x)
    let b = pair(values, places.y)
    let c = pair(values, places.z)
    let d = pair(values, places.w)
    let low = Four(a.x, b.x, c.x, d.x)
    let high = Four(a.y, b.y, c.y, d.y)
    return low + (high - low) * x
  }

  @_noLocks @inline(__always) private static func pair(_ values: UnsafePointer<Float>, _ place: UInt32) -> SIMD2<Float>
  {
    UnsafeRawPointer(values + Int(place)).loadUnaligned(as: SIMD2<Float>.self)
  }

  /// Writes `count` frames of white noise, ±1.
  /// - Returns: the state behind the last.
  /// - Source: Numerical Recipes 7.1.4: a linear congruential generator; each lane takes every
  ///   fourth number.
  @_noLocks static func noise(_ state: UInt32, to target: Target, count: Int) -> UInt32 {
    // The multipliers and additions of one to four steps.
    var state = Phases(repeating: state) &* Phases(1_664_525, 389_569_705, 2_940_799_637, 158_984_081)
    state &+= Phases(1_013_904_223, 1_196_435_762, 3_519_870_697, 2_868_466_484)
    var i = 0
    while i &+ 4 < count {
      VoiceKernels.store(unit(state), to: target + i)
      state = state &* Phases(repeating: 158_984_081) &+ Phases(repeating: 2_868_466_484)
      i &+= 4
    }
    VoiceKernels.store(unit(state), to: target + i)
    return state[(count &- 1) & 3]
  }

  @_noLocks @inline(__always) private static func unit(_ state: Phases) -> Four {
    let bits = state &>> Phases(repeating: 9) | Phases(repeating: 0x4000_0000)
    return unsafeBitCast(bits, to: Four.self) - Four(repeating: 3)
  }

  /// A level over the frames of a tick: `start` + `step` · frame.
  struct Ramp: BitwiseCopyable {
    var start: Float
    var step: Float

    @_noLocks @inline(__always) init(start: Float, step: Float) {
      self.start = start
      self.step = step
    }

    /// From `start` to `end` within a tick.
    @_noLocks @inline(__always) init(_ start: Float, _ end: Float) {
      self.start = start
      step = (end - start) * SynthVoice.perFrame
    }

    @_noLocks @inline(__always) func four(at frame: Int) -> Four {
      Four(repeating: start) + (Four(0, 1, 2, 3) + Four(repeating: Float(frame))) * Four(repeating: step)
    }
  }

  /// Adds `count` frames at a level that has moved for `frame` frames already; where `isFirst`,
  /// writes them instead.
  @_noLocks static func add(
    _ wave: Target, _ level: Ramp, from frame: Int, to target: Target, count: Int, isFirst: Bool
  ) {
    if isFirst {
      if level.step == 0 {
        let gain = Four(repeating: level.start)
        var i = 0
        while i < count {
          VoiceKernels.store(VoiceKernels.load(wave + i) * gain, to: target + i)
          i &+= 4
        }
        return
      }
      var i = 0
      while i < count {
        VoiceKernels.store(VoiceKernels.load(wave + i) * level.four(at: frame &+ i), to: target + i)
        i &+= 4
      }
    } else {
      var i = 0
      while i < count {
        VoiceKernels.add(VoiceKernels.load(wave + i) * level.four(at: frame &+ i), to: target + i)
        i &+= 4
      }
    }
  }

  @_noLocks @inline(__always) static func clear(_ target: Target, count: Int) {
    var i = 0
    while i < count {
      VoiceKernels.store(Four(), to: target + i)
      i &+= 4
    }
  }
}
