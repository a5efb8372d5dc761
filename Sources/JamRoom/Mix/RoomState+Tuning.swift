internal import JamCore
internal import JamEngine

/// A kit heard in another key.
extension RoomState {
  /// Sets the transposition of all pads whose sounds have a key, as if the player had: one edit, which `/undo` takes back.
  /// - Parameter key: a note's name, `room` for the room's key; empty for the kit's own transpositions.
  mutating func tuneKit(
    to key: String, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    let wanted = key == "room" ? mix.key.root.pitch : PitchClass(key: key)
    guard wanted != nil || key.isEmpty else { throw .noSuchKey(key) }
    let tuned = Pad.all.compactMap { pad -> (pad: Pad, transpose: Float)? in
      guard let sound = roster[id][pad].description, let own = sound.key.flatMap({ PitchClass(key: $0) })
      else { return nil }
      let shift = wanted.map { own.semitones(to: $0) } ?? 0
      return (pad, PadSetting.transpose.row.kind.bounded(sound.settings.transpose + Float(shift)))
    }
    guard !tuned.isEmpty else { throw .noKeyInKit }
    let before = KitEdit(roster[id])
    let frame = effectFrame(moment)
    for (pad, transpose) in tuned where roster[id][pad].settings.transpose != transpose {
      let setting = Setting.pad(.transpose, pad)
      _ = setPad(setting, to: .float(transpose), by: id, at: frame, &effects)
      tell(setting, of: id, &effects)
    }
    let after = KitEdit(roster[id])
    guard after != before else { return }
    remember(.kit(before, after), of: id, at: frame)
  }
}
