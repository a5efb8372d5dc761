/// The habits of a sender that the edge has noticed.
///
/// Thread: one at a time.
struct SenderHabits {
  /// The kinds of unknown addresses that the sender was already told about.
  var unknown = UnknownKinds()
  /// The faders to which the sender sends numbers of MIDI.
  var faders = MIDIFaders()
}
