/// A meter that shares nothing with the limiter: the filter of ITU-R BS.1770-4 Annex 2, fourfold, 12 taps per phase.
enum TruePeakMeter {
  private static let phases: [[Double]] = {
    let first = [
      0.001_708_984_375, 0.010_986_328_125, -0.019_653_320_312_5, 0.033_203_125, -0.059_448_242_187_5,
      0.137_329_101_562_5, 0.972_167_968_75, -0.102_294_921_875, 0.047_607_421_875, -0.026_611_328_125,
      0.014_892_578_125, -0.008_300_781_25,
    ]
    let second = [
      -0.029_174_804_687_5, 0.029_296_875, -0.051_757_812_5, 0.089_111_328_125, -0.166_503_906_25,
      0.465_087_890_625, 0.779_785_156_25, -0.200_317_382_812_5, 0.101_562_5, -0.058_227_539_062_5,
      0.033_081_054_687_5, -0.018_920_898_437_5,
    ]
    return [first, second, second.reversed(), first.reversed()]
  }()

  /// The true peak of `signal`, linear.
  static func peak(_ signal: [Float]) -> Double {
    var peak = signal.map { Double(abs($0)) }.max() ?? 0
    for taps in phases {
      for i in 11..<signal.count {
        var sum = 0.0
        for tap in 0..<12 { sum += taps[tap] * Double(signal[i - tap]) }
        peak = max(peak, abs(sum))
      }
    }
    return peak
  }
}
