internal import JamCore

/// An order to stretch a sound, off the room's thread.
public struct StretchOrder: Sendable {
  let sound: PlayablePad
  /// The stretch asked for, times `fit`.
  let factor: Float
  /// The part of `factor` that makes the sound last its beats.
  let fit: Float
  let quality: StretchQuality
  let player: PlayerID
  let pad: Pad
  /// No other order of the room has it.
  let number: UInt64
  /// The change to tell the player who asked.
  let setting: Setting
  let value: SettingValue
}

/// The stretch of a pad's sound.
struct PadStretch: Hashable, Sendable {
  var factor: Float = 1
  var quality = StretchQuality.fast
}

extension PadSettings {
  var stretching: PadStretch {
    get { PadStretch(factor: stretch, quality: stretchQuality) }
    set { (stretch, stretchQuality) = (newValue.factor, newValue.quality) }
  }
}

extension PadState {
  /// A quality that was asked for and is not logged yet.
  var unheardQuality: StretchQuality? {
    settings.stretchQuality == heardStretch.quality ? nil : settings.stretchQuality
  }
}

extension PadState {
  /// Of the sound that it has, or of the one that is being read for it.
  fileprivate mutating func ask(_ stretch: PadStretch) {
    guard wish.sample == nil else { return wish.stretch = stretch }
    settings.stretching = stretch
  }
}

/// Stretching takes longer than a buffer: the pad keeps its sound until the new one is ready.
extension RoomState {
  /// The wish is the edit; the log has the stretch as it is heard.
  /// - Parameter isEdit: false for an undo, which is no edit of its own.
  /// - Returns: false where it is no such setting.
  mutating func setStretch(
    _ setting: Setting, to value: SettingValue, by id: PlayerID, at frame: Frames, isEdit: Bool = true
  ) -> Bool {
    guard case .pad(let what, let pad) = setting else { return false }
    var stretch = PadEdit(hands[id][pad]).settings.stretching
    switch (what, value) {
    case (.stretch, .float(let factor)): stretch.factor = setting.row.kind.bounded(factor)
    case (.stretchQuality, .text(let word)):
      guard let quality = StretchQuality(rawValue: word) else { return false }
      stretch.quality = quality
    default: return false
    }
    let before = PadEdit(hands[id][pad])
    hands[id][pad].ask(stretch)
    if isEdit {
      remember(.pad(pad, before, PadEdit(hands[id][pad]), moved: setting), of: id, at: frame)
    }
    let state = hands[id][pad]
    // Another sound is being read: it is for that one.
    guard state.wish.sample == nil else { return true }
    orderSound(setting, value, on: pad, of: id, at: frame)
    return true
  }

  /// The pad's sound as its stretch and its fit ask for, at once where that is the sound as it is.
  /// - Parameters:
  ///   - setting: what changed; the pad's beats where its fit did.
  ///   - value: as it was asked for.
  mutating func orderSound(
    _ setting: Setting, _ value: SettingValue, on pad: Pad, of id: PlayerID, at frame: Frames
  ) {
    session.tally.stretchOrders += 1
    hands[id][pad].wish.stretchOrder = session.tally.stretchOrders
    let state = hands[id][pad]
    let factor = state.settings.fitted(by: state.fit).stretch
    guard let plain = state.plainSound, factor != 1 else {
      fixWaiting(on: pad, of: id)
      hands[id][pad].sound = state.plainSound
      if state.fit != state.heardFit { hands[id][pad].turn = 0 }
      return hear(setting, on: pad, of: id, at: frame)
    }
    outbox.append(
      .stretch(
        StretchOrder(
          sound: plain, factor: factor, fit: state.fit, quality: state.settings.stretchQuality, player: id, pad: pad,
          number: state.wish.stretchOrder, setting: setting, value: value)))
  }

  /// The sound is ready or cannot be had. Thread: whoever steps the state.
  /// - Parameters:
  ///   - sound: nil where it cannot be had.
  ///   - reason: why it cannot be had.
  mutating func stretched(
    _ order: StretchOrder, _ sound: PlayablePad?, reason: Refusal = KitStore.noRoomToStretch, at frame: Frames
  ) {
    let frame = notBeforeAdvanced(frame)
    guard roster.isHere(order.player), hands[order.player][order.pad].wish.stretchOrder == order.number else {
      return
    }
    guard let sound else {
      let pad = hands[order.player][order.pad]
      let sample = pad.sample
      let asked = pad.settings.stretching
      if asked != pad.heardStretch {
        hands[order.player][order.pad].settings = pad.heardSettings
        desks[order.player].history.forget(order.pad) { edit in
          guard edit.sample == sample, edit.settings.stretching == asked else { return false }
          edit.settings.stretching = pad.heardStretch
          return true
        }
      }
      let command = Command.set(order.setting, order.value)
      outbox.append(.tell(.refused(command, reason), .player(order.player)))
      return
    }
    fixWaiting(on: order.pad, of: order.player)
    hands[order.player][order.pad].sound = sound
    hands[order.player][order.pad].turn = 0
    hear(order.setting, on: order.pad, of: order.player, at: frame)
  }

  /// The pad takes over all its settings. All are logged, also those of orders that were replaced.
  private mutating func hear(
    _ setting: Setting, on pad: Pad, of id: PlayerID, at frame: Frames
  ) {
    let state = hands[id][pad]
    let (old, new) = (state.heardStretch, state.settings.stretching)
    hands[id][pad].heardStretch = new
    hands[id][pad].heardFit = state.fit
    let values: [(Setting, SettingValue, isNew: Bool)] = [
      (.pad(.stretchQuality, pad), .text(new.quality.rawValue), new.quality != old.quality),
      (.pad(.stretch, pad), .float(new.factor), new.factor != old.factor),
    ]
    // A replayed log stretches at each of them: the setting asked for last comes last.
    let inOrder = values.filter { $0.isNew && $0.0 != setting } + values.filter { $0.0 == setting }
    for (setting, value, _) in inOrder {
      commit(.command(.set(setting, value)), by: id, at: frame)
      tell(setting, of: id)
    }
    // Last: a loop that runs goes on with the sound that all of them made.
    if state.fit != state.heardFit {
      commitFit(pad, follower(on: pad, of: id, at: frame), of: id, at: frame)
    }
    if new.factor != old.factor || state.fit != state.heardFit { tell(.padSeconds(pad), of: id) }
  }

  mutating func restoreStretch(
    _ pad: Pad, _ stretch: PadStretch, of id: PlayerID, at frame: Frames
  ) {
    let asked = PadEdit(hands[id][pad]).settings.stretching
    if asked.quality != stretch.quality {
      let quality = SettingValue.text(stretch.quality.rawValue)
      _ = setStretch(.pad(.stretchQuality, pad), to: quality, by: id, at: frame, isEdit: false)
    }
    if asked.factor != stretch.factor {
      let factor = SettingValue.float(stretch.factor)
      _ = setStretch(.pad(.stretch, pad), to: factor, by: id, at: frame, isEdit: false)
    }
  }
}
