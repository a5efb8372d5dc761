/// The curve of an interpolation kernel, for rates up to `highestRate`: a sum of cosines.
///
/// At `t` frames from its middle, |t| ≤ taps ÷ 2, the kernel is the sum of cosines[k] · cos(2πkt ÷ taps). The first cosine is
/// 1 ÷ taps, and the spectrum of every other is 0 at all multiples of 48 kHz: a constant stays constant at every place.
/// The others were found by linear programming: the lowest peak in the stopband, while the passband may differ from 1 by
/// 0.02 · (f ÷ edge)^2.5, and the curve ends at 0. The passband reaches 16 kHz of output at the lowest rate of each kernel,
/// and the stopband begins where the highest rate would fold to 16 kHz. Below rate 2/3 images come down instead: the
/// passband reaches 20 kHz of the sound, and the stopband begins at 25.2 kHz.
struct KernelShape {
  let highestRate: Double
  /// A multiple of 4.
  let taps: Int
  let cosines: [Double]

  /// By rising rate. Peaks of the stopbands: −84, −85, −82, −82, −92, −96, −93, −88, −88 and −85 dB.
  static var all: [KernelShape] {
    [
      KernelShape(
        highestRate: 2.0 / 3, taps: 32,
        cosines: [
          0.03125, 0.0624963359, 0.0625032657, 0.062490268, 0.0625353054, 0.0624095013,
          0.0626725076, 0.062250286, 0.0627652252, 0.0623419756, 0.0623984641, 0.0629741971,
          0.0616590366, 0.0634679563, 0.047347247, 0.016115419, 0.00141819076, -3.83600291e-6,
          -3.88839568e-6, 3.25053544e-6,
        ]),
      KernelShape(
        highestRate: 1.1, taps: 16,
        cosines: [
          0.0625, 0.124991602, 0.124978486, 0.125352573, 0.123999556, 0.12649192, 0.117884321,
          0.070809377, 0.0196843512, 0.00140776326, -3.88226211e-6, -6.79597601e-6, 2.19552542e-6,
          -1.41197125e-6,
        ]),
      KernelShape(
        highestRate: 1.25, taps: 16,
        cosines: [
          0.0625, 0.125002763, 0.125168269, 0.124236972, 0.126276663, 0.119272629, 0.0730235487,
          0.0194814976, 0.00103544803, 6.1475103e-6, -7.77782374e-6, 2.09685803e-6, 1.11755521e-6,
          -2.45685884e-6, 2.38064818e-6,
        ]),
      KernelShape(
        highestRate: 1.501, taps: 20,
        cosines: [
          0.05, 0.0999809587, 0.100062368, 0.100066955, 0.0994056725, 0.101177451, 0.0782393253,
          0.0297252315, 0.00327292995, -6.71647641e-6, -5.78330689e-6, 7.98430293e-6,
          -7.37242298e-6, 7.28253462e-6, -7.99281286e-6,
        ]),
      KernelShape(
        highestRate: 1.75, taps: 24,
        cosines: [
          0.0416666667, 0.0833046127, 0.0834163153, 0.0833369857, 0.0828867084, 0.0842864092,
          0.0656669608, 0.0260947491, 0.00341546393, 2.36999422e-5, -3.65642597e-7, 2.19768273e-6,
          -1.79253699e-6, 1.30256102e-6,
        ]),
      KernelShape(
        highestRate: 2.002, taps: 28,
        cosines: [
          0.0357142857, 0.0713998082, 0.0715323638, 0.0713638318, 0.0711109924, 0.0722104942,
          0.0567951604, 0.0236940798, 0.00357695397, 5.93153231e-5, 6.75999788e-7, 9.13419127e-7,
          -1.06190506e-6, 9.2762631e-7,
        ]),
      KernelShape(
        highestRate: 2.4, taps: 36,
        cosines: [
          0.0277777778, 0.0555554411, 0.0555239669, 0.0557434851, 0.0551835139, 0.0558775449,
          0.0544388889, 0.0365750558, 0.0120469165, 0.00122362923, 1.23700693e-6, -9.12464165e-7,
          1.12771666e-6, -6.44550928e-7, 2.46354024e-7, -1.19297998e-8, -8.78127723e-8,
        ]),
      KernelShape(
        highestRate: 2.83, taps: 40,
        cosines: [
          0.025, 0.0499934865, 0.0500113465, 0.0500935717, 0.0496105232, 0.0507685319,
          0.0437737742, 0.0217123445, 0.00430963573, 0.00013526369, 1.91647124e-6, -3.05361337e-7,
          -8.1720054e-7, 1.21220125e-6, -1.26732563e-6, 1.00650104e-6,
        ]),
      KernelShape(
        highestRate: 3.36, taps: 48,
        cosines: [
          0.0208333333, 0.0416623658, 0.0416687859, 0.0417638849, 0.0413286877, 0.0422753264,
          0.0377577432, 0.0202971502, 0.0046123628, 0.000202431998, 1.27685153e-6, -1.00129426e-6,
          -8.34303121e-8, 5.84045929e-7, -7.41363516e-7, 6.23019668e-7,
        ]),
      KernelShape(
        highestRate: 64, taps: 56,
        cosines: [
          0.0178571429, 0.035709679, 0.0357220115, 0.0357823288, 0.0354348331, 0.0362636162,
          0.0312450673, 0.0153685835, 0.00294070138, 7.29629566e-5, 1.92569944e-6, -1.97145378e-8,
          -9.6669824e-7, 1.26876721e-6, -1.28276758e-6, 1.01285117e-6,
        ]),
    ]
  }

  /// The kernel at `t` frames from its middle: Clenshaw's sum, which needs one cosine.
  func value(at t: Double) -> Double {
    let cosine = Polynomial.sine(turns: t / Double(taps) + 0.25)
    var (sum, before) = (0.0, 0.0)
    for k in stride(from: cosines.count - 1, to: 0, by: -1) {
      (sum, before) = (cosines[k] + 2 * cosine * sum - before, sum)
    }
    return cosines[0] + cosine * sum - before
  }
}
