internal import JamCore

/// A sound that is to be stretched, off the room's thread, and for whom.
public struct StretchOrder: Sendable {
  let sound: PlayablePad
  let factor: Float
  let quality: StretchQuality
  let player: PlayerID
  let pad: Pad
  /// The pad's, when it was ordered.
  let number: UInt64
  /// What to tell whoever asked, and to log: the setting that was set.
  let setting: Setting
  let value: SettingValue
  /// The pad as it was; nil where it is no edit of its own.
  let before: PadEdit?
}

/// Stretching takes longer than a buffer: the pad plays on as it was, and has the new sound once that is ready.
extension RoomState {
  /// - Returns: false where it is no such setting.
  mutating func setStretch(
    _ setting: Setting, to value: SettingValue, by id: PlayerID, at frame: Frames, isEdit: Bool = true,
    _ effects: inout [Effect]
  ) -> Bool {
    let pad: Pad
    let pads = self[known: id].pads
    switch (setting, value) {
    case (.padStretch(let changed), .float(let factor)):
      pad = changed
      self[known: id].pads[pad.index].settings.stretch = min(max(factor, 0.25), 4)
    case (.padStretchQuality(let changed), .text(let word)):
      guard let quality = StretchQuality(rawValue: word) else { return false }
      pad = changed
      self[known: id].pads[pad.index].settings.stretchQuality = quality
    default: return false
    }
    self[known: id].pads[pad.index].stretchOrders += 1
    let state = self[known: id].pads[pad.index]
    guard let plain = state.plainSound, state.settings.stretch != 1 else {
      fixWaiting(on: pad, of: id, at: frame, &effects)
      self[known: id].pads[pad.index].sound = state.plainSound
      let after = PadEdit(self[known: id].pads[pad.index])
      if isEdit { remember(.pad(pad, PadEdit(pads[pad.index]), after, moved: setting), of: id, at: frame) }
      commit(.command(.set(setting, value)), by: self[known: id].name, at: frame, &effects)
      tell(setting, of: id, &effects)
      return true
    }
    effects.append(
      .stretch(
        StretchOrder(
          sound: plain, factor: state.settings.stretch, quality: state.settings.stretchQuality, player: id, pad: pad,
          number: state.stretchOrders, setting: setting, value: value,
          before: isEdit ? PadEdit(pads[pad.index]) : nil)))
    return true
  }

  /// What was ordered is ready; nil is that there was no memory for it. Thread: whoever steps the state.
  mutating func stretched(
    _ order: StretchOrder, _ sound: PlayablePad?, at frame: Frames, _ effects: inout [Effect]
  ) {
    guard let player = self[order.player], player.pads[order.pad.index].stretchOrders == order.number else { return }
    guard let sound else {
      let command = Command.set(order.setting, order.value)
      effects.append(
        .tell(
          .refused(command, reason: "stretched sounds take 256 MiB already: stretch this or others less"),
          .player(order.player)))
      return
    }
    fixWaiting(on: order.pad, of: order.player, at: frame, &effects)
    self[known: order.player].pads[order.pad.index].sound = sound
    self[known: order.player].pads[order.pad.index].turn = 0
    let after = PadEdit(self[known: order.player].pads[order.pad.index])
    if let before = order.before {
      remember(.pad(order.pad, before, after, moved: order.setting), of: order.player, at: frame)
    }
    commit(.command(.set(order.setting, order.value)), by: player.name, at: frame, &effects)
    tell(order.setting, of: order.player, &effects)
  }
}
