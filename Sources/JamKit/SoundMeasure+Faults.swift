extension SoundMeasure {
  /// −80 dB: nobody hears less.
  static let silence: Float = 1e-4
  /// An offset of a hundredth of full scale costs headroom and clicks at both ends.
  private static let offsetLimit = 0.01

  /// The longest sound of a pad. A longer one belongs in a loop or a player.
  static let longestSeconds = 60

  /// The faults that a listener would hear in a sound at 48 kHz.
  static func faults(of sound: Sound) -> [KitError.Reason] { faultsAndPeak(of: sound).faults }

  /// - Returns: `truePeak` is exact above 1, and 0 in silence.
  static func faultsAndPeak(of sound: Sound) -> (faults: [KitError.Reason], truePeak: Double) {
    let planes = (0..<sound.channels).map { sound.channel($0) }
    let peak = sound.peak
    guard peak >= silence else { return ([.silent], 0) }
    var faults: [KitError.Reason] = []
    let seconds = Double(sound.frames) / Double(sound.rate)
    if seconds > Double(longestSeconds) { faults.append(.tooLong(seconds: seconds, limit: longestSeconds)) }
    let truePeak = planes.map { Self.truePeak($0, ifAbove: 1) }.max() ?? 0
    let highest = PortableMath.decibels(truePeak)
    if highest > 0 { faults.append(.tooLoud(decibels: highest)) }
    if let offset = planes.map(offset).first(where: { abs($0) > offsetLimit }) { faults.append(.offset(level: offset)) }
    // A drum may begin with a hard first frame. But a single value that is not continued is a
    // click.
    if planes.contains(where: { startsWithClick($0, peak: peak) }) { faults.append(.click(atEnd: false)) }
    if planes.contains(where: { abs($0.last ?? 0) > peak / 30 && !isSeamless($0) }) {
      faults.append(.click(atEnd: true))
    }
    return (faults, truePeak)
  }

  /// Whether the first frame is above half of the peak, and each of the next eight is less than a
  /// quarter of it: a single value that is not continued. Eight frames are needed, because in a
  /// noise that begins hard the next frame may be small by chance.
  private static func startsWithClick(_ plane: [Float], peak: Float) -> Bool {
    guard let first = plane.first, abs(first) > peak / 2 else { return false }
    return plane.dropFirst().prefix(8).allSatisfy { abs($0) < abs(first) / 4 }
  }

  /// Whether the step from the end to the beginning is no larger than the steps around it: then the
  /// sound is a seamless loop.
  private static func isSeamless(_ plane: [Float]) -> Bool {
    guard plane.count > 256, let first = plane.first, let last = plane.last else { return false }
    let around = plane.suffix(64) + plane.prefix(64)
    let steps = [plane.prefix(64), plane.suffix(64)].flatMap { part in zip(part, part.dropFirst()).map { abs($1 - $0) }
    }
    return abs(last - first) <= 1.5 * (steps.max() ?? 0) && (steps.max() ?? 0) < (around.map { abs($0) }.max() ?? 0) / 2
  }
}
