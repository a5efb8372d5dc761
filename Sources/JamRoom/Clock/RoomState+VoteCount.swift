internal import JamCore
internal import JamEngine

/// The bar line on which votes are counted.
extension RoomState {
  mutating func voteOn(at now: Frames) {
    guard let line = clock.election.line, let due = clock.voteDeadline, due <= now else { return }
    guard clock.buildUps.current == nil, clock.outside.source == nil else {
      // Stopped, there is neither line nor build-up, and a clock moves nothing.
      let next = clock.view.barLine(atOrAfter: line + Beats(microBeats: 1))
      return clock.election.line = clock.isPlaying ? next : nil
    }
    clock.election.line = nil
    refuseVotes()
    guard let bpm = outcome, let voter = present.first(where: { desks[$0].vote != nil }) else { return }
    let frame = notBeforeAdvanced(clock.isPlaying ? clock.view.frame(at: line) : now + RoomState.liveDelay)
    advanceLoops(until: frame)
    let before = Float(clock.map.settledTempo.beatsPerMinute)
    // A voter's control that moved to its vote, without effect, goes back to the room's tempo.
    guard before != bpm else { return tell(.tempo, of: voter) }
    changeTempo(Tempo(clamping: Double(bpm)), by: voter, at: frame)
    remember(.tempo, .float(before), .float(bpm), at: frame, by: nil)
  }

  /// The tempo may be locked by now: votes of players without the right are taken back.
  private mutating func refuseVotes() {
    var isAny = false
    for player in roster.people {
      guard let vote = desks[player.id].vote else { continue }
      do throws(Refusal) {
        try roster.requireUnlocked(.tempo, player.id)
      } catch {
        isAny = true
        desks[player.id].vote = nil
        outbox.append(.tell(.refused(.set(.tempoVote, .float(vote)), error), .player(player.id)))
        for setting in [.tempoVote, .tempo] as [Setting] { tell(setting, of: player.id) }
      }
    }
    if isAny { tellVotes() }
  }
}
