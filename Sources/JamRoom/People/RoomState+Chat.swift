internal import JamCore

/// The chat, and reactions. No log has them: they change no sound.
extension RoomState {
  func checkChat(_ text: String) throws(Refusal) {
    guard !text.isEmpty, text.utf8.count <= limits.messageBytes else { throw .messageLength }
  }

  mutating func chat(_ text: String, by id: PlayerID, at moment: Moment) {
    let line = ChatLine(player: roster[id].name, text: text, at: moment.arrival)
    roster.chat.add(line)
    outbox.append(.tell(.chat(player: line.player, text: text), .everybody))
  }

  func checkReact(to name: PlayerName?, by id: PlayerID, at moment: Moment) throws(Refusal) {
    if let name { _ = try roster.find(name) }
    guard desks[id].reactions.mayReact(at: moment.arrival) else {
      throw .reactionsTooFast(atOnce: ReactionPace.atOnce)
    }
  }

  mutating func react(
    _ reaction: Reaction, to name: PlayerName?, by id: PlayerID, at moment: Moment
  ) {
    desks[id].reactions.note(at: moment.arrival)
    outbox.append(.tell(.reacted(reaction, by: roster[id].name, to: name), .everybody))
  }
}
