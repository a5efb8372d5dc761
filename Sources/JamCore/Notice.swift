/// Something that whoever sent it should know: it was understood, but may have been meant otherwise, or it changed nothing.
public enum Notice: Hashable, Sendable {
  /// A number above 1 hit a pad: from now on the player's integers, and its floats from 2 on, are
  /// MIDI's velocities.
  case velocitiesAreMIDI(Pad)
  /// The ticks of the MIDI clock that the sender's room follows come in pairs: it may be the same
  /// clock by two cables.
  case clockInPairs(bpm: Int)
  /// The player set that value of the room's, and cannot take it back or set it again: it is another by now, or not its to set.
  case notTakenBack(Setting), notDoneAgain(Setting)
  /// The sender plays by single packets, and nothing is told to its address.
  case notSubscribed
}
