internal import JamCore

/// One thing that somebody said.
struct ChatLine: Equatable, Sendable {
  var player: PlayerName
  var text: String
  var at: Frames
}

/// What was said last, for those who come later.
struct Chat: Equatable, Sendable {
  private(set) var lines: [ChatLine] = []

  init(_ lines: [ChatLine] = []) { self.lines = lines.suffix(Chat.kept) }

  /// Lines that a newcomer can read.
  static let kept = 50

  mutating func add(_ line: ChatLine) { lines = lines.suffix(Chat.kept - 1) + [line] }
}
