extension EffectSettings {
  /// Sets one by its number (`number`). Whoever calls has bounded it (`subscript`).
  ///
  /// Thread: any. Real-time safe: key paths are not.
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
    case .duckSource: duckSource = number >= 2 ? .kick : number >= 1 ? .beat : .off
    case .filterMacro: filterMacro = number
    case .driveMacro: driveMacro = number
    case .spaceMacro: spaceMacro = number
    }
  }
}
