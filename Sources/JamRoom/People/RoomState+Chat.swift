internal import JamCore

/// One thing that somebody said.
struct ChatLine: Sendable {
  var player: PlayerName
  var text: String
  var at: Frames
}

/// What people say. It is in no log: it changes nothing that is heard.
extension RoomState {
  /// Lines that a newcomer can read.
  static let keptChatLines = 50

  mutating func chat(
    _ text: String, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    guard !text.isEmpty, text.utf8.count <= 1_000 else { throw .messageLength }
    let line = ChatLine(player: self[known: id].name, text: text, at: moment.arrival)
    chatLines = chatLines.suffix(RoomState.keptChatLines - 1) + [line]
    effects.append(.tell(.chat(player: line.player, text: text), .everybody))
  }

  func listChat(at moment: Moment, _ effects: inout [Effect]) {
    let items = chatLines.map { line in
      let age = (moment.arrival - line.at).count / Frames.seconds(1).count
      return Event.chatItem(player: line.player, text: line.text, secondsAgo: Int(max(0, age)))
    }
    if !items.isEmpty { effects.append(.tell(.together(items), .asker)) }
  }
}
