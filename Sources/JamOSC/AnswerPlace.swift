internal import JamCore

/// The address that a command came to, where the room knows the command by another one:
/// `/n/<address>`, or an address behind a room, a player or a seat. A value answered at the
/// sender's own address would move the sender's own control.
struct AnswerPlace {
  let address: String
  /// Whether values are shares of their ranges.
  let isShare: Bool
  /// Whether the command asks for one value, which is answered there. Refusals always are.
  let takesValue: Bool
}

extension Command {
  /// Whether it asks for the value of a setting.
  var isRead: Bool {
    if case .read = self { true } else { false }
  }
}
