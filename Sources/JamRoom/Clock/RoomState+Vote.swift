internal import JamCore

/// How the room decides on its tempo.
struct Election: Equatable, Sendable {
  var mode = TempoMode.free
  /// The bar line on which the votes count; nil where they are what they were.
  var line: Beats?
  /// A host has set the tempo since the last vote: it stands until somebody votes again.
  var isOverruled = false
}

/// Votes on the tempo: from the next bar line on it is the median of what those present ask for.
///
/// Votes are counted when one comes, changes or goes. A host's `/tempo` stands until somebody votes again, whatever else changes; a build-up
/// and a MIDI clock are waited for. A score holds the votes and what came of them, and counts nothing.
extension RoomState {
  mutating func setTempoMode(
    _ word: String, by id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) throws(Refusal) {
    guard let mode = TempoMode(rawValue: word) else { throw .unknownWord(.mode, word) }
    try roster.requireHost(id, for: .setTempoMode)
    commit(.command(.set(.tempoMode, .text(word))), by: roster[id].name, at: frame, &effects)
    guard mode != clock.election.mode else { return }
    clock.election = Election(mode: mode)
    for player in roster.people where player.vote != nil {
      roster[player.id].vote = nil
      tell(.tempoVote, of: player.id, &effects)
    }
    tellVotes(&effects)
  }

  /// - Parameter bpm: 20…300; 0 takes the vote back.
  mutating func vote(_ bpm: Float, by id: PlayerID, at frame: Frames, _ effects: inout [Effect]) throws(Refusal) {
    try roster.requireUnlocked(.tempo, id)
    guard clock.election.mode == .vote else {
      throw .noVote
    }
    guard bpm == 0 || Tempo.range.contains(Double(bpm)) else {
      throw .voteOutOfRange
    }
    roster[id].vote = bpm == 0 ? nil : bpm
    clock.election.isOverruled = false
    commit(.command(.set(.tempoVote, .float(bpm))), by: roster[id].name, at: frame, &effects)
    tell(.tempoVote, of: id, &effects)
    tellVotes(&effects)
    planCount(at: frame)
  }

  /// Somebody who might have voted left, or may not vote any more.
  /// - Parameter had: its vote, which is no more.
  mutating func leaveVote(_ had: Float?, at frame: Frames, _ effects: inout [Effect]) {
    guard clock.election.mode == .vote else { return }
    tellVotes(&effects)
    if had != nil, !clock.election.isOverruled { planCount(at: frame) }
  }

  /// A host's word on the tempo where the room votes: what was voted before it counts no more.
  mutating func overruleVotes(_ effects: inout [Effect]) {
    guard clock.election.mode == .vote else { return }
    clock.election.line = nil
    clock.election.isOverruled = true
    if roster.people.contains(where: { $0.vote != nil }) { tellVotes(&effects) }
  }

  private mutating func planCount(at frame: Frames) {
    guard clock.election.line == nil else { return }
    clock.election.line = clock.isPlaying ? clock.barLine(atOrAfter: frame) : .zero
  }

  /// The clock has changed at `frame`, and with it where the next bar line is.
  mutating func planVote(at frame: Frames) {
    guard clock.election.line != nil else { return }
    clock.election.line = nil
    planCount(at: frame)
  }

  /// When the votes are counted; at once where the transport stands.
  var voteDeadline: Frames? {
    clock.election.line.map { clock.isPlaying ? clock.view.frame(at: $0) - RoomState.liveDelay : .zero }
  }

  mutating func voteOn(at now: Frames, _ effects: inout [Effect]) {
    guard let line = clock.election.line, let due = voteDeadline, due <= now else { return }
    guard buildUps.current == nil, clock.outside.source == nil else {
      // Stopped, there is neither line nor build-up, and a clock moves nothing.
      let next = clock.view.barLine(atOrAfter: line + Beats(microBeats: 1))
      return clock.election.line = clock.isPlaying ? next : nil
    }
    clock.election.line = nil
    refuseVotes(&effects)
    guard let bpm = outcome, let voter = roster.people.first(where: { $0.vote != nil }) else { return }
    let frame = notBeforeAdvanced(clock.isPlaying ? clock.view.frame(at: line) : now + RoomState.liveDelay)
    advanceLoops(until: frame, &effects)
    let before = Float(clock.map.settledTempo.beatsPerMinute)
    // What moved to its vote and was not followed goes back to what holds.
    guard before != bpm else { return tell(.tempo, of: voter.id, &effects) }
    changeTempo(Tempo(clamping: Double(bpm)), by: voter.id, at: frame, &effects)
    remember(.tempo, .float(before), .float(bpm), at: frame, by: nil)
  }

  /// The tempo may have been locked since: the votes of those who may not change it any more do not count, and are taken back.
  private mutating func refuseVotes(_ effects: inout [Effect]) {
    var isAny = false
    for player in roster.people {
      guard let vote = player.vote else { continue }
      do throws(Refusal) {
        try roster.requireUnlocked(.tempo, player.id)
      } catch {
        isAny = true
        roster[player.id].vote = nil
        effects.append(.tell(.refused(.set(.tempoVote, .float(vote)), error), .player(player.id)))
        for setting in [.tempoVote, .tempo] as [Setting] { tell(setting, of: player.id, &effects) }
      }
    }
    if isAny { tellVotes(&effects) }
  }

  /// The median; of an even number of votes the mean of the two in the middle.
  private var outcome: Float? {
    let votes = roster.people.compactMap(\.vote).sorted()
    guard !votes.isEmpty else { return nil }
    return (votes[(votes.count - 1) / 2] + votes[votes.count / 2]) / 2
  }

  var voteReport: VoteReport {
    VoteReport(
      votes: roster.people.count { $0.vote != nil }, people: roster.people.count { $0.role != .listener },
      bpm: (clock.election.isOverruled ? nil : outcome) ?? Float(buildUps.tempo(of: clock.map).beatsPerMinute))
  }

  func tellVotes(_ effects: inout [Effect]) { effects.append(.tell(.votes(voteReport), .everybody)) }
}
