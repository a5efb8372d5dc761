/// A fact that the sender of a command should know. The room understood the command, but the sender
/// may have meant something else, or the command changed nothing.
public enum Notice: Hashable, Sendable {
  /// A number above 1 hit a pad. From now on the player's integers, and its floats from 2 on, are
  /// read as MIDI's velocities.
  case velocitiesAreMIDI(Pad)
  /// The ticks of the MIDI clock that the sender's room follows come in pairs. The same clock may
  /// arrive by two cables.
  case clockInPairs(bpm: Int)
  /// The player set that value of the room, but cannot undo or redo the change: the value has
  /// changed since, or the player may not set it.
  case notTakenBack(Setting), notDoneAgain(Setting)
  /// All of that player was taken back. These kits and sounds, by their names, stay with others who
  /// have them, and are in no list.
  case stillPlayed([String], of: PlayerName)
  /// The sender plays with single packets, and receives no feedback at its address.
  case notSubscribed
  /// The sender subscribed from an address that may be forged, so the state comes later.
  case stateLater
}
