internal import JamCore

/// A state variable filter for four channels at once, one in each lane, so that its feedback's delay is paid once for four.
///
/// A lane's bits do not depend on the others'. It is stable however its cutoff moves. Real-time safe.
/// - Source: V. Zavalishin, "The Art of VA Filter Design", 4 (trapezoidal state variable filter).
struct SynthFilter {
  typealias Four = SIMD4<Float>

  /// How much of each output is heard.
  struct Weights: BitwiseCopyable, Equatable {
    var dry: Float = 0
    var low: Float = 0
    var band: Float = 0
    var high: Float = 0

    @_noLocks init(_ filter: PatchFilter) {
      switch filter {
      case .low: low = 1
      case .band: band = 1
      case .high: high = 1
      case .off: dry = 1
      }
    }

    /// Goes on by one block.
    @_noLocks mutating func approach(_ target: Weights) {
      guard self != target else { return }
      dry = SynthFilter.approach(dry, target.dry)
      low = SynthFilter.approach(low, target.low)
      band = SynthFilter.approach(band, target.band)
      high = SynthFilter.approach(high, target.high)
    }
  }

  /// Goes on by one block towards a new number: most of the way in 5 ms.
  @_noLocks static func approach(_ now: Float, _ target: Float) -> Float {
    let way = target - now
    return way < 1e-4 && way > -1e-4 ? target : now + way * 0.4
  }

  /// What the outputs are multiplied by, of the input, the band pass and the low pass.
  struct Outputs: BitwiseCopyable {
    var input: Float
    var band: Float
    var low: Float

    @_noLocks init(_ weights: Weights, damping: Float) {
      input = weights.dry + weights.high
      band = (weights.band - weights.high) * damping
      low = weights.low - weights.high
    }
  }

  /// One lane's: where it is and where it goes in the block.
  struct Lane: BitwiseCopyable {
    var band: Float = 0
    var low: Float = 0
    var damping: Float = 2
    var dampingEnd: Float = 2
    var outputs = Outputs(Weights(.off), damping: 2)
    var outputsEnd = Outputs(Weights(.off), damping: 2)

    @_noLocks init() {}
  }

  private var band = Four()
  private var low = Four()
  private var damping = Four()
  private var dampingStep = Four()
  private var input = Four()
  private var inputStep = Four()
  private var bandOut = Four()
  private var bandStep = Four()
  private var lowOut = Four()
  private var lowStep = Four()

  @_noLocks private init(_ lanes: UnsafePointer<Lane>, count: Int) {
    let part = 1 / Float(count)
    var i = 0
    while i < 4 {
      let lane = lanes[i]
      band[i] = lane.band
      low[i] = lane.low
      damping[i] = lane.damping
      dampingStep[i] = (lane.dampingEnd - lane.damping) * part
      input[i] = lane.outputs.input
      inputStep[i] = (lane.outputsEnd.input - lane.outputs.input) * part
      bandOut[i] = lane.outputs.band
      bandStep[i] = (lane.outputsEnd.band - lane.outputs.band) * part
      lowOut[i] = lane.outputs.low
      lowStep[i] = (lane.outputsEnd.low - lane.outputs.low) * part
      i &+= 1
    }
  }

  @_noLocks private func write(_ lanes: UnsafeMutablePointer<Lane>) {
    var i = 0
    while i < 4 {
      lanes[i].band = band[i]
      lanes[i].low = low[i]
      i &+= 1
    }
  }

  /// Filters a block of four channels where they lie.
  /// - Parameters:
  ///   - channels: four of `SynthFilter.stride` frames, one behind the other.
  ///   - cutoffs: the same of each frame's g.
  ///   - count: a multiple of 4.
  @_noLocks static func process(
    _ lanes: UnsafeMutablePointer<Lane>, channels: UnsafeMutablePointer<Float>, cutoffs: UnsafePointer<Float>, count: Int
  ) {
    var filter = SynthFilter(lanes, count: count)
    var i = 0
    while i < count {
      filter.four(channels + i, cutoffs + i)
      i &+= 4
      if i & 31 == 0 { filter.flush() }
    }
    filter.flush()
    filter.write(lanes)
  }

  /// Two times four: the one's delay is the other's work.
  @_noLocks static func processTwo(
    _ lanes: UnsafeMutablePointer<Lane>, channels: UnsafeMutablePointer<Float>, cutoffs: UnsafePointer<Float>, count: Int
  ) {
    var a = SynthFilter(lanes, count: count)
    var b = SynthFilter(lanes + 4, count: count)
    var i = 0
    while i < count {
      a.four(channels + i, cutoffs + i)
      b.four(channels + (4 * stride &+ i), cutoffs + (4 * stride &+ i))
      i &+= 4
      if i & 31 == 0 {
        a.flush()
        b.flush()
      }
    }
    a.flush()
    b.flush()
    a.write(lanes)
    b.write(lanes + 4)
  }

  /// Frames between the beginnings of two channels: a block, and what oscillators write behind it.
  static var stride: Int { @_noLocks @inline(__always) get { 128 } }

  /// Four frames of all lanes.
  @_noLocks @inline(__always)
  private mutating func four(_ channel: UnsafeMutablePointer<Float>, _ cutoff: UnsafePointer<Float>) {
    let stride = SynthFilter.stride
    let x = SynthFilter.turned(
      VoiceKernels.load(channel), VoiceKernels.load(channel + stride), VoiceKernels.load(channel + 2 * stride),
      VoiceKernels.load(channel + 3 * stride))
    let g = SynthFilter.turned(
      VoiceKernels.load(cutoff), VoiceKernels.load(cutoff + stride), VoiceKernels.load(cutoff + 2 * stride),
      VoiceKernels.load(cutoff + 3 * stride))
    let y = SynthFilter.turned(one(x.0, g.0), one(x.1, g.1), one(x.2, g.2), one(x.3, g.3))
    VoiceKernels.store(y.0, to: channel)
    VoiceKernels.store(y.1, to: channel + stride)
    VoiceKernels.store(y.2, to: channel + 2 * stride)
    VoiceKernels.store(y.3, to: channel + 3 * stride)
  }

  /// One frame of all lanes.
  @_noLocks @inline(__always) private mutating func one(_ x: Four, _ g: Four) -> Four {
    let scale = Four(repeating: 1) / (Four(repeating: 1) + g * (g + damping))
    let newBand = scale * band + (scale * g) * (x - low)
    let rise = g * newBand
    let newLow = low + rise
    let y = input * x + (bandOut * newBand + lowOut * newLow)
    band = (newBand + newBand) - band
    low = newLow + rise
    damping += dampingStep
    input += inputStep
    bandOut += bandStep
    lowOut += lowStep
    return y
  }

  /// What rings out ends by a comparison, 300 dB down: when a processor flushes it differs by its kind.
  @_noLocks @inline(__always) private mutating func flush() {
    let size = Signal.magnitude(band) + Signal.magnitude(low)
    let isNothing = size .< Four(repeating: 1e-15)
    band.replace(with: Four(), where: isNothing)
    low.replace(with: Four(), where: isNothing)
  }

  @_noLocks @inline(__always) private static func turned(
    _ a: Four, _ b: Four, _ c: Four, _ d: Four
  ) -> (Four, Four, Four, Four) {
    let abLow = Four(a.x, b.x, a.y, b.y)
    let abHigh = Four(a.z, b.z, a.w, b.w)
    let cdLow = Four(c.x, d.x, c.y, d.y)
    let cdHigh = Four(c.z, d.z, c.w, d.w)
    return (
      Four(abLow.x, abLow.y, cdLow.x, cdLow.y), Four(abLow.z, abLow.w, cdLow.z, cdLow.w),
      Four(abHigh.x, abHigh.y, cdHigh.x, cdHigh.y), Four(abHigh.z, abHigh.w, cdHigh.z, cdHigh.w)
    )
  }
}
