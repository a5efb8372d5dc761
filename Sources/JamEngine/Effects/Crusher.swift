/// Reduces the bits and the rate, down to 4 bits and 3 kHz. The aliases are a part of the effect.
///
/// Real-time safe.
struct Crusher: BitwiseCopyable {
  typealias Two = SIMD2<Float>

  /// The coefficients: levels from 0 to 1, new values per frame, the share of the crushed sound.
  private var shape = GlidingShape(SIMD8(8_192, 1, 0, 0, 0, 0, 0, 0))
  var held = Two()
  private var turn: Float = 1

  @_noLocks init() {}

  /// Whether the effect changes no bit.
  var isOff: Bool { @_noLocks get { !shape.isMoving && shape.now[2] == 0 } }

  /// - Parameter amount: 0 … 1.
  @_noLocks mutating func set(amount: Float) {
    let amount = EffectMath.bounded(amount, 0, 1)
    let levels = EffectMath.exp2(SIMD4(repeating: 13 - 10 * amount)).x
    let pace = 1 / (1 + 15 * amount * amount)
    let next = SIMD8<Float>(levels, pace, EffectMath.bounded(10 * amount, 0, 1), 0, 0, 0, 0, 0)
    if isOff {
      shape.go(from: SIMD8(levels, pace, 0, 0, 0, 0, 0, 0), to: next)
    } else {
      shape.go(to: next)
    }
  }

  @_noLocks mutating func arrive() { shape.arrive() }

  @_noLocks mutating func reset() {
    held = Two()
    turn = 1
  }

  /// Processes the block in place.
  @_noLocks mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    var i = 0
    while i < frames {
      var now = shape.now
      let step = shape.isMoving ? shape.advance() : SIMD8()
      var n = 0
      while n < 4 {
        now += step
        let x = Two(left[i + n], right[i + n])
        if turn >= 1 {
          turn -= 1
          // Adding 1.5 · 2²³ rounds the fraction away.
          let bounded = x.clamped(lowerBound: Two(repeating: -64), upperBound: Two(repeating: 64))
          held = ((bounded * now[0] + 12_582_912) - 12_582_912) / now[0]
        }
        turn += now[1]
        let y = x + (held - x) * now[2]
        left[i + n] = y.x
        right[i + n] = y.y
        n &+= 1
      }
      i &+= 4
    }
  }
}
