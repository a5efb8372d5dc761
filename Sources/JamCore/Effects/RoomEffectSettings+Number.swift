extension RoomEffectSettings {
  /// Sets one setting by its number (`number`). The caller has already limited the number to its
  /// range (`subscript`).
  ///
  /// Thread: any. Real-time safe. It uses a switch because key paths are not real-time safe.
  @_noLocks public mutating func setNumber(_ number: Float, of setting: RoomEffectSetting) {
    switch setting {
    case .delayBeats: delayBeats = number
    case .delayFeedback: delayFeedback = number
    case .delayTone: delayTone = number
    case .delayLowCut: delayLowCut = number
    case .delayPingPong: delayPingPong = number >= 0.5
    case .delayLevel: delayLevel = number
    case .reverbSize: reverbSize = number
    case .reverbDecay: reverbDecay = number
    case .reverbDamping: reverbDamping = number
    case .reverbPreDelay: reverbPreDelay = number
    case .reverbLowCut: reverbLowCut = number
    case .reverbLevel: reverbLevel = number
    case .glueAmount: glueAmount = number
    case .mixToDelay: mixToDelay = number
    case .mixToReverb: mixToReverb = number
    case .lowPass: lowPass = number
    case .highPass: highPass = number
    case .resonance: resonance = number
    case .crushAmount: crushAmount = number
    case .throwMacro: throwMacro = number
    case .washMacro: washMacro = number
    case .cutMacro: cutMacro = number
    case .crushMacro: crushMacro = number
    }
  }
}
