extension EffectSettings {
  /// Sets one setting by its number (`number`). The caller has already limited the number to its
  /// range (`subscript`).
  ///
  /// Thread: any. Real-time safe. It uses a switch because key paths are not real-time safe.
  @_noLocks public mutating func setNumber(_ number: Float, of setting: EffectSetting) {
    switch setting {
    case .lowGain: lowGain = number
    case .lowFrequency: lowFrequency = number
    case .lowMidGain: lowMidGain = number
    case .lowMidFrequency: lowMidFrequency = number
    case .lowMidQ: lowMidQ = number
    case .highMidGain: highMidGain = number
    case .highMidFrequency: highMidFrequency = number
    case .highMidQ: highMidQ = number
    case .highGain: highGain = number
    case .highFrequency: highFrequency = number
    case .driveAmount: driveAmount = number
    case .driveTone: driveTone = number
    case .driveLevel: driveLevel = number
    case .compressorThreshold: compressorThreshold = number
    case .compressorRatio: compressorRatio = number
    case .compressorAttack: compressorAttack = number
    case .compressorRelease: compressorRelease = number
    case .compressorKnee: compressorKnee = number
    case .compressorMakeUp: compressorMakeUp = number
    case .compressorDetector: compressorDetector = number >= 1 ? .rms : .peak
    case .chorusMix: chorusMix = number
    case .chorusRate: chorusRate = number
    case .chorusDepth: chorusDepth = number
    case .lowPass: lowPass = number
    case .highPass: highPass = number
    case .resonance: resonance = number
    case .delaySend: delaySend = number
    case .reverbSend: reverbSend = number
    case .duckDepth: duckDepth = number
    case .duckAttack: duckAttack = number
    case .duckRelease: duckRelease = number
    case .duckSource: duckSource = DuckSource(number)
    case .duckPad: duckPad = number >= 1 && number <= 16 ? Int8(number) : 1
    case .filterMacro: filterMacro = number
    case .driveMacro: driveMacro = number
    case .spaceMacro: spaceMacro = number
    }
  }
}

extension DuckSource {
  /// The source with that `rawValue`; any other number is `off`.
  @_noLocks fileprivate init(_ number: Float) {
    self = .off
    if number == 1 { self = .beat }
    if number == 2 { self = .kick }
    if number == 3 { self = .pad }
    if number == 4 { self = .own }
  }
}
