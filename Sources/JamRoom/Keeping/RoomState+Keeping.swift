internal import JamCore

extension RoomState {
  /// Whether the room is kept, as of now: everybody is told of a change.
  mutating func journalIs(_ report: JournalReport, _ effects: inout [Effect]) {
    guard library.journal != report else { return }
    library.journal = report
    effects.append(.tell(.journal(report), .everybody))
  }
}
