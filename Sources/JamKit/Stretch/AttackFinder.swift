import JamCore

/// Finds the beginnings of attacks in a sound before it is stretched, to the frame. It looks at
/// five bands, so that a hat over a bass is found as well as a hat alone.
///
/// `OnsetDetector` cuts recordings into hits, so each of its onsets must be a hit for the ear. Here
/// one attack too many costs nothing that can be heard.
struct AttackFinder {
  /// Frames of a step and of the window over it: 2.7 and 10.7 ms at 48 kHz.
  private static let hop = 128
  private static let window = 512
  /// The upper end of the low bands, in Hz.
  static let lowEnd = 750.0
  private static let lowBands = 2
  /// Upper ends of the bands, in bins of the window. At 48 kHz: 190 Hz, 750 Hz, 2.6 kHz, 7.5 kHz,
  /// and the rest.
  private static let bandEnds = [2, 8, 28, 80, 256]
  /// A band's energy at an attack is at least this many times the maximum of the steps before: 7
  /// dB.
  private static let rise: Float = 5
  /// The number of steps that a rise may take, and the number of steps before it that it is
  /// compared with.
  private static let riseSteps = 4
  private static let pastSteps = 8
  /// The least energy of an attack in a band: −40 dB of the band's loudest step, and −60 dB of the
  /// loudest band's.
  private static let bandFloor: Float = 1e-4
  private static let floor: Float = 1e-6
  /// The least time between two attacks, in milliseconds.
  private static let gapMilliseconds = 25

  private let sound: Sound
  /// For each band the energy of each step, of the frames around `step × hop`.
  private let bands: [[Float]]

  init(_ sound: Sound) {
    self.sound = sound
    bands = Self.energies(of: sound)
  }

  /// The beginning of an attack, and whether it reaches the low bands.
  struct Attack: Equatable {
    var frame: Int
    /// One of the low bands rises too.
    var isLow: Bool
  }

  /// The attacks in order. The beginning of the sound itself is not one of them.
  func attacks() -> [Attack] {
    let gap = Self.gapMilliseconds * sound.rate / 1_000
    var found: [Attack] = []
    var lastStep: Int?
    let floors = bands.map { max(($0.max() ?? 0) * Self.bandFloor, loudest * Self.floor, 1e-9) }
    // Windows beyond an end of the sound are left out: the sound begins or ends within them, so
    // their energy is misleading.
    let within = Self.window / 2 / Self.hop
    // In order: all bands have as many steps.
    for step in bands[0].indices where step >= within && step * Self.hop + Self.window / 2 <= sound.frames {
      if let lastStep, (step - lastStep) * Self.hop < gap { continue }
      // In order: a band's number is one of `bands`.
      guard let top = bands.indices.last(where: { rises(bands[$0], at: step, above: floors[$0]) }) else { continue }
      // The highest band that rises shows the steepest place best.
      let place = begin(near: step * Self.hop, band: top)
      let last = found.last?.frame ?? -gap
      guard place >= gap / 2, place < sound.frames - gap / 2, place - last >= gap else { continue }
      found.append(Attack(frame: place, isLow: isLow(at: step, floors)))
      lastStep = step
    }
    return found
  }

  /// Whether a low band becomes twice as strong within some steps. A low band takes longer to rise.
  /// It need not rise as far, because the attack is known already.
  private func isLow(at step: Int, _ floors: [Float]) -> Bool {
    (0..<Self.lowBands).contains { number in
      let band = bands[number]
      let comes = band[Range(from: step, to: min(band.count, step + Self.riseSteps + 1))].max() ?? 0
      return comes > floors[number] && comes > 2 * past(band, at: step)
    }
  }

  /// The maximum of the steps before a rise that may end at `step`.
  private func past(_ band: [Float], at step: Int) -> Float {
    // In order: `pastSteps` is above 0.
    band[max(0, step - Self.riseSteps - Self.pastSteps)..<max(0, step - Self.riseSteps)].max() ?? 0
  }

  private var loudest: Float { bands.reduce(0) { max($0, $1.max() ?? 0) } }

  private func rises(_ band: [Float], at step: Int, above floor: Float) -> Bool {
    let energy = band[step]
    guard energy > floor else { return false }
    // The rise must end here: the next step is less than 1.5 times this one.
    let isTop = step + 1 >= band.count || band[step + 1] < energy * 1.5
    return isTop && energy > Self.rise * past(band, at: step)
  }

  /// The frame around `center` where the sound rises most steeply: where the ratio of the energy
  /// after the frame to the energy before it is largest.
  private func begin(near center: Int, band: Int) -> Int {
    let (before, after) = (256, 128)
    let from = max(0, center - 4 * Self.hop - Self.window / 2)
    let to = min(sound.frames, center + Self.window / 2 + after)
    guard to - from > before / 4 + after else { return min(max(center, 0), sound.frames) }
    // For high bands the low frequencies are turned down first: twice, by the difference from frame
    // to frame.
    let order = min(band, 2)
    var sums = [Double](repeating: 0, count: to - from + 1)
    for frame in Range(from: from, to: to) {
      var energy = 0.0
      for channel in 0..<sound.channels {
        func value(_ frame: Int) -> Double {
          frame < 0 ? 0 : Double(sound.interleaved[frame * sound.channels + channel])
        }
        let x =
          order == 0
          ? value(frame)
          : order == 1
            ? value(frame) - value(frame - 1) : value(frame) - 2 * value(frame - 1) + value(frame - 2)
        energy += x * x
      }
      sums[frame - from + 1] = sums[frame - from] + energy
    }
    // First a broad search, then a close one around the place that was found.
    let rough = Self.steepest(sums, in: 0..<to - from - after + 1, before: before, after: after) ?? center - from
    let near = Range(from: max(0, rough - 48), to: min(to - from - after, rough + 96) + 1)
    return min(from + (Self.steepest(sums, in: near, before: 64, after: 32) ?? rough), sound.frames)
  }

  /// The place where the ratio of the energy of the next `after` values to the energy of the
  /// `before` values in front is largest.
  /// - Parameter sums: sums of all energies up to each value; one more than there are values.
  private static func steepest(_ sums: [Double], in range: Range<Int>, before: Int, after: Int) -> Int? {
    let least = (sums.last ?? 0) / Double(sums.count) * 1e-3 + 1e-12
    var best: (score: Double, index: Int)?
    for index in range {
      let was = (sums[index] - sums[max(0, index - before)]) / Double(before)
      let comes = (sums[index + after] - sums[index]) / Double(after)
      let score = comes / (was + least)
      if score > (best?.score ?? 0) { best = (score, index) }
    }
    return best?.index
  }

  private static func energies(of sound: Sound) -> [[Float]] {
    let transform = FourierTransform(size: window)
    let shape = (0..<window).map { Float(0.5 - 0.5 * PortableMath.cosine(turns: (Double($0) + 0.5) / Double(window))) }
    let steps = sound.frames / hop + 1
    var bands = bandEnds.map { _ in [Float](repeating: 0, count: steps) }
    for step in 0..<steps {
      let start = step * hop - window / 2
      for n in 0..<window {
        let place = transform.place(of: n)
        let frame = start + n
        let isWithin = frame >= 0 && frame < sound.frames
        transform.real[place] = isWithin ? sound.audible(frame, 0) * shape[n] : 0
        transform.imaginary[place] = isWithin && sound.channels > 1 ? sound.audible(frame, 1) * shape[n] : 0
      }
      transform.run()
      var bin = 1
      for (band, end) in bandEnds.enumerated() {
        var sum: Float = 0
        while bin < end {
          // One transform holds both channels: one in its even part, the other in its odd part.
          let mirrored = window - bin
          sum += transform.real[bin] * transform.real[bin] + transform.imaginary[bin] * transform.imaginary[bin]
          sum +=
            transform.real[mirrored] * transform.real[mirrored]
            + transform.imaginary[mirrored] * transform.imaginary[mirrored]
          bin += 1
        }
        bands[band][step] = sum
      }
    }
    return bands
  }
}

extension Sound {
  /// The value, or 0 where it is below −300 dB. So no arithmetic meets a denormal number, which one
  /// thread may flush to zero and another may not.
  @inline(__always)
  func audible(_ frame: Int, _ channel: Int) -> Float {
    let value = interleaved[frame * channels + channel]
    return abs(value) < 1e-15 ? 0 : value
  }
}
