extension SoundMeasure {
  /// -80 dB: nobody hears less.
  static let silence: Float = 1e-4
  /// A hundredth of full scale costs headroom and clicks at both ends.
  private static let offsetLimit = 0.01

  /// Of one sound: longer ones belong into a loop or a player.
  static let longestSeconds = 60

  /// What a listener would complain about in a sound at 48 kHz.
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
    // An eighth of the peak at once is a click, whatever follows; a sound may start at its transient, but not beyond it.
    if planes.contains(where: { abs($0.first ?? 0) > peak / 2 }) { faults.append(.click(atEnd: false)) }
    if planes.contains(where: { abs($0.last ?? 0) > peak / 30 }) { faults.append(.click(atEnd: true)) }
    return (faults, truePeak)
  }
}
