internal import JamCore

/// The room's modulation: a resonant low-pass on the whole mix, open at 0 and closed at 1.
///
/// The resonance lifts the frequencies around the corner by 9 dB. The output is turned down by as
/// much as music typically has there, so a sweep does not get louder. Pink noise and beats stay
/// within half a decibel of the open filter or below it.
/// Real-time safe except for `init` and `deinit`.
/// - Source: V. Zavalishin, "The Art of VA Filter Design", 4 (trapezoidal state variable filter).
struct Sweep: ~Copyable {
  private var amount = Glide(0)
  private var state = FilterState()
  /// The filter's coefficient g over the amount, in even steps.
  private let table: UnsafeMutablePointer<Float>
  /// The gain behind the filter over the amount, in the same steps.
  private let levels: UnsafeMutablePointer<Float>

  private static let steps = 256
  /// From 20 kHz down to 156 Hz: seven octaves, evenly.
  private static let octaves = 7.0

  /// The gain behind the filter in dB, in straight lines between these amounts. The middle suits
  /// noise, which has the same power in each octave. The end suits kicks and basses, because only
  /// these are left there.
  private static let compensation: [(amount: Double, decibels: Double)] = [
    (0, 0), (0.12, 0), (0.25, -1.5), (0.68, -1.5), (0.88, -5.2), (1.01, -5.2),
  ]

  private static func level(at amount: Double) -> Float {
    var before = compensation[0]
    for point in compensation.dropFirst() {
      if amount < point.amount {
        let part = (amount - before.amount) / (point.amount - before.amount)
        return Decibels.gain(Float(before.decibels + (point.decibels - before.decibels) * part))
      }
      before = point
    }
    return Decibels.gain(Float(before.decibels))
  }

  init() {
    table = .allocate(capacity: Sweep.steps + 2)
    levels = .allocate(capacity: Sweep.steps + 2)
    for i in 0..<Sweep.steps + 2 {
      let hertz = 20_000 * Decibels.powerOfTwo(-Sweep.octaves * Double(i) / Double(Sweep.steps))
      let turns = hertz / Double(Frames.perSecond) / 2
      (table + i).initialize(to: Float(Polynomial.sine(turns: turns) / Polynomial.sine(turns: turns + 0.25)))
      (levels + i).initialize(to: Sweep.level(at: Double(i) / Double(Sweep.steps)))
    }
  }

  deinit {
    table.deallocate()
    levels.deallocate()
  }

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

  /// Processes a part of the coming block's mix, before `process` does.
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
      let (g, level) = shape(x)
      // The resonance and the filter itself fade in over the first part of the way, so that 0
      // leaves the mix untouched.
      let damping = 1.414_213_6 - 1.05 * Swift.min(1, x * 4)
      let wet = Swift.min(1, x * 20)
      let input = SIMD2(left[i], right[i])
      let high = (input - state.low - (g + damping) * state.band) / (1 + g * (g + damping))
      let newBand = g * high + state.band
      let newLow = g * newBand + state.low
      state.band = g * high + newBand
      state.low = g * newBand + newLow
      let output = input + (newLow * level - input) * wet
      left[i] = output.x
      right[i] = output.y
      x += step
      i &+= 1
    }
  }

  @_noLocks @inline(__always) private func shape(_ amount: Float) -> (g: Float, level: Float) {
    let place = (amount > 0 ? Swift.min(amount, 1) : 0) * Float(Sweep.steps)
    let index = Int(place)
    let part = place - Float(index)
    return (
      table[index] + (table[index + 1] - table[index]) * part,
      levels[index] + (levels[index + 1] - levels[index]) * part
    )
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
