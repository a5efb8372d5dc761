internal import JamCore

/// The chat. No log has it: it changes no sound.
extension RoomState {
  func checkChat(_ text: String) throws(Refusal) {
    guard !text.isEmpty, text.utf8.count <= limits.messageBytes else { throw .messageLength }
  }

  mutating func chat(_ text: String, by id: PlayerID, at moment: Moment) {
    let line = ChatLine(player: roster[id].name, text: text, at: moment.arrival)
    roster.chat.add(line)
    outbox.append(.tell(.chat(player: line.player, text: text), .everybody))
  }
}
