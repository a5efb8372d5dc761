import KitTestSupport

@testable import JamKit

/// What can be said of a sound at 48 kHz by measuring it.
struct SoundPortrait {
  let seconds: Double
  /// Of all channels' mean.
  let spectrum: Spectrum
  /// Where the sound stands in each quarter of its time.
  let quarters: [Moment]
  /// Until half of the peak is there, in milliseconds.
  let attack: Double
  /// Of the last tenth below the loudest 5 ms, in dB.
  let ending: Double
  /// Of its time, until half of its energy is over.
  let middle: Double
  /// How far apart the frequencies of the first 10 ms and of the whole are, as a factor.
  let transient: Double
  /// Of the worse channel: dB, and values.
  let truePeak: Double
  let offset: Double
  let first: Double
  let last: Double
  /// In dB below its own whole, by twelfths of an octave.
  private let bands: [Double]

  struct Moment {
    /// Hertz.
    let centroid: Double
    /// dB.
    let level: Double
  }

  init(_ sound: Sound) {
    let planes = (0..<sound.channels).map { sound.channel($0) }
    let mono = planes.count == 1 ? planes[0] : zip(planes[0], planes[1]).map { ($0 + $1) / 2 }
    seconds = Double(mono.count) / 48_000
    spectrum = Spectrum(mono)
    quarters = (0..<4).map { Moment(mono[($0 * mono.count / 4)..<(($0 + 1) * mono.count / 4)]) }
    let peak = mono.reduce(0) { max($0, abs($1)) }
    attack = Double(mono.firstIndex { abs($0) >= peak / 2 } ?? mono.count) / 48
    transient = Spectrum(mono.prefix(480), size: 1_024).centroid / spectrum.centroid
    let powers = stride(from: 0, to: mono.count, by: 240).map { Self.power(mono[$0..<min($0 + 240, mono.count)]) }
    let loudest = max(powers.max() ?? 0, 1e-20)
    ending = Self.decibels(Self.power(mono.suffix(max(1, mono.count / 10))) / loudest)
    var half = powers.reduce(0, +) / 2
    let index = powers.firstIndex { power in
      half -= power
      return half <= 0
    }
    middle = Double(index ?? 0) / Double(max(1, powers.count))
    truePeak = PortableMath.decibels(planes.map { SoundMeasure.truePeak($0) }.max() ?? 0)
    offset = planes.map { abs(SoundMeasure.offset($0)) }.max() ?? 0
    first = Double(planes.map { abs($0.first ?? 0) }.max() ?? 0)
    last = Double(planes.map { abs($0.last ?? 0) }.max() ?? 0)
    bands = spectrum.bands(30..<16_000, perOctave: 12).map(Self.decibels)
  }

  /// How many notes sound: partials within 24 dB of the strongest that are no overtone of a lower one.
  var notes: [Double] {
    let perOctave = 24
    let fine = spectrum.bands(50..<2_400, perOctave: perOctave)
    let floor = (fine.max() ?? 0) * 0.004
    var notes: [Double] = []
    for n in 1..<fine.count - 1 where fine[n] > floor && fine[n] >= fine[n - 1] && fine[n] > fine[n + 1] {
      let low = 50 * PortableMath.ratio(semitones: Double(n) * 12 / Double(perOctave))
      let hertz = spectrum.peak(low..<low * PortableMath.ratio(semitones: 12 / Double(perOctave)))
      let isOvertone = notes.contains { note in
        let number = (hertz / note).rounded()
        return abs(hertz / note / max(number, 1) - 1) < 0.02
      }
      if !isOvertone { notes.append(hertz) }
    }
    return notes
  }

  /// How differently two sounds sound, in dB: the mean difference of their bands, levels and lengths. The same sound with
  /// another gain has 0.
  func distance(to other: SoundPortrait) -> Double {
    let floor = -50.0
    func clipped(_ values: [Double]) -> [Double] { values.map { max($0 - (values.max() ?? 0), floor) } }
    func difference(_ a: [Double], _ b: [Double]) -> Double {
      let pairs = zip(clipped(a), clipped(b)).filter { $0 > floor || $1 > floor }
      guard !pairs.isEmpty else { return 0 }
      return (pairs.reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } / Double(pairs.count)).squareRoot()
    }
    let time = abs(Self.decibels(seconds / other.seconds))
    return difference(bands, other.bands) + difference(quarters.map(\.level), other.quarters.map(\.level)) + time
  }

  static func power(_ plane: ArraySlice<Float>) -> Double {
    plane.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, plane.count))
  }

  static func decibels(_ power: Double) -> Double { PortableMath.decibels(max(power, 1e-20)) / 2 }
}

extension SoundPortrait.Moment {
  init(_ part: ArraySlice<Float>) {
    let size = 16_384
    let start = part.startIndex + max(0, part.count - size) / 2
    centroid = Spectrum(part[start...], isWindowed: true, size: size).centroid
    level = SoundPortrait.decibels(SoundPortrait.power(part))
  }
}
