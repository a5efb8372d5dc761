/// Two state variable filters, one behind the other, on both channels.
///
/// Each frame is computed by the same operations in the same order, whether the filters are steady
/// or gliding.
/// Real-time safe.
struct BandPair: BitwiseCopyable {
  typealias Two = SIMD2<Float>

  private var first = GlidingShape(BandShape.neutral)
  private var second = GlidingShape(BandShape.neutral)
  var state = State()

  @_noLocks init() {}

  struct State: BitwiseCopyable {
    var firstBand = Two()
    var firstLow = Two()
    var secondBand = Two()
    var secondLow = Two()

    @_noLocks init() {}
  }

  /// Whether the filters change no bit.
  var isOff: Bool {
    @_noLocks get {
      !first.isMoving && !second.isMoving && BandShape.isNeutral(first.now) && BandShape.isNeutral(second.now)
    }
  }

  @_noLocks mutating func set(_ first: SIMD8<Float>, _ second: SIMD8<Float>) {
    if isOff {
      self.first.go(from: BandShape.silenced(first), to: first)
      self.second.go(from: BandShape.silenced(second), to: second)
    } else {
      self.first.go(to: first)
      self.second.go(to: second)
    }
  }

  @_noLocks mutating func arrive() {
    first.arrive()
    second.arrive()
  }

  @_noLocks mutating func reset() { state = State() }

  /// Processes the block in place.
  /// - Parameter frames: a multiple of 4.
  @_noLocks mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    var state = self.state
    var i = 0
    while i < frames, first.isMoving || second.isMoving {
      var (a, b) = (first.now, second.now)
      let (stepA, stepB) = (first.advance(), second.advance())
      var n = 0
      while n < 4 {
        a += stepA
        b += stepB
        BandPair.frame(left + i + n, right + i + n, Coefficients(a), Coefficients(b), &state)
        n &+= 1
      }
      BandPair.flush(&state)
      i &+= 4
    }
    let (a, b) = (Coefficients(first.now), Coefficients(second.now))
    while i < frames {
      BandPair.frame(left + i, right + i, a, b, &state)
      BandPair.frame(left + i + 1, right + i + 1, a, b, &state)
      BandPair.frame(left + i + 2, right + i + 2, a, b, &state)
      BandPair.frame(left + i + 3, right + i + 3, a, b, &state)
      BandPair.flush(&state)
      i &+= 4
    }
    self.state = state
  }

  private struct Coefficients {
    let a1, a2, a3, m0, m1, m2: Float

    @_noLocks @inline(__always) init(_ shape: SIMD8<Float>) {
      a1 = shape[0]
      a2 = shape[1]
      a3 = shape[2]
      m0 = shape[3]
      m1 = shape[4]
      m2 = shape[5]
    }
  }

  @_noLocks @inline(__always) private static func frame(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ a: Coefficients, _ b: Coefficients,
    _ state: inout State
  ) {
    let x = Two(left.pointee, right.pointee)
    let y = filter(filter(x, a, &state.firstBand, &state.firstLow), b, &state.secondBand, &state.secondLow)
    left.pointee = y.x
    right.pointee = y.y
  }

  @_noLocks @inline(__always) private static func filter(
    _ x: Two, _ c: Coefficients, _ band: inout Two, _ low: inout Two
  ) -> Two {
    let v3 = x - low
    let v1 = c.a1 * band + c.a2 * v3
    let v2 = low + (c.a2 * band + c.a3 * v3)
    band = 2 * v1 - band
    low = 2 * v2 - low
    return c.m0 * x + c.m1 * v1 + c.m2 * v2
  }

  @_noLocks @inline(__always) private static func flush(_ state: inout State) {
    state.firstBand = EffectMath.flushed(state.firstBand)
    state.firstLow = EffectMath.flushed(state.firstLow)
    state.secondBand = EffectMath.flushed(state.secondBand)
    state.secondLow = EffectMath.flushed(state.secondLow)
  }
}
