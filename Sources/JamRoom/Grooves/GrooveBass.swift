internal import JamCore

/// A pad that plays the bass of a groove, and its note untransposed.
struct GrooveBass {
  let pad: Pad
  /// A MIDI note in the octave from C2 on. The sound's own octave is unknown.
  let note: Int

  /// The lowest root, so that no root is far from the sound's own pitch.
  var lowestRoot: Int { note - 5 }

  /// The first of a player's pads that is a bass and whose pitch is known; nil where there is none.
  init?(among pads: [PadState]) {
    for (index, state) in pads.enumerated() where state.sound != nil {
      guard state.settings.mode != .loop, let pad = Pad(index + 1), let description = state.description,
        description.category == "bass",
        let pitch = GrooveBass.pitch(of: description)
      else { continue }
      self.pad = pad
      note = 36 + pitch.number
      return
    }
    return nil
  }

  /// The note behind the name of a pad, as in `Bass C`; else the first note of its key.
  /// - Returns: nil where it is unknown, or not one pitch.
  private static func pitch(of pad: KitPad) -> PitchClass? {
    guard !pad.name.lowercased().contains("glide"), let key = pad.key else { return nil }
    let last = pad.name.split(separator: " ").last.map(String.init) ?? ""
    if let root = KeyRoot(rawValue: last) { return root.pitch }
    return key.split(separator: " ").first.flatMap { KeyRoot(written: String($0)) }?.pitch
  }
}
