internal import JamCore

/// A state variable filter for four channels at once, one in each lane. So the delay of its
/// feedback is paid once for four channels.
///
/// The bits of a lane do not depend on the other lanes. The filter is stable however its cutoff
/// moves. Real-time safe.
/// - Source: V. Zavalishin, "The Art of VA Filter Design", 4 (trapezoidal state variable filter).
struct SynthFilter {
  typealias Four = SIMD4<Float>

  /// The share of each output that is heard.
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

    @_noLocks static func == (a: Weights, b: Weights) -> Bool {
      a.dry == b.dry && a.low == b.low && a.band == b.band && a.high == b.high
    }
  }

  /// The weights and the damping on their way to new values. They begin and end softly, within some
  /// 20 ms.
  struct Setting: BitwiseCopyable {
    private(set) var weights: Weights
    private(set) var damping: Float
    private var middle: Weights
    private var middleDamping: Float

    @_noLocks init(_ weights: Weights, damping: Float) {
      self.weights = weights
      self.damping = damping
      middle = weights
      middleDamping = damping
    }

    /// Advances by one block.
    @_noLocks mutating func approach(_ target: Weights, damping end: Float) {
      if weights != target {
        middle = Setting.between(middle, target)
        weights = Setting.between(weights, middle)
        if Setting.isNear(weights, target) {
          weights = target
          middle = target
        }
      }
      guard damping != end else { return }
      middleDamping += (end - middleDamping) * 0.3
      damping += (middleDamping - damping) * 0.3
      if (end - damping) * (end - damping) < 1e-8 {
        damping = end
        middleDamping = end
      }
    }

    @_noLocks private static func between(_ a: Weights, _ b: Weights) -> Weights {
      var a = a
      a.dry += (b.dry - a.dry) * 0.3
      a.low += (b.low - a.low) * 0.3
      a.band += (b.band - a.band) * 0.3
      a.high += (b.high - a.high) * 0.3
      return a
    }

    @_noLocks private static func isNear(_ a: Weights, _ b: Weights) -> Bool {
      let (dry, low, band, high) = (a.dry - b.dry, a.low - b.low, a.band - b.band, a.high - b.high)
      return dry * dry + low * low + band * band + high * high < 1e-8
    }
  }

  /// The factors of the input, the band pass and the low pass in the output.
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

  /// The state of one lane, and its targets in the block.
  struct Lane: BitwiseCopyable {
    var band: Float = 0
    var low: Float = 0
    /// The coefficient g of all frames, where the cutoff is steady.
    var g: Float = 0
    var isSteady = true
    var damping: Float = 2
    var dampingEnd: Float = 2
    var outputs = Outputs(Weights(.off), damping: 2)
    var outputsEnd = Outputs(Weights(.off), damping: 2)

    @_noLocks init() {}

    /// An unused lane beside plain ones.
    static var plain: Lane {
      @_noLocks get {
        var lane = Lane()
        lane.outputs = Outputs(Weights(.low), damping: 2)
        lane.outputsEnd = lane.outputs
        return lane
      }
    }

    /// Whether only the low pass is heard, and the resonance does not move.
    var isPlain: Bool {
      @_noLocks get {
        outputs.input == 0 && outputs.band == 0 && outputs.low == 1 && outputsEnd.input == 0 && outputsEnd.band == 0
          && outputsEnd.low == 1 && damping == dampingEnd
      }
    }
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
  /// Used where the cutoff is steady.
  private var g = Four()
  private var scale = Four()

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
      g[i] = lane.g
      i &+= 1
    }
    scale = Four(repeating: 1) / (Four(repeating: 1) + g * (g + damping))
  }

  @_noLocks private func write(_ lanes: UnsafeMutablePointer<Lane>) {
    var i = 0
    while i < 4 {
      lanes[i].band = band[i]
      lanes[i].low = low[i]
      i &+= 1
    }
  }

  /// Filters a block of four channels in place, or of eight: then the processor works on one four
  /// while it waits for the other.
  /// - Parameters:
  ///   - channels: of `SynthFilter.stride` frames, one behind the other.
  ///   - cutoffs: each frame's g in the same layout; not read where all lanes are steady.
  ///   - count: a multiple of 4.
  @_noLocks static func process(
    _ lanes: UnsafeMutablePointer<Lane>, isWide: Bool, channels: UnsafeMutablePointer<Float>,
    cutoffs: UnsafeMutablePointer<Float>, count: Int
  ) {
    let laneCount = isWide ? 8 : 4
    var (isPlain, isSteady) = (true, true)
    var i = 0
    while i < laneCount {
      if !lanes[i].isPlain { isPlain = false }
      if !lanes[i].isSteady || lanes[i].damping != lanes[i].dampingEnd { isSteady = false }
      i &+= 1
    }
    if isSteady {
      // The result has the same bits as that of the general way.
      if isPlain {
        run(lanes, isWide, channels, cutoffs, count, isPlain: true, isSteady: true)
      } else {
        run(lanes, isWide, channels, cutoffs, count, isPlain: false, isSteady: true)
      }
      return
    }
    fill(lanes, laneCount, cutoffs, count)
    if isPlain {
      run(lanes, isWide, channels, cutoffs, count, isPlain: true, isSteady: false)
    } else {
      run(lanes, isWide, channels, cutoffs, count, isPlain: false, isSteady: false)
    }
  }

  /// Fills the cutoffs of the steady lanes, because other lanes are not steady.
  @_noLocks private static func fill(
    _ lanes: UnsafeMutablePointer<Lane>, _ laneCount: Int, _ cutoffs: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    var lane = 0
    while lane < laneCount {
      if lanes[lane].isSteady { fill(cutoffs + lane &* stride, lanes[lane].g, count: count) }
      lane &+= 1
    }
  }

  @_noLocks static func fill(_ target: UnsafeMutablePointer<Float>, _ value: Float, count: Int) {
    let four = Four(repeating: value)
    var i = 0
    while i < count {
      VoiceKernels.store(four, to: target + i)
      i &+= 4
    }
  }

  @_noLocks @inline(__always) private static func run(
    _ lanes: UnsafeMutablePointer<Lane>, _ isWide: Bool, _ channels: UnsafeMutablePointer<Float>,
    _ cutoffs: UnsafeMutablePointer<Float>, _ count: Int, isPlain: Bool, isSteady: Bool
  ) {
    var a = SynthFilter(lanes, count: count)
    var i = 0
    guard isWide else {
      while i < count {
        a.four(channels + i, cutoffs + i, isPlain, isSteady)
        i &+= 4
        if i & 31 == 0 { a.flush() }
      }
      a.flush()
      a.write(lanes)
      return
    }
    var b = SynthFilter(lanes + 4, count: count)
    while i < count {
      a.four(channels + i, cutoffs + i, isPlain, isSteady)
      b.four(channels + (4 * stride &+ i), cutoffs + (4 * stride &+ i), isPlain, isSteady)
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

  /// Frames between the beginnings of two channels: a block, and the frames that oscillators write
  /// behind it.
  static var stride: Int { @_noLocks @inline(__always) get { 128 } }

  /// Filters four frames of all lanes.
  @_noLocks @inline(__always) private mutating func four(
    _ channel: UnsafeMutablePointer<Float>, _ cutoff: UnsafeMutablePointer<Float>, _ isPlain: Bool, _ isSteady: Bool
  ) {
    let stride = SynthFilter.stride
    let x = SynthFilter.turned(
      VoiceKernels.load(channel), VoiceKernels.load(channel + stride), VoiceKernels.load(channel + 2 * stride),
      VoiceKernels.load(channel + 3 * stride))
    let y: (Four, Four, Four, Four)
    if isSteady {
      let slope = scale * g
      y = SynthFilter.turned(
        one(x.0, g, scale, slope, isPlain), one(x.1, g, scale, slope, isPlain), one(x.2, g, scale, slope, isPlain),
        one(x.3, g, scale, slope, isPlain))
    } else {
      let g = SynthFilter.turned(
        VoiceKernels.load(cutoff), VoiceKernels.load(cutoff + stride), VoiceKernels.load(cutoff + 2 * stride),
        VoiceKernels.load(cutoff + 3 * stride))
      y = SynthFilter.turned(
        one(x.0, g.0, isPlain), one(x.1, g.1, isPlain), one(x.2, g.2, isPlain), one(x.3, g.3, isPlain))
    }
    VoiceKernels.store(y.0, to: channel)
    VoiceKernels.store(y.1, to: channel + stride)
    VoiceKernels.store(y.2, to: channel + 2 * stride)
    VoiceKernels.store(y.3, to: channel + 3 * stride)
  }

  /// Filters one frame of all lanes, at its own cutoff.
  @_noLocks @inline(__always) private mutating func one(_ x: Four, _ g: Four, _ isPlain: Bool) -> Four {
    let scale = Four(repeating: 1) / (Four(repeating: 1) + g * (g + damping))
    return one(x, g, scale, scale * g, isPlain)
  }

  @_noLocks @inline(__always) private mutating func one(
    _ x: Four, _ g: Four, _ scale: Four, _ slope: Four, _ isPlain: Bool
  ) -> Four {
    let newBand = scale * band + slope * (x - low)
    let rise = g * newBand
    let newLow = low + rise
    band = (newBand + newBand) - band
    low = newLow + rise
    if isPlain { return newLow }
    let y = input * x + (bandOut * newBand + lowOut * newLow)
    damping += dampingStep
    input += inputStep
    bandOut += bandStep
    lowOut += lowStep
    return y
  }

  /// Sets a state that has rung out, 300 dB down, to zero. The comparison gives the same bits
  /// everywhere; processors differ in when they flush such values.
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
