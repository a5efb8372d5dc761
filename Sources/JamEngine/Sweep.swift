internal import JamCore

/// The room's modulation: a resonant low-pass on the whole mix, open at 0 and closed at 1.
///
/// Real-time safe but for `init` and `deinit`.
/// - Source: V. Zavalishin, "The Art of VA Filter Design", 4 (trapezoidal state variable filter).
struct Sweep: ~Copyable {
  private var amount = Glide(0)
  private var state = FilterState()
  /// The filter's g over the amount, in even steps.
  private let table: UnsafeMutablePointer<Float>

  private static let steps = 256
  /// From 20 kHz down to 156 Hz: seven octaves, evenly.
  private static let octaves = 7.0

  init() {
    table = .allocate(capacity: Sweep.steps + 2)
    for i in 0..<Sweep.steps + 2 {
      let hertz = 20_000 * Decibels.powerOfTwo(-Sweep.octaves * Double(i) / Double(Sweep.steps))
      let turns = hertz / Double(Frames.perSecond) / 2
      (table + i).initialize(to: Float(Polynomial.sine(turns: turns) / Polynomial.sine(turns: turns + 0.25)))
    }
  }

  deinit { table.deallocate() }

  /// The glide: 20 ms.
  private static var glide: Int { @_noLocks get { 960 } }

  @_noLocks mutating func set(_ value: Float, isIdle: Bool) {
    amount.go(to: value > 0 ? Swift.min(value, 1) : 0, frames: Sweep.glide)
    if isIdle { amount.arrive() }
  }

  /// - Parameter frames: of one block.
  @_noLocks mutating func process(
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    var ahead = amount
    var state = self.state
    process(left: left, right: right, frames: frames, from: &ahead, &state)
    amount = ahead
    self.state = state
  }

  /// A part of the coming block's mix, ahead of `process`.
  @_noLocks func preview(
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int, _ state: inout FilterState
  ) {
    var ahead = amount
    process(left: left, right: right, frames: frames, from: &ahead, &state)
  }

  @_noLocks @inline(__always) private func process(
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int, from amount: inout Glide,
    _ state: inout FilterState
  ) {
    guard amount.now > 0 || amount.isMoving else {
      state = FilterState()
      return
    }
    var x = amount.now
    let step = amount.advance(frames)
    var i = 0
    while i < frames {
      let g = g(x)
      // The resonance and the filter itself come in over the first part of the way, so that 0 is the mix untouched.
      let damping = 1.414_213_6 - 1.05 * Swift.min(1, x * 4)
      let wet = Swift.min(1, x * 20)
      let input = SIMD2(left[i], right[i])
      let high = (input - state.low - (g + damping) * state.band) / (1 + g * (g + damping))
      let newBand = g * high + state.band
      let newLow = g * newBand + state.low
      state.band = g * high + newBand
      state.low = g * newBand + newLow
      let output = input + (newLow - input) * wet
      left[i] = output.x
      right[i] = output.y
      x += step
      i &+= 1
    }
  }

  @_noLocks @inline(__always) private func g(_ amount: Float) -> Float {
    let place = (amount > 0 ? Swift.min(amount, 1) : 0) * Float(Sweep.steps)
    let index = Int(place)
    return table[index] + (table[index + 1] - table[index]) * (place - Float(index))
  }
}

/// A state variable filter's integrators, left and right.
struct FilterState: BitwiseCopyable {
  var low: SIMD2<Float>
  var band: SIMD2<Float>

  @_noLocks init() {
    low = SIMD2()
    band = SIMD2()
  }
}
