import JamCore

/// Makes one segment longer or shorter at the same pitch: a phase vocoder with its phases locked to
/// the peaks of the spectrum.
///
/// Each frame of the output is a windowed piece of the input. Its phases are turned so that it
/// continues the piece before: at each peak by the angle that the input itself turns over as many
/// frames, and at the bins around the peak by the same angle. Both channels are turned alike, so a
/// sound keeps its place in the stereo image. In the kept part nothing is turned, so that part
/// comes out unchanged.
///
/// Thread: one at a time.
/// - Source: Laroche and Dolson, "Improved phase vocoder time-scale modification of audio" (1999),
///   identity phase locking.
struct PhaseVocoder: ~Copyable {
  let size: Int
  /// Frames from one piece to the next.
  let hop: Int
  private let transform: FourierTransform
  private let window: [Float]
  /// The fade at the edges of the part of the input that a piece sees: over an eighth of the piece.
  private let ramp: [Float]
  /// The spectra of the piece, of the input one hop earlier, and of the output before; each real,
  /// then imaginary.
  private var piece: Spectrum
  private var earlier: Spectrum
  private var before: Spectrum
  private var power: [Float]
  private var peaks: [Int] = []

  struct Spectrum {
    var real: [Float]
    var imaginary: [Float]
    init(size: Int) {
      real = [Float](repeating: 0, count: size)
      imaginary = real
    }

    mutating func take(_ transform: borrowing FourierTransform) {
      for bin in real.indices {
        real[bin] = transform.real[bin]
        imaginary[bin] = transform.imaginary[bin]
      }
    }
  }

  /// The part of the input that a piece sees. It is faded in and out next to attacks, and is
  /// unchanged where the sound is kept.
  private struct Seen {
    let frames: Range<Int>
    let rises: Bool
    let falls: Bool
  }

  /// All values are multiplied by this factor while the vocoder works on them, so that none becomes
  /// denormal.
  private static let scale: Float = 1_073_741_824
  /// A power below this counts as none: −250 dB.
  private static let silence: Float = 1e-7

  init(size: Int, hop: Int) {
    (self.size, self.hop) = (size, hop)
    transform = FourierTransform(size: size)
    window = (0..<size).map { Float(0.5 - 0.5 * PortableMath.cosine(turns: (Double($0) + 0.5) / Double(size))) }
    ramp = Self.rise(over: size / 8)
    piece = Spectrum(size: size)
    earlier = piece
    before = piece
    power = [Float](repeating: 0, count: size / 2 + 1)
  }

  /// Half a period of a cosine, from 0 to 1.
  private static func rise(over count: Int) -> [Float] {
    (0..<count).map { Float(0.5 - 0.5 * PortableMath.cosine(turns: (Double($0) + 0.5) / Double(2 * count))) }
  }

  /// Adds the segment to `output` (interleaved) with the fades at its ends.
  /// - Parameter sound: 1 or 2 channels.
  /// - Parameter lead: frames in front of an attack that belong to it.
  /// - Parameter goesRound: the sound is a loop: the first frame follows the last.
  mutating func add(
    _ segment: StretchSegment, of sound: Sound, lead: Int, fade: Int, goesRound: Bool, to output: inout [Float]
  ) {
    let (channels, frames, wanted) = (sound.channels, sound.frames, output.count / sound.channels)
    let isFirst = segment.place == 0
    let isLast = segment.sourceEnd == frames
    // The frames `from..<to` of the output are made.
    let from = isFirst ? 0 : segment.place - lead
    let to = isLast ? wanted : segment.placeEnd - lead + fade
    // The frames of the input that may be seen.
    let first = isFirst ? 0 : segment.source - lead
    let last = isLast ? (goesRound ? Int.max : frames) : segment.sourceEnd - lead + fade
    let count = to - from
    guard count > 0 else { return }
    var made = [Float](repeating: 0, count: count * channels)
    var weights = [Float](repeating: 0, count: count)
    var center = segment.place - size / 2 - segment.place % hop
    // In order: pieces before the output's first frame do not reach it.
    while center + size / 2 <= from { center += hop }
    let keptPlace = segment.place + segment.kept
    var hasBefore = false
    while center - size / 2 < to {
      let isKept = center <= keptPlace
      let place = segment.source(at: center)
      // A turned piece must not see the attack, which would sound again.
      let lowest = isKept ? first : max(segment.source + segment.kept, place - (center - keptPlace))
      let seen = Seen(frames: Range(from: lowest, to: last), rises: !isKept, falls: !isKept && !isLast)
      look(at: place, of: sound, seen)
      piece.take(transform)
      if !isKept, hasBefore {
        look(at: place - hop, of: sound, seen)
        earlier.take(transform)
        turn()
      }
      swap(&before, &piece)
      hasBefore = true
      putBack(at: center, place: place, seen, from: from, channels: channels, &made, &weights)
      center += hop
    }
    let fades = Self.rise(over: fade)
    for frame in 0..<count {
      let place = from + frame
      let original = place - segment.place + segment.source
      let isKept = place < keptPlace && original < min(last, frames)
      // Of two segments, one fades out while the other fades in.
      let isRising = !isFirst && frame < fade
      let isFalling = !isLast && frame >= count - fade
      let level = (isRising ? fades[frame] : 1) * (isFalling ? fades[count - 1 - frame] : 1)
      // A lower limit of the weight, so that frames with little weight are not amplified without
      // bound.
      let share = 1 / max(weights[frame], 0.05)
      for channel in 0..<channels {
        let value = isKept ? sound.audible(original, channel) : made[frame * channels + channel] * share
        output[place * channels + channel] += value * level
      }
    }
  }

  @inline(__always)
  private func gain(_ seen: Seen, at frame: Int) -> Float {
    let (begun, left) = (frame - seen.frames.lowerBound, seen.frames.upperBound - 1 - frame)
    let rise = seen.rises && begun < ramp.count ? ramp[begun] : 1
    return seen.falls && left < ramp.count ? rise * ramp[left] : rise
  }

  /// Puts a piece about `center` into the transform and runs it.
  private func look(at center: Int, of sound: Sound, _ seen: Seen) {
    let (channels, frames, start) = (sound.channels, sound.frames, center - size / 2)
    for n in 0..<size {
      let frame = start + n
      let place = transform.place(of: n)
      guard seen.frames.contains(frame) else {
        transform.real[place] = 0
        transform.imaginary[place] = 0
        continue
      }
      let source = frame < frames ? frame : frame % frames
      let gain = window[n] * gain(seen, at: frame) * Self.scale
      transform.real[place] = sound.audible(source, 0) * gain
      transform.imaginary[place] = channels > 1 ? sound.audible(source, 1) * gain : 0
    }
    transform.run()
  }

  /// Turns the phases of the piece so that it continues the output before.
  private mutating func turn() {
    let half = size / 2
    for bin in 0...half {
      let mirrored = (size - bin) & (size - 1)
      let sum =
        piece.real[bin] * piece.real[bin] + piece.imaginary[bin] * piece.imaginary[bin]
        + piece.real[mirrored] * piece.real[mirrored] + piece.imaginary[mirrored] * piece.imaginary[mirrored]
      power[bin] = sum < Self.silence ? 0 : sum
    }
    findPeaks()
    guard !peaks.isEmpty else { return }
    var bin = 0
    for (n, peak) in peaks.enumerated() {
      // This peak governs the bins up to the lowest bin between it and the next peak.
      var end = half + 1
      if n + 1 < peaks.count {
        end = peak + 1
        for other in peak + 1..<peaks[n + 1] where power[other] < power[end] { end = other }
      }
      let (cosine, sine) = angle(at: peak)
      while bin < end {
        turn(bin, cosine, sine)
        bin += 1
      }
    }
  }

  private mutating func findPeaks() {
    peaks.removeAll(keepingCapacity: true)
    let half = size / 2
    for bin in 0...half where power[bin] > 0 {
      let value = power[bin]
      let isPeak =
        (bin < 1 || value > power[bin - 1]) && (bin < 2 || value > power[bin - 2])
        && (bin + 1 > half || value >= power[bin + 1]) && (bin + 2 > half || value >= power[bin + 2])
      if isPeak { peaks.append(bin) }
    }
  }

  /// The angle between the output before and the input one hop earlier, at a peak and its
  /// neighbours, in both channels.
  private func angle(at peak: Int) -> (cosine: Float, sine: Float) {
    // Bin 0 is the constant part, which has no phase.
    guard peak > 0 else { return (1, 0) }
    var (real, imaginary) = (0.0, 0.0)
    // In order: a peak is a bin, 0…size / 2.
    for bin in max(0, peak - 1)...min(size / 2, peak + 1) {
      let mirrored = (size - bin) & (size - 1)
      let (ar, ai) = (Double(before.real[bin]), Double(before.imaginary[bin]))
      let (br, bi) = (Double(earlier.real[bin]), Double(earlier.imaginary[bin]))
      real += ar * br + ai * bi
      imaginary += ai * br - ar * bi
      let (cr, ci) = (Double(before.real[mirrored]), Double(before.imaginary[mirrored]))
      let (dr, di) = (Double(earlier.real[mirrored]), Double(earlier.imaginary[mirrored]))
      real += cr * dr + ci * di
      imaginary -= ci * dr - cr * di
    }
    let length = (real * real + imaginary * imaginary).squareRoot()
    guard length > 1e-9 else { return (1, 0) }
    return (Float(real / length), Float(imaginary / length))
  }

  /// Turns the bin one way, and its mirror image the other way: so both channels of a packed
  /// spectrum turn alike.
  private mutating func turn(_ bin: Int, _ cosine: Float, _ sine: Float) {
    let mirrored = (size - bin) & (size - 1)
    let (real, imaginary) = (piece.real[bin], piece.imaginary[bin])
    // A bin without a mirror image is real in each channel and stays so.
    guard mirrored != bin else { return }
    piece.real[bin] = real * cosine - imaginary * sine
    piece.imaginary[bin] = real * sine + imaginary * cosine
    let (otherReal, otherImaginary) = (piece.real[mirrored], piece.imaginary[mirrored])
    piece.real[mirrored] = otherReal * cosine + otherImaginary * sine
    piece.imaginary[mirrored] = otherImaginary * cosine - otherReal * sine
  }

  /// Transforms the output spectrum back, and adds it at its place together with its weight.
  private func putBack(
    at center: Int, place: Int, _ seen: Seen, from: Int, channels: Int, _ made: inout [Float],
    _ weights: inout [Float]
  ) {
    for bin in 0..<size {
      let index = transform.place(of: bin)
      transform.real[index] = before.imaginary[bin]
      transform.imaginary[index] = before.real[bin]
    }
    transform.run()
    let unit = 1 / (Float(size) * Self.scale)
    let start = center - size / 2
    for n in Range(from: max(0, from - start), to: min(size, from + weights.count - start)) {
      let frame = start + n - from
      // Frames of the input that the piece did not see add nothing.
      guard seen.frames.contains(place - size / 2 + n) else { continue }
      let shape = window[n] * gain(seen, at: place - size / 2 + n)
      weights[frame] += shape * shape
      made[frame * channels] += transform.imaginary[n] * shape * unit
      if channels > 1 { made[frame * channels + 1] += transform.real[n] * shape * unit }
    }
  }
}
