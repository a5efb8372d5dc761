internal import JamCore

/// Distortion: a soft clip at four times the rate, on both channels.
///
/// All-pass half-band filters change the rate. They buffer nothing and add no latency, but they
/// turn the phase: in the bass, by as much as four frames of delay. The response is flat up to 20
/// kHz, and the aliases below that are at −100 dB.
/// Real-time safe.
/// - Source: R. Valenzuela, A. Constantinides, "Digital signal processing schemes for efficient
///   interpolation and decimation", 1983.
struct Drive: BitwiseCopyable {
  typealias Two = SIMD2<Float>
  typealias Four = SIMD4<Float>

  /// The coefficients: the gain into the clip, the gain behind it, the share of the higher rate,
  /// the coefficient of the tone filter, the share of the clipped sound.
  private var shape = GlidingShape(SIMD8(1, 1, 0, 1, 0, 0, 0, 0))
  private var state = State()

  @_noLocks init() {}

  /// All-pass sections: left and right of both branches side by side.
  private struct State: BitwiseCopyable {
    var upA = Section(), upB = Section(), upC = Section(), upD = Section()
    var upperA = Section(), upperB = Section()
    var downerA = Section(), downerB = Section()
    var downA = Section(), downB = Section(), downC = Section(), downD = Section()
    var tone = Two()
  }

  private struct Section: BitwiseCopyable {
    var input = Four()
    var output = Four()

    @_noLocks @inline(__always) mutating func pass(_ x: Four, _ a: Four) -> Four {
      let y = a * (x - output) + input
      input = x
      output = y
      return y
    }

    @_noLocks @inline(__always) mutating func flush() {
      output = EffectMath.flushed(output)
      input = EffectMath.flushed(input)
    }
  }

  /// Whether the effect changes no bit.
  var isOff: Bool { @_noLocks get { !shape.isMoving && shape.now[2] == 0 } }

  /// - Parameters:
  ///   - amount: 0 … 1: 0 … 30 dB into the clip. A beat keeps its loudness (`MakeUp`).
  ///   - tone: Hz.
  ///   - level: dB.
  @_noLocks mutating func set(amount: Float, tone: Float, level: Float) {
    let amount = EffectMath.bounded(amount, 0, 1)
    let into = Decibels.gain(30 * amount)
    let reference: Float = 0.316_227_8
    let kept = reference / Drive.clipped(Four(repeating: reference * into)).x
    let gain = EffectMath.bounded(level, -48, 24) + MakeUp.drive(amount: amount)
    let behind = kept * Decibels.gain(gain)
    let open = tone >= 20_000 ? 1 : EffectMath.onePole(hertz: tone)
    // The clipped sound is mixed with the sound at the higher rate, where both are equally late.
    // Mixed with the original, which is a few frames earlier, it would cancel.
    let mix = EffectMath.bounded(20 * amount, 0, 1)
    let next = SIMD8<Float>(into, behind, amount > 0 ? 1 : 0, open, mix, 0, 0, 0)
    if isOff {
      shape.go(from: SIMD8(into, behind, 0, open, mix, 0, 0, 0), to: next)
    } else {
      shape.go(to: next)
    }
  }

  @_noLocks mutating func arrive() { shape.arrive() }
  @_noLocks mutating func reset() { state = State() }

  /// Processes the block in place.
  /// - Parameter frames: a multiple of 4.
  @_noLocks mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    var state = self.state
    var i = 0
    while i < frames {
      var now = shape.now
      let isMoving = shape.isMoving
      let step = shape.advance()
      var n = 0
      while n < 4 {
        if isMoving { now += step }
        let x = Two(left[i + n], right[i + n])
        let clipped = Drive.oversampled(x, now[0], now[1], now[4], &state)
        state.tone += (clipped - state.tone) * now[3]
        let y = x + (state.tone - x) * now[2]
        left[i + n] = y.x
        right[i + n] = y.y
        n &+= 1
      }
      Drive.flush(&state)
      i &+= 4
    }
    self.state = state
  }

  /// x (27 + x²) / (27 + 9 x²) up to 3, where the curve has reached 1 and is flat: close to tanh.
  @_noLocks @inline(__always) private static func clipped(_ x: Four) -> Four {
    let x = Signal.smaller(Signal.larger(x, Four(repeating: -3)), Four(repeating: 3))
    let square = x * x
    return x * (27 + square) / (27 + 9 * square)
  }

  @_noLocks @inline(__always) private static func shaped(_ x: Four, _ into: Float, _ behind: Float, _ mix: Float)
    -> Four
  {
    x + (clipped(x * into) * behind - x) * mix
  }

  @_noLocks @inline(__always) private static func oversampled(
    _ x: Two, _ into: Float, _ behind: Float, _ mix: Float, _ s: inout State
  ) -> Two {
    let twice = up(Four(lowHalf: x, highHalf: x), &s)
    let early = shaped(upper(Four(lowHalf: twice.lowHalf, highHalf: twice.lowHalf), &s), into, behind, mix)
    let late = shaped(upper(Four(lowHalf: twice.highHalf, highHalf: twice.highHalf), &s), into, behind, mix)
    // The first branch takes the later of two frames.
    let first = downer(Four(lowHalf: early.highHalf, highHalf: early.lowHalf), &s)
    let second = downer(Four(lowHalf: late.highHalf, highHalf: late.lowHalf), &s)
    return down(Four(lowHalf: second, highHalf: first), &s)
  }

  // The first doubling, next to the signal, has eight sections: flat to 20 kHz, −100 dB from 28 kHz
  // on.
  private static var a: Four {
    @_noLocks @inline(__always) get { Four(0.039_739_873, 0.039_739_873, 0.147_472_05, 0.147_472_05) }
  }
  private static var b: Four {
    @_noLocks @inline(__always) get { Four(0.295_508_34, 0.295_508_34, 0.454_197_65, 0.454_197_65) }
  }
  private static var c: Four {
    @_noLocks @inline(__always) get { Four(0.602_853_65, 0.602_853_65, 0.732_841_07, 0.732_841_07) }
  }
  private static var d: Four {
    @_noLocks @inline(__always) get { Four(0.845_382, 0.845_382, 0.948_323_53, 0.948_323_53) }
  }
  // The second doubling has four sections: −124 dB from 74 kHz on.
  private static var e: Four {
    @_noLocks @inline(__always) get { Four(0.040_341_223, 0.040_341_223, 0.163_791_93, 0.163_791_93) }
  }
  private static var f: Four {
    @_noLocks @inline(__always) get { Four(0.382_821_56, 0.382_821_56, 0.738_750_13, 0.738_750_13) }
  }

  @_noLocks @inline(__always) private static func up(_ x: Four, _ s: inout State) -> Four {
    s.upD.pass(s.upC.pass(s.upB.pass(s.upA.pass(x, a), b), c), d)
  }

  @_noLocks @inline(__always) private static func upper(_ x: Four, _ s: inout State) -> Four {
    s.upperB.pass(s.upperA.pass(x, e), f)
  }

  @_noLocks @inline(__always) private static func downer(_ x: Four, _ s: inout State) -> Two {
    let y = s.downerB.pass(s.downerA.pass(x, e), f)
    return (y.lowHalf + y.highHalf) * 0.5
  }

  @_noLocks @inline(__always) private static func down(_ x: Four, _ s: inout State) -> Two {
    let y = s.downD.pass(s.downC.pass(s.downB.pass(s.downA.pass(x, a), b), c), d)
    return (y.lowHalf + y.highHalf) * 0.5
  }

  @_noLocks @inline(__always) private static func flush(_ s: inout State) {
    s.upA.flush()
    s.upB.flush()
    s.upC.flush()
    s.upD.flush()
    s.upperA.flush()
    s.upperB.flush()
    s.downerA.flush()
    s.downerB.flush()
    s.downA.flush()
    s.downB.flush()
    s.downC.flush()
    s.downD.flush()
    s.tone = EffectMath.flushed(s.tone)
  }
}
