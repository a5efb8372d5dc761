import JamCore

/// How loud a sound in memory is, 10 ms by 10 ms, as a power without a unit.
///
/// `Loudness` measures with libm, whose results differ between machines. This curve has the same
/// bits on every machine, so the rendering of a score may depend on this curve, and not on
/// `Loudness`.
/// - Source: ITU-R BS.1770-4 annex 1, tables 1 and 2: the coefficients for 48 kHz.
struct LoudnessCurve {
  /// The power of each 10 ms, all channels together.
  private let powers: [Double]

  private static let stepFrames = 480
  /// The window of momentary loudness in BS.1770: 400 ms.
  private static let moment = 40

  init(of view: SampleView) {
    let count = Int(view.frameCount)
    var powers = [Double](repeating: 0, count: (count + Self.stepFrames - 1) / Self.stepFrames)
    for channel in 0..<(view.isStereo ? 2 : 1) {
      let plane = channel == 0 ? view.left : view.right
      var (shelf, highPass) = ((0.0, 0.0), (0.0, 0.0))
      for frame in 0..<count {
        let x = Double(plane[frame])
        let y = 1.535_124_859_586_97 * x + shelf.0
        shelf.0 = -2.691_696_189_406_38 * x + 1.690_659_293_182_41 * y + shelf.1
        shelf.1 = 1.198_392_810_852_85 * x - 0.732_480_774_215_85 * y
        let z = y + highPass.0
        highPass.0 = -2 * y + 1.990_047_454_833_98 * z + highPass.1
        highPass.1 = y - 0.990_072_250_366_21 * z
        powers[frame / Self.stepFrames] += z * z
      }
    }
    self.powers = powers
  }

  /// The loudest 400 ms of a part of the sound.
  func loudest(from first: Frames, to end: Frames) -> Double {
    let steps = Int64(Self.stepFrames)
    let start = Int(clamping: first.count / steps)
    let part = powers.prefix(Int(clamping: (max(end.count, 0) + steps - 1) / steps)).dropFirst(max(start, 0))
    var loudest = 0.0
    for end in part.indices {
      // Each sum is computed afresh, because a running sum would gather rounding errors.
      // In order: `end` is at or behind the part's start.
      loudest = max(loudest, part[max(part.startIndex, end - Self.moment + 1)...end].reduce(0, +))
    }
    return loudest
  }
}
