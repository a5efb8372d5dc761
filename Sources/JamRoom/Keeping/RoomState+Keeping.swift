internal import JamCore

extension RoomState {
  /// Whether the room is kept, as of now: everybody is told of a change.
  mutating func journalIs(_ report: JournalReport) {
    guard session.journal != report else { return }
    session.journal = report
    outbox.append(.tell(.journal(report), .everybody))
  }
}
