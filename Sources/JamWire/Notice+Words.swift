public import JamCore

extension Notice {
  /// The address that the message was sent to.
  var address: String {
    switch self {
    case .velocitiesAreMIDI(let pad): "/\(pad.note.map { "key/\($0)" } ?? "pad/\(pad.number)")"
    case .clockInPairs: "/midi"
    case .notTakenBack: "/undo"
    case .notDoneAgain: "/redo"
    case .stillPlayed(_, let player): "/player/\(player)/takeback"
    case .notSubscribed, .stateLater: "/subscribe"
    }
  }

  /// The code that programs compare: a stable word for each notice.
  public var code: String {
    switch self {
    case .velocitiesAreMIDI: "velocities-are-midi"
    case .clockInPairs: "clock-in-pairs"
    case .notTakenBack: "not-taken-back"
    case .notDoneAgain: "not-done-again"
    case .stillPlayed: "still-played"
    case .notSubscribed: "not-subscribed"
    case .stateLater: "state-later"
    }
  }

  /// How the room understood the message, and how to send a different meaning.
  public var text: String {
    switch self {
    case .velocitiesAreMIDI:
      """
      a number above 1 is a velocity: from now on your integers, and your floats from 2 on, are MIDI's \
      velocities, 127 is full; /velocity/max 127 makes all your numbers so, /velocity/max 1 takes that back
      """
    case .clockInPairs(let bpm):
      """
      the clock's ticks come in pairs and are followed as \(bpm) bpm: if the same clock comes by two cables, \
      take one of them out
      """
    case .notTakenBack(let setting): setting.whyItStays + "; /undo again takes back what you did before"
    case .notDoneAgain(let setting): setting.whyItStays + "; /redo again does again what you took back before"
    case .stillPlayed(let names, let player):
      """
      others play \(Notice.list(names)) of \(player): that stays with them, and is in no list any \
      more; /room/undo puts it back
      """
    case .notSubscribed:
      """
      you are heard, and lights come back to the port that you send from: send /subscribe <port> \
      for them there, with beats and hits, or /subscribe for those, too
      """
    // Short, because an unproven address has paid for few bytes.
    case .stateLater: "echo /cookie for the state, or it comes as you play"
    }
  }

  private static func list(_ names: [String]) -> String {
    let (shown, rest) = (names.prefix(8).map { "“\($0)”" }, names.dropFirst(8).count)
    return Wording.list(shown + (rest > 0 ? ["\(rest) more"] : []), "and")
  }
}

extension Setting {
  fileprivate var whyItStays: String {
    """
    \(words) stays as it is: somebody else, a clock or a build-up has changed it since, or it is not yours \
    to set any more
    """
  }
}
