internal import JamCore

/// One period of a wave without partials that are too high for its pitch, followed by its first
/// frame once more.
///
/// Real-time safe.
struct Wavetable: BitwiseCopyable {
  let values: UnsafePointer<Float>
  /// It has 2 to the power of this many frames: 10…13.
  let bits: Int32
}

/// The waves of all oscillators, each for every pitch. Made once, and shared by every room.
/// Real-time safe except for `shared`.
///
/// There are four tables an octave. The partials of each reach to 26 kHz at its highest pitch:
/// partials above 24 kHz fold to 22 kHz and higher. At its lowest pitch they reach to 20.8 kHz, so
/// that nothing audible appears or vanishes from one table to the next.
/// Linear interpolation between two frames adds images. The image of a saw's partial h in a table
/// of n frames has h ÷ n² of the fundamental. The tables are so long that the images stay 98 dB
/// below, and 80 dB below the fundamental of the thinnest pulse.
struct Wavetables: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the memory is never written after it is made, and never freed.
  private let saws: UnsafePointer<Wavetable>
  private let triangles: UnsafePointer<Wavetable>
  let sine: Wavetable
  /// The state variable filter's g = tan(π · cutoff ÷ 48,000), over octaves above 10 Hz in even
  /// steps.
  private let cutoffs: UnsafePointer<Float>

  static let shared = Wavetables()

  /// Steps of `cutoffs` in each octave, and the number of octaves: up to 20.48 kHz.
  static var cutoffSteps: Float { @_noLocks @inline(__always) get { 32 } }
  static var cutoffOctaves: Float { @_noLocks @inline(__always) get { 11 } }

  /// The lowest table's increments of a 32-bit phase begin at 2¹⁹: 5.9 Hz. Twelve octaves follow.
  private static var lowestExponent: Int32 { @_noLocks @inline(__always) get { 19 } }
  private static var count: Int32 { @_noLocks @inline(__always) get { 48 } }
  private static var highestPartial: Double { 26_000 }

  private init() {
    let bits = 13
    let frames = 1 << bits
    let turn = (0..<frames).map { Polynomial.sine(turns: Double($0) / Double(frames)) }
    saws = Wavetables.tables(turn) { partials in
      (Swift.min(partials, 800), partials <= 50 ? 11 : partials <= 200 ? 12 : 13)
    } amplitude: { n in
      2 / Double.pi / Double(n)
    }
    triangles = Wavetables.tables(turn) { partials in
      (Swift.min(partials, 255), 10)
    } amplitude: { n in
      n % 2 == 0 ? 0 : (n % 4 == 1 ? 8 : -8) / (Double.pi * Double.pi * Double(n) * Double(n))
    }
    sine = Wavetable(values: Wavetables.memory(turn, bits: 11), bits: 11)

    let steps = Int(exactly: Wavetables.cutoffSteps * Wavetables.cutoffOctaves)! + 2
    let cutoffs = UnsafeMutablePointer<Float>.allocate(capacity: steps)
    for i in 0..<steps {
      let hertz = 10 * Decibels.powerOfTwo(Double(i) / Double(Wavetables.cutoffSteps))
      let turns = hertz / Double(Frames.perSecond) / 2
      (cutoffs + i).initialize(to: Float(Polynomial.sine(turns: turns) / Polynomial.sine(turns: turns + 0.25)))
    }
    self.cutoffs = UnsafePointer(cutoffs)
  }

  /// The table of a wave for a phase that moves by `increment` of 2³² a frame.
  @_noLocks @inline(__always) func table(_ shape: PatchShape, increment: UInt32) -> Wavetable {
    switch shape {
    case .sine: sine
    case .triangle: triangles[Wavetables.index(increment)]
    case .saw, .pulse: saws[Wavetables.index(increment)]
    }
  }

  /// The index of the table among those of its wave.
  @_noLocks @inline(__always) static func index(_ increment: UInt32) -> Int {
    // A Float's exponent and its two first bits: quarters of an octave, evenly in Hz.
    let place = Int32(bitPattern: Float(increment).bitPattern &>> 21) &- (127 &+ lowestExponent) &* 4
    return Int(place < 0 ? 0 : place >= count ? count &- 1 : place)
  }

  /// - Parameter octaves: above 10 Hz.
  @_noLocks @inline(__always) func cutoff(_ octaves: Float) -> Float {
    let place = SynthMath.bounded(octaves, 0.5, Wavetables.cutoffOctaves - 0.04) * Wavetables.cutoffSteps
    // Finite: as bounded.
    let index = Int(place)
    let low = cutoffs[index]
    return low + (cutoffs[index &+ 1] - low) * (place - Float(index))
  }

  private static func tables(
    _ turn: [Double], size: (Int) -> (partials: Int, bits: Int), amplitude: (Int) -> Double
  ) -> UnsafePointer<Wavetable> {
    let tables = UnsafeMutablePointer<Wavetable>.allocate(capacity: Int(count))
    let mask = turn.count - 1
    var wave = [Double](repeating: 0, count: turn.count)
    var done = 0
    var latest: (partials: Int, table: Wavetable)?
    // From the highest pitch down: each table has the partials of the one before, and more.
    for place in (0..<Int(count)).reversed() {
      let quarter = Double(place % 4 + 1) / 4 + 1
      let top = quarter * Decibels.powerOfTwo(Double(place / 4 + Int(lowestExponent) - 32)) * 48_000
      let (partials, bits) = size(Swift.max(1, Int(saturating: highestPartial / top)))
      while done < partials {
        done += 1
        let level = amplitude(done)
        if level != 0 { for i in wave.indices { wave[i] += level * turn[(i * done) & mask] } }
      }
      if latest?.partials != partials {
        latest = (partials, Wavetable(values: memory(wave, bits: bits), bits: Int32(bits)))
      }
      if let latest { (tables + place).initialize(to: latest.table) }
    }
    return UnsafePointer(tables)
  }

  private static func memory(_ wave: [Double], bits: Int) -> UnsafePointer<Float> {
    let frames = 1 << bits
    let raw = UnsafeMutableRawPointer.allocate(byteCount: (frames + 1) * MemoryLayout<Float>.stride, alignment: 64)
    let values = raw.bindMemory(to: Float.self, capacity: frames + 1)
    for i in 0...frames { values[i] = Float(wave[i * (wave.count / frames) % wave.count]) }
    return UnsafePointer(values)
  }
}
