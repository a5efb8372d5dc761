internal import JamCore
internal import JamEngine

/// Edits of a pad: by its player, and brought back.
extension RoomState {
  /// Sets a pad's setting as its player asks for it.
  mutating func set(
    _ what: PadSetting, of pad: Pad, to value: SettingValue, by id: PlayerID, at frame: Frames
  ) {
    let setting = Setting.pad(what, pad)
    guard !setStretch(setting, to: value, by: id, at: frame) else { return }
    let before = PadEdit(hands[id][pad])
    guard setPad(setting, to: value, by: id, at: frame) else { return }
    remember(.pad(pad, before, PadEdit(hands[id][pad]), moved: setting), of: id, at: frame)
    tell(setting, of: id)
  }

  /// Sets and logs each difference from the last wish, as if the player had set it. A sound not in
  /// memory comes once it has been read; one that is being read but no longer wanted does not come.
  mutating func restore(
    _ pad: Pad, _ edit: PadEdit, of id: PlayerID, at moment: Moment
  ) {
    guard desks[id].wantedKit == nil else {
      desks[id].wantedPads[pad.index] = edit
      desks[id].isRestoring = true
      return
    }
    let frame = effectFrame(moment)
    let old = hands[id][pad]
    if PadEdit(old).sample != edit.sample {
      if old.wish.sample != nil, old.sample == edit.sample {
        hands[id][pad].wish.sample = nil
      } else {
        choose(edit.sample, on: pad, by: id, at: moment, isEdit: false)
      }
    }
    for (setting, value) in edit.settings.differences(from: old.settings, on: pad) {
      _ = setPad(setting, to: value, by: id, at: frame)
      tell(setting, of: id)
    }
    restoreStretch(pad, edit.settings.stretching, of: id, at: frame)
  }
}

extension PadSettings {
  /// The settings that differ and can be set at once, with the values that they have here.
  fileprivate func differences(from old: PadSettings, on pad: Pad) -> [(Setting, SettingValue)] {
    PadSetting.allCases.compactMap { setting in
      guard setting.row.reach != .sound, self[setting] != old[setting] else { return nil }
      return (.pad(setting, pad), self[setting])
    }
  }
}
