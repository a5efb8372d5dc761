internal import JamCore

/// Changes of layers by their player, each with the edit that takes it back.
extension Loop {
  /// Deletes a layer.
  /// - Returns: nil where there is no such layer.
  mutating func delete(_ number: Int) -> Edit? {
    guard let layer = self[number] else { return nil }
    let before = LoopEdit(self)
    self[number] = nil
    // Length and origin go with the last recording: another may begin before this one returns.
    return isUnrecorded ? .loop(before, LoopEdit(self)) : .layer(number, layer, nil)
  }

  /// Sets a value of a layer.
  /// - Parameter now: a layer that is unmuted is not heard before.
  /// - Returns: nil where it is no value of a layer, and where there is no such layer.
  mutating func set(_ setting: Setting, to value: SettingValue, at now: Beats) -> Edit? {
    switch (setting, value) {
    case (.layerMute(let number), .bool(let isMuted)):
      change(number, at: now) { $0.isMuted = isMuted }
    case (.layerGain(let number), .float(let gain)):
      change(number, at: now) { $0.gain = setting.row.kind.bounded(gain) }
    default: nil
    }
  }

  private mutating func change(_ number: Int, at now: Beats, _ change: (inout Layer) -> Void) -> Edit? {
    guard let before = self[number] else { return nil }
    var after = before
    change(&after)
    if before.isMuted && !after.isMuted { after.begin = now }
    self[number] = after
    return .layer(number, before, after)
  }

  /// Mutes these layers and no others, but for those that are lent. It is no edit.
  /// - Parameter line: a layer that is unmuted is heard from there on.
  mutating func mute(_ muted: Set<Int>, at line: Beats) {
    for index in layers.indices {
      let number = index + 1
      if case .lent? = layers[index]?.loan { continue }
      _ = change(number, at: line) { $0.isMuted = muted.contains(number) }
    }
  }

  /// Carries changes of hits out.
  mutating func apply(_ changes: [HitChange], at now: Beats) -> Edit {
    let (before, wasUnrecorded, isStopped) = (LoopEdit(self), isUnrecorded, !isPlaying)
    for change in changes { apply(change, isUndone: false, at: now) }
    // The loop's length goes with its last recording.
    return !wasUnrecorded && isUnrecorded ? .loop(before, LoopEdit(self)) : .hits(changes, isStopped: isStopped)
  }
}
