/// Something that whoever sent it should know once: it was understood, but may have been meant otherwise.
public enum Notice: Hashable, Sendable {
  /// An integer above 1 hit a pad: from now on the player's integers are MIDI's velocities.
  case velocitiesAreMIDI(Pad)
}
