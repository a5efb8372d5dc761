internal import JamCore

/// Effects as they are kept: what differs from how a player, and a room, begins.
extension EffectSettings {
  var changed: [KeptSetting] {
    let plain = EffectSettings()
    return EffectSetting.allCases.filter { self[$0] != plain[$0] }.map {
      KeptSetting(setting: .effect($0), value: self[$0])
    }
  }
}

extension RoomEffectSettings {
  /// Without the macros: no thumb holds them any more.
  var changed: [KeptSetting] {
    let plain = RoomEffectSettings()
    return RoomEffectSetting.allCases.filter { self[$0] != plain[$0] && !$0.isMacro }.map {
      KeptSetting(setting: .roomEffect($0), value: self[$0])
    }
  }

  init(_ kept: [KeptSetting]) {
    self.init()
    for kept in kept {
      if case .roomEffect(let setting) = kept.setting { self[setting] = kept.value }
    }
  }
}
