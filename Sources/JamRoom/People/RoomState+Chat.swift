internal import JamCore

/// What people say. It is in no log: it changes nothing that is heard.
extension RoomState {
  func checkChat(_ text: String) throws(Refusal) {
    guard !text.isEmpty, text.utf8.count <= limits.messageBytes else { throw .messageLength }
  }

  mutating func chat(_ text: String, by id: PlayerID, at moment: Moment) {
    let line = ChatLine(player: roster[id].name, text: text, at: moment.arrival)
    roster.chat.add(line)
    outbox.append(.tell(.chat(player: line.player, text: text), .everybody))
  }

  mutating func listChat(at moment: Moment) {
    let items = roster.chat.lines.map { line in
      let age = (moment.arrival - line.at).count / Frames.seconds(1).count
      return Event.chatItem(player: line.player, text: line.text, secondsAgo: Int(max(0, age)))
    }
    if !items.isEmpty { outbox.append(.tell(.together(items), .asker)) }
  }
}
