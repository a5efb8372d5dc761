internal import JamCore

extension Notice {
  /// The address that the message was sent to.
  var address: String {
    switch self {
    case .velocitiesAreMIDI(let pad): "/pad/\(pad.number)"
    }
  }

  /// What it was taken for, and how to say otherwise.
  var text: String {
    switch self {
    case .velocitiesAreMIDI:
      "an integer above 1 hit a pad: from now on your integers are MIDI's velocities, 127 is full; /velocity/max 1 takes that back"
    }
  }
}
