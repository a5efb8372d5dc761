internal import JamCore

/// One thing that somebody said.
struct ChatLine: Equatable, Sendable {
  var player: PlayerName
  var text: String
  var at: Frames
}

/// The last lines, for later comers.
struct Chat: Equatable, Sendable {
  private(set) var lines: [ChatLine] = []

  init(_ lines: [ChatLine] = []) { self.lines = lines.suffix(Chat.kept) }

  /// Lines that a newcomer can read.
  static let kept = 50

  /// The lines for somebody who asks; nil where there are none.
  func events(at now: Frames) -> [Event]? {
    guard !lines.isEmpty else { return nil }
    return lines.map { line in
      let age = (now - line.at).count / Frames.seconds(1).count
      return .chatItem(player: line.player, text: line.text, secondsAgo: Int(max(0, age)))
    }
  }

  mutating func add(_ line: ChatLine) { lines = lines.suffix(Chat.kept - 1) + [line] }
}
