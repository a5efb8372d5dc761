internal import JamCore

/// The room's way to decide on its tempo.
struct Election: Equatable, Sendable {
  var mode = TempoMode.free
  /// The bar line on which the votes count; nil while no vote has changed.
  var line: Beats?
  /// A host has set the tempo since the last vote: it stands until somebody votes again.
  var isOverruled = false
}

/// Votes on the tempo: from the next bar line on it is the median of what those present ask for.
///
/// A new, changed or withdrawn vote is counted, after any build-up or MIDI clock. A host's tempo
/// stands until the next vote, whatever changes. Scores have votes and results, and count none.
extension RoomState {
  /// Whether what the player does to the tempo is a vote.
  func isVoter(_ id: PlayerID) -> Bool { clock.election.mode == .vote && !roster.actsAsHost(id) }

  func checkSetTempoMode(_ word: String, by id: PlayerID) throws(Refusal) {
    if TempoMode(rawValue: word) == nil { throw .unknownWord(.mode, word) }
    try roster.requireHost(id, for: .setTempoMode)
  }

  mutating func setTempoMode(_ word: String, by id: PlayerID, at frame: Frames) {
    guard let mode = TempoMode(rawValue: word) else { return }
    commit(.command(.set(.tempoMode, .text(word))), by: id, at: frame)
    guard mode != clock.election.mode else { return }
    clock.election = Election(mode: mode)
    for id in present where desks[id].vote != nil {
      desks[id].vote = nil
      tell(.tempoVote, of: id)
    }
    tellVotes()
  }

  func checkVote(_ bpm: Float, by id: PlayerID) throws(Refusal) {
    try roster.requireUnlocked(.tempo, id)
    guard clock.election.mode == .vote else { throw .noVote }
    guard bpm == 0 || Tempo.range.contains(Double(bpm)) else { throw .voteOutOfRange }
  }

  /// - Parameter bpm: 20…300; 0 takes the vote back.
  mutating func vote(_ bpm: Float, by id: PlayerID, at frame: Frames) {
    desks[id].vote = bpm == 0 ? nil : bpm
    clock.election.isOverruled = false
    commit(.command(.set(.tempoVote, .float(bpm))), by: id, at: frame)
    tell(.tempoVote, of: id)
    tellVotes()
    clock.planCount(at: frame)
  }

  /// Somebody who might have voted left, or may not vote any more.
  /// - Parameter had: its vote, which is no more.
  mutating func leaveVote(_ had: Float?, at frame: Frames) {
    guard clock.election.mode == .vote else { return }
    tellVotes()
    if had != nil, !clock.election.isOverruled { clock.planCount(at: frame) }
  }

  /// A host sets the tempo of a room that votes: earlier votes count no more.
  mutating func overruleVotes() {
    guard clock.election.mode == .vote else { return }
    clock.election.line = nil
    clock.election.isOverruled = true
    if present.contains(where: { desks[$0].vote != nil }) { tellVotes() }
  }
}
