internal import JamCore
internal import JamEngine

/// A kit heard in another key.
extension RoomState {
  func checkTuneKit(to key: String, by id: PlayerID) throws(Refusal) {
    guard key.isEmpty || pitch(named: key) != nil else { throw .noSuchKey(key) }
    guard Pad.all.contains(where: { hands[id][$0].description?.transposition(to: nil) != nil }) else {
      throw .noKeyInKit
    }
  }

  private func pitch(named key: String) -> PitchClass? { key == "room" ? mix.key.root.pitch : PitchClass(key: key) }

  /// Sets the transposition of all pads whose sounds have a key, as if the player had: one edit, which `/undo` takes back.
  /// - Parameter key: a note's name, `room` for the room's key, which the kit follows from then on;
  ///   empty for the kit's own transpositions.
  mutating func tuneKit(to key: String, by id: PlayerID, at moment: Moment) {
    let wanted = pitch(named: key)
    guard key.isEmpty || wanted != nil else { return }
    tuneKit(to: wanted, by: id, at: moment)
    setFollowing(key == "room", of: id, at: effectFrame(moment))
  }

  private mutating func tuneKit(to wanted: PitchClass?, by id: PlayerID, at moment: Moment) {
    let before = kitEdit(of: id)
    let frame = effectFrame(moment)
    for pad in Pad.all {
      guard let transpose = hands[id][pad].description?.transposition(to: wanted) else { continue }
      transposePad(pad, to: transpose, of: id, at: frame)
    }
    let after = kitEdit(of: id)
    guard after != before else { return }
    remember(.kit(before, after), of: id, at: frame)
  }

  private mutating func transposePad(
    _ pad: Pad, to transpose: Float, of id: PlayerID, at frame: Frames
  ) {
    guard hands[id][pad].settings.transpose != transpose else { return }
    let setting = Setting.pad(.transpose, pad)
    _ = setPad(setting, to: .float(transpose), by: id, at: frame)
    tell(setting, of: id)
  }

  // MARK: The room's key

  /// Whether the player's kit stays in the room's key. A kit without a sound that has one waits for
  /// the next kit.
  mutating func followKey(_ isOn: Bool, by id: PlayerID, at moment: Moment, as setter: Setter = .player) {
    if isOn, setter.bringsOthers { tuneKit(to: mix.key.root.pitch, by: id, at: moment) }
    setFollowing(isOn, of: id, at: effectFrame(moment))
  }

  /// The pads stay as they are.
  mutating func setFollowing(_ isOn: Bool, of id: PlayerID, at frame: Frames) {
    if hands[id].followsKey != isOn {
      hands[id].followsKey = isOn
      commit(.command(.set(.kitFollow, .bool(isOn))), by: id, at: frame)
    }
    tell(.kitFollow, of: id)
  }

  /// The room has another key: the kits that follow it do. A pad that was moved by hand stays where
  /// it is.
  mutating func retuneKits(from old: PitchClass, at frame: Frames, as setter: Setter = .player) {
    guard setter.bringsOthers, old != mix.key.root.pitch else { return }
    for id in roster.occupied where roster.isHere(id) && hands[id].followsKey {
      for pad in Pad.all {
        guard let sound = hands[id][pad].description, let before = sound.transposition(to: old),
          hands[id][pad].settings.transpose == before, let after = sound.transposition(to: mix.key.root.pitch)
        else { continue }
        transposePad(pad, to: after, of: id, at: frame)
      }
    }
  }

  /// A kit as it comes into the player's hands.
  func newKit(_ kit: Kit, of id: PlayerID, as setter: Setter) -> KitEdit {
    var edit = KitEdit(of: kit)
    guard hands[id].followsKey, setter.bringsOthers else { return edit }
    for pad in Pad.all {
      guard let transpose = kit[pad]?.transposition(to: mix.key.root.pitch) else { continue }
      edit.pads[pad.index].settings.transpose = transpose
    }
    return edit
  }
}

extension KitPad {
  /// Where its transposition puts the sound into another key, the shortest way from where the kit
  /// has it.
  /// - Parameter key: nil is the kit's own.
  /// - Returns: nil where the sound has no key.
  fileprivate func transposition(to key: PitchClass?) -> Float? {
    guard let own = self.key.flatMap({ PitchClass(key: $0) }) else { return nil }
    let shift = key.map { own.semitones(to: $0) } ?? 0
    return PadSetting.transpose.row.kind.bounded(settings.transpose + Float(shift))
  }
}
