internal import JamCore

/// Sixteen delay lines that feed each other through an orthogonal matrix. A filter in each line
/// makes all frequencies of a band die away together, in the time that is set.
///
/// Real-time safe except for `init` and `deinit`.
/// - Source: J.-M. Jot, A. Chaigne, "Digital delay networks for designing artificial
///   reverberators", AES 90 (1991).
struct ReverbTank: ~Copyable {
  typealias Two = SIMD2<Float>
  typealias Four = SIMD4<Float>

  /// Frames of each line.
  static var capacity: Int { @_noLocks @inline(__always) get { 8_192 } }
  private static var fade: Int32 { @_noLocks get { 4_800 } }
  /// The lower end of the damped treble, in Hz.
  private static var corner: Float { @_noLocks get { 4_000 } }

  /// One value for each of the sixteen lines, in fours.
  struct Lines: BitwiseCopyable {
    var a, b, c, d: Four

    @_noLocks @inline(__always) init(_ value: Float) {
      a = Four(repeating: value)
      b = a
      c = a
      d = a
    }

    @_noLocks subscript(_ line: Int) -> Float {
      get { line < 4 ? a[line] : line < 8 ? b[line - 4] : line < 12 ? c[line - 8] : d[line - 12] }
      set {
        if line < 4 {
          a[line] = newValue
        } else if line < 8 {
          b[line - 4] = newValue
        } else if line < 12 {
          c[line - 8] = newValue
        } else {
          d[line - 12] = newValue
        }
      }
    }
  }

  /// The gains of each line: `direct` for its whole signal, `low` for the low-passed part of its
  /// signal.
  private struct Gains: BitwiseCopyable {
    var direct = Lines(0)
    var low = Lines(0)
  }

  private let memory: EffectMemory
  /// The current lengths, and the next ones, which take over while `fadeLeft` is above 0.
  private let lengths: UnsafeMutablePointer<Int>
  private let nextLengths: UnsafeMutablePointer<Int>
  private let wantedLengths: UnsafeMutablePointer<Int>
  private var fadeLeft: Int32 = 0
  private var isTurning = false
  private var gains = Gains()
  private var middle = Gains()
  private var target = Gains()
  /// Frames until the gains have arrived. They glide through two one-pole filters, as in
  /// `GlidingShape`.
  private var glide: Int32 = 0
  private var low = Lines(0)
  private let open: Float
  private var place = 0

  /// The length of a line in frames, at the largest size: primes, evenly spread by ratio.
  @_noLocks private static func longest(_ line: Int) -> Int {
    switch line {
    case 0: 1_103
    case 1: 1_249
    case 2: 1_423
    case 3: 1_607
    case 4: 1_823
    case 5: 2_069
    case 6: 2_347
    case 7: 2_663
    case 8: 3_019
    case 9: 3_433
    case 10: 3_889
    case 11: 4_409
    case 12: 5_003
    case 13: 5_683
    case 14: 6_449
    default: 7_307
    }
  }

  init() {
    memory = EffectMemory(floats: 16 * ReverbTank.capacity)
    lengths = .allocate(capacity: 16)
    nextLengths = .allocate(capacity: 16)
    wantedLengths = .allocate(capacity: 16)
    for line in 0..<16 {
      (lengths + line).initialize(to: ReverbTank.longest(line))
      (nextLengths + line).initialize(to: ReverbTank.longest(line))
      (wantedLengths + line).initialize(to: ReverbTank.longest(line))
    }
    open = EffectMath.onePole(hertz: ReverbTank.corner)
  }

  deinit {
    lengths.deallocate()
    nextLengths.deallocate()
    wantedLengths.deallocate()
  }

  /// - Parameters:
  ///   - size: 0 … 1: the lines become 0.4 to 1 times as long as they can be.
  ///   - decay: seconds until the sound below the treble has fallen by 60 dB.
  ///   - damping: 0 … 1: the decay of the treble, from the same time down to a tenth of it.
  @_noLocks mutating func set(size: Float, decay: Float, damping: Float) {
    let scale = 0.4 + 0.6 * EffectMath.bounded(size, 0, 1)
    let seconds = EffectMath.bounded(decay, 0.1, 30)
    let treble = seconds * Float(Decibels.powerOfTwo(-3.321_928 * Double(EffectMath.bounded(damping, 0, 1))))
    isTurning = false
    var line = 0
    while line < 16 {
      // Odd lengths share fewer resonances.
      let length = Int(Float(ReverbTank.longest(line)) * scale) | 1
      wantedLengths[line] = length
      if length != lengths[line] { isTurning = true }
      let whole = ReverbTank.gain(after: length, decay: seconds)
      let high = ReverbTank.gain(after: length, decay: treble)
      target.direct[line] = high
      target.low[line] = whole - high
      line += 1
    }
    glide = 2_880
  }

  /// The share of the sound that is left after so many frames.
  @_noLocks private static func gain(after frames: Int, decay seconds: Float) -> Float {
    let octaves = -9.965_784_284_662_087 * Double(frames) / (Double(seconds) * Double(Frames.perSecond))
    return Float(Decibels.powerOfTwo(octaves))
  }

  /// Ends all glides at once. For a tank in which nothing sounds.
  @_noLocks mutating func arrive() {
    gains = target
    middle = target
    glide = 0
    fadeLeft = 0
    isTurning = false
    var line = 0
    while line < 16 {
      lengths[line] = wantedLengths[line]
      line += 1
    }
  }

  /// Fills all lines with zeros.
  @_noLocks mutating func reset() {
    var i = 0
    while i < 16 * ReverbTank.capacity {
      VoiceKernels.store(Four(), to: memory.floats + i)
      i &+= 4
    }
    low = Lines(0)
    place = 0
  }

  /// Processes in place: the input goes into the lines, and their output comes out.
  /// - Returns: the largest value that was written.
  @_noLocks mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) -> Float {
    var (low, gains, peak) = (self.low, self.gains, Four())
    var i = 0
    while i < frames {
      if fadeLeft == 0, isTurning { turn() }
      var n = 0
      while n < 4 {
        if glide > 0 { approach(&gains) }
        let output = advance(Two(left[i + n], right[i + n]), &low, gains, &peak)
        left[i + n] = output.x
        right[i + n] = output.y
        n &+= 1
      }
      low.a = EffectMath.flushed(low.a)
      low.b = EffectMath.flushed(low.b)
      low.c = EffectMath.flushed(low.c)
      low.d = EffectMath.flushed(low.d)
      i &+= 4
    }
    (self.low, self.gains) = (low, gains)
    return Signal.largest(peak)
  }

  /// Starts the fade to the wanted lengths.
  @_noLocks private mutating func turn() {
    var line = 0
    while line < 16 {
      nextLengths[line] = wantedLengths[line]
      line += 1
    }
    isTurning = false
    fadeLeft = ReverbTank.fade
  }

  @_noLocks private mutating func finishTurn() {
    var line = 0
    while line < 16 {
      lengths[line] = nextLengths[line]
      if lengths[line] != wantedLengths[line] { isTurning = true }
      line += 1
    }
  }

  @_noLocks private mutating func approach(_ gains: inout Gains) {
    glide -= 1
    guard glide > 0 else {
      gains = target
      middle = target
      return
    }
    let rate: Float = 1 / 168
    ReverbTank.approach(&middle.direct, target.direct, rate)
    ReverbTank.approach(&middle.low, target.low, rate)
    ReverbTank.approach(&gains.direct, middle.direct, rate)
    ReverbTank.approach(&gains.low, middle.low, rate)
  }

  @_noLocks @inline(__always) private static func approach(_ lines: inout Lines, _ target: Lines, _ rate: Float) {
    lines.a += (target.a - lines.a) * rate
    lines.b += (target.b - lines.b) * rate
    lines.c += (target.c - lines.c) * rate
    lines.d += (target.d - lines.d) * rate
  }

  /// Advances by one frame.
  @_noLocks @inline(__always) private mutating func advance(
    _ input: Two, _ low: inout Lines, _ gains: Gains, _ peak: inout Four
  ) -> Two {
    var x = read(lengths)
    if fadeLeft > 0 {
      let rest = Curve.rest(fadeLeft, of: ReverbTank.fade)
      let next = read(nextLengths)
      x.a = next.a + (x.a - next.a) * rest
      x.b = next.b + (x.b - next.b) * rest
      x.c = next.c + (x.c - next.c) * rest
      x.d = next.d + (x.d - next.d) * rest
      fadeLeft -= 1
      if fadeLeft == 0 { finishTurn() }
    }
    low.a += (x.a - low.a) * open
    low.b += (x.b - low.b) * open
    low.c += (x.c - low.c) * open
    low.d += (x.d - low.d) * open
    let a = x.a * gains.direct.a + low.a * gains.low.a
    let b = x.b * gains.direct.b + low.b * gains.low.b
    let c = x.c * gains.direct.c + low.c * gains.low.c
    let d = x.d * gains.direct.d + low.d * gains.low.d
    write(a, b, c, d, input, &peak)
    // Left and right are sums of all lines with orthogonal signs, so the two sides are not
    // correlated.
    let sum = (a + c) * Four(1, -1, 1, -1) + (b + d) * Four(1, 1, -1, -1)
    let difference = (a - c) * Four(1, 1, -1, -1) + (b - d) * Four(-1, 1, 1, -1)
    return Two((sum.x + sum.y) + (sum.z + sum.w), (difference.x + difference.y) + (difference.z + difference.w))
  }

  /// Writes through the matrix (Hadamard's, 16 × 16) back into the lines.
  @_noLocks @inline(__always) private mutating func write(
    _ a: Four, _ b: Four, _ c: Four, _ d: Four, _ input: Two, _ peak: inout Four
  ) {
    let (e, f, g, h) = ReverbTank.mixed(a, b, c, d)
    let (p, q, r, s) = ReverbTank.mixed(
      Four(e.x, f.x, g.x, h.x), Four(e.y, f.y, g.y, h.y), Four(e.z, f.z, g.z, h.z), Four(e.w, f.w, g.w, h.w))
    let (l, r2) = (input.x, input.y)
    let target = memory.floats + 16 * place
    keep(p * 0.25 + Four(l, r2, -l, r2), target, &peak)
    keep(q * 0.25 + Four(-l, r2, l, r2), target + 4, &peak)
    keep(r * 0.25 + Four(l, -r2, l, r2), target + 8, &peak)
    keep(s * 0.25 + Four(l, r2, l, -r2), target + 12, &peak)
    place = (place &+ 1) & (ReverbTank.capacity - 1)
  }

  @_noLocks @inline(__always) private static func mixed(
    _ a: Four, _ b: Four, _ c: Four, _ d: Four
  ) -> (Four, Four, Four, Four) {
    let (e, f, g, h) = (a + b, a - b, c + d, c - d)
    return (e + g, f + h, e - g, f - h)
  }

  @_noLocks @inline(__always) private func keep(_ x: Four, _ target: UnsafeMutablePointer<Float>, _ peak: inout Four) {
    let x = EffectMath.flushed(x)
    peak = Signal.larger(peak, Signal.magnitude(x))
    VoiceKernels.store(x, to: target)
  }

  @_noLocks @inline(__always) private func read(_ lengths: UnsafeMutablePointer<Int>) -> Lines {
    var x = Lines(0)
    x.a = Four(read(0, lengths), read(1, lengths), read(2, lengths), read(3, lengths))
    x.b = Four(read(4, lengths), read(5, lengths), read(6, lengths), read(7, lengths))
    x.c = Four(read(8, lengths), read(9, lengths), read(10, lengths), read(11, lengths))
    x.d = Four(read(12, lengths), read(13, lengths), read(14, lengths), read(15, lengths))
    return x
  }

  @_noLocks @inline(__always) private func read(_ line: Int, _ lengths: UnsafeMutablePointer<Int>) -> Float {
    memory.floats[16 &* ((place &- lengths[line]) & (ReverbTank.capacity - 1)) &+ line]
  }
}
