internal import JamCore

/// A compressor that measures its input and turns down both channels alike, with a soft knee.
///
/// It computes in octaves of amplitude (6.02 dB). The needed reduction rises at once and falls with
/// the release. The applied reduction follows it with the attack.
/// Real-time safe.
/// - Source: D. Giannoulis, M. Massberg, J. Reiss, "Digital dynamic range compressor design", JAES
///   60 (2012), 6 (smooth, decoupled).
struct Compressor: BitwiseCopyable {
  typealias Four = SIMD4<Float>

  /// The coefficients: threshold, 1 − 1 / ratio, knee, make-up.
  private var shape = GlidingShape(SIMD8(-3, 0, 0.01, 0, 0, 0, 0, 0))
  private var attack: Float = 0.01
  private var release: Float = 0.001
  private var detector = LevelDetector.peak
  /// The mean power.
  private var power: Float = 0
  private var needed: Float = 0
  /// The present reduction, in octaves.
  private var reduction: Float = 0

  @_noLocks init() {}

  private static var octavesPerDecibel: Float { @_noLocks @inline(__always) get { 0.166_096_4 } }

  /// Whether the compressor changes no bit.
  var isOff: Bool {
    @_noLocks get { !shape.isMoving && shape.now[1] == 0 && shape.now[3] == 0 && needed == 0 && reduction == 0 }
  }

  /// The present reduction in dB, without the make-up.
  var decibels: Float { @_noLocks get { reduction / Compressor.octavesPerDecibel } }

  /// - Parameters:
  ///   - threshold: dBFS.
  ///   - attack: ms.
  ///   - release: ms.
  ///   - knee: dB.
  ///   - makeUp: dB.
  @_noLocks mutating func set(
    threshold: Float, ratio: Float, attack: Float, release: Float, knee: Float, makeUp: Float, detector: LevelDetector
  ) {
    let unit = Compressor.octavesPerDecibel
    let next = SIMD8<Float>(
      EffectMath.bounded(threshold, -80, 0) * unit, 1 - 1 / EffectMath.bounded(ratio, 1, 100),
      EffectMath.bounded(knee, 0.06, 40) * unit, EffectMath.bounded(makeUp, 0, 100) * unit, 0, 0, 0, 0)
    if isOff {
      shape.go(from: SIMD8(next[0], 0, next[2], 0, 0, 0, 0, 0), to: next)
    } else {
      shape.go(to: next)
    }
    self.attack = EffectMath.onePole(milliseconds: attack)
    self.release = EffectMath.onePole(milliseconds: release)
    self.detector = detector
  }

  @_noLocks mutating func arrive() { shape.arrive() }

  @_noLocks mutating func reset() {
    power = 0
    needed = 0
    reduction = 0
  }

  /// Processes the block in place.
  /// - Parameters:
  ///   - frames: a multiple of 4.
  ///   - gains: gets the gain of each frame; nil where nobody wants it.
  @_noLocks mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int,
    gains: UnsafeMutablePointer<Float>? = nil
  ) {
    var i = 0
    while i < frames {
      let (l, r) = (VoiceKernels.load(left + i), VoiceKernels.load(right + i))
      var loudest = Signal.larger(l * l, r * r)
      if detector == .rms { loudest = mean(loudest) }
      let now = shape.now
      let step = shape.isMoving ? shape.advance() : SIMD8()
      let (threshold, slope) = (line(now, step, 0), line(now, step, 1))
      let (knee, makeUp) = (line(now, step, 2), line(now, step, 3))
      // The octaves of the amplitude are half the octaves of the power.
      let level = 0.5 * EffectMath.log2(Signal.larger(loudest, Four(repeating: 1e-14)))
      let over = level - threshold + 0.5 * knee
      let bend = Signal.smaller(Signal.larger(over, Four()), knee)
      let asked = slope * (bend * bend / (2 * knee) + Signal.larger(over - knee, Four()))
      let gain = EffectMath.exp2(makeUp - follow(asked))
      VoiceKernels.store(l * gain, to: left + i)
      VoiceKernels.store(r * gain, to: right + i)
      if let gains { VoiceKernels.store(gain, to: gains + i) }
      i &+= 4
    }
  }

  /// A coefficient over four frames.
  @_noLocks @inline(__always) private func line(_ now: SIMD8<Float>, _ step: SIMD8<Float>, _ lane: Int) -> Four {
    Four(1, 2, 3, 4) * step[lane] + now[lane]
  }

  /// The mean over 10 ms.
  @_noLocks @inline(__always) private mutating func mean(_ x: Four) -> Four {
    var y = x
    let k: Float = 0.002_081_2
    power += (x.x - power) * k
    y.x = power
    power += (x.y - power) * k
    y.y = power
    power += (x.z - power) * k
    y.z = power
    power += (x.w - power) * k
    y.w = power
    if power < EffectMath.floor { power = 0 }
    return y
  }

  @_noLocks @inline(__always) private mutating func follow(_ asked: Four) -> Four {
    var (needed, reduction) = (self.needed, self.reduction)
    var y = Four()
    y.x = Compressor.step(asked.x, &needed, &reduction, attack, release)
    y.y = Compressor.step(asked.y, &needed, &reduction, attack, release)
    y.z = Compressor.step(asked.z, &needed, &reduction, attack, release)
    y.w = Compressor.step(asked.w, &needed, &reduction, attack, release)
    // Below 0.0001 dB the reduction becomes zero.
    self.needed = needed < 1.6e-5 ? 0 : needed
    self.reduction = reduction < 1.6e-5 ? 0 : reduction
    return y
  }

  @_noLocks @inline(__always) private static func step(
    _ asked: Float, _ needed: inout Float, _ reduction: inout Float, _ attack: Float, _ release: Float
  ) -> Float {
    let released = needed + (asked - needed) * release
    needed = asked > released ? asked : released
    reduction += (needed - reduction) * attack
    return reduction
  }
}
