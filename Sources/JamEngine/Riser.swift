internal import JamCore

/// The effect of a build-up on the mix: a high-pass and the pitch that rise together, and the
/// silence before the drop.
///
/// Real-time safe except for `init` and `deinit`.
/// - Source: V. Zavalishin, "The Art of VA Filter Design", 4 (trapezoidal state variable filter).
struct Riser: ~Copyable {
  private var amount = Glide(0)
  /// The amount at the beginning of the coming block, and the step of each frame.
  private var first: Float = 0
  private var step: Float = 0
  /// The pitch ratio of everything that plays.
  private(set) var ratio: Float = 1
  /// Whether the coming block has another ratio than the one before.
  private(set) var isTuned = false
  private var state = FilterState()
  /// The filter's coefficient g over the amount, in even steps.
  private let table: UnsafeMutablePointer<Float>
  /// How far the mix is open, in steps: `hushFrames` is all of it, 0 is silence.
  private var open = Riser.hushFrames
  private var isHushed = false
  /// The frame of the coming block on which `isHushed` changed last.
  private var hushedAt = 0

  private static let steps = 256
  /// From 20 Hz up to 640 Hz, evenly.
  private static let octaves = 5.0
  private static var semitones: Float { @_noLocks get { 2 } }
  /// 5 ms.
  private static var hushFrames: Int32 { @_noLocks get { 240 } }
  private static var damping: Float { @_noLocks get { 1.2 } }

  /// Whether the mix is not silenced in front of the drop, and no fade of that is on its way.
  var isOpen: Bool { @_noLocks get { !isHushed && open == Riser.hushFrames } }

  /// Whether a build-up changes the mix, or has silenced it.
  var isUp: Bool { @_noLocks get { amount.now > 0 || amount.isMoving || !isOpen } }

  /// The height from which the last build-up dropped, 0…1; 0 where it was called off.
  private(set) var drop: Float = 0

  init() {
    table = .allocate(capacity: Riser.steps + 2)
    for i in 0..<Riser.steps + 2 {
      let hertz = 20 * Decibels.powerOfTwo(Riser.octaves * Double(i) / Double(Riser.steps))
      let turns = hertz / Double(Frames.perSecond) / 2
      (table + i).initialize(to: Float(Polynomial.sine(turns: turns) / Polynomial.sine(turns: turns + 0.25)))
    }
  }

  deinit { table.deallocate() }

  /// - Parameter frames: at least 5 ms, so that no step is heard.
  @_noLocks mutating func go(to value: Float, frames: Int) {
    // A drop lets go within the shortest time, a build-up that is called off within a longer one.
    drop = value > 0 || frames > Fade.gain ? 0 : Swift.max(drop, amount.now)
    amount.go(to: value > 0 ? Swift.min(value, 1) : 0, frames: Swift.max(Fade.gain, frames))
  }

  /// Fades the mix out, or back in, from `offset` in the coming block on.
  @_noLocks mutating func hush(_ isHushed: Bool, at offset: Int) {
    guard isHushed != self.isHushed else { return }
    // A silence without a rise has no height to drop from.
    if isHushed, amount.now == 0, !amount.isMoving { drop = 0 }
    self.isHushed = isHushed
    hushedAt = offset
  }

  /// Advances by one block, whether anything sounds or not: call it once for each block, before
  /// `process`.
  @_noLocks mutating func advance(_ frames: Int) {
    isTuned = amount.isMoving
    guard isTuned else {
      first = amount.now
      step = 0
      return
    }
    first = amount.now
    step = amount.advance(frames)
    ratio = Decibels.ratio(semitones: amount.now * Riser.semitones)
  }

  /// Replaces `process` while nothing sounds.
  @_noLocks mutating func rest() { open = isHushed ? 0 : Riser.hushFrames }

  /// - Parameter frames: of one block.
  @_noLocks mutating func process(
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    var state = self.state
    var open = self.open
    process(left: left, right: right, frames: frames, &state, open: &open)
    self.state = state
    self.open = open
    hushedAt = 0
  }

  /// Processes a part of the coming block's mix, before `process` does.
  @_noLocks func preview(
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int, _ state: inout FilterState
  ) {
    var open = self.open
    process(left: left, right: right, frames: frames, &state, open: &open)
  }

  @_noLocks @inline(__always) private func process(
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int, _ state: inout FilterState,
    open: inout Int32
  ) {
    if first > 0 || step != 0 {
      filter(left: left, right: right, frames: frames, &state)
    } else {
      state = FilterState()
    }
    if isHushed || open < Riser.hushFrames { shut(left: left, right: right, frames: frames, open: &open) }
  }

  @_noLocks private func filter(
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int, _ state: inout FilterState
  ) {
    var x = first
    var i = 0
    while i < frames {
      let g = g(x)
      let input = SIMD2(left[i], right[i])
      let high = (input - state.low - (g + Riser.damping) * state.band) / (1 + g * (g + Riser.damping))
      let newBand = g * high + state.band
      let newLow = g * newBand + state.low
      state.low = g * newBand + newLow
      state.band = g * high + newBand
      // The filter fades in over the first part of the way, so that 0 leaves the mix untouched.
      let output = input + (high - input) * Swift.min(1, x * 20)
      left[i] = output.x
      right[i] = output.y
      x += step
      i &+= 1
    }
  }

  @_noLocks private func shut(
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int, open: inout Int32
  ) {
    var i = 0
    while i < frames {
      // In whole steps, so that the mix is exactly silent, and exactly itself again.
      let gain = Float(open) * (1 / 240)
      left[i] *= open == Riser.hushFrames ? 1 : gain
      right[i] *= open == Riser.hushFrames ? 1 : gain
      if isHushed == (i >= hushedAt) {
        if open > 0 { open &-= 1 }
      } else if open < Riser.hushFrames {
        open &+= 1
      }
      i &+= 1
    }
  }

  @_noLocks @inline(__always) private func g(_ amount: Float) -> Float {
    let place = (amount > 0 ? Swift.min(amount, 1) : 0) * Float(Riser.steps)
    let index = Int(place)
    return table[index] + (table[index + 1] - table[index]) * (place - Float(index))
  }
}
