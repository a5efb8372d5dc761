import JamCore

@testable import JamRoom

extension FuzzRoom {
  /// - Returns: what does not hold of the room as it is.
  func broken() -> [String] {
    var broken: [String] = []
    func limit(_ count: Int, _ most: Int, _ what: String) {
      if count > most { broken.append("\(count) \(what), and \(most) are the most") }
    }
    let limits = state.limits
    limit(state.queue.waiting.count + state.queue.pending.count, limits.pendingHits * 2, "hits that wait")
    limit(state.queue.scheduled.count, limits.pendingHits * 2, "commands that wait for their time")
    if state.queue.scheduledHits != state.queue.scheduled.count(where: { $0.command.isHit }) {
      broken.append("the hits that wait for their time are miscounted")
    }
    limit(state.queue.releases.count, limits.pendingHits * 2, "releases that wait")
    // A build-up follows another on the next bar line: two ramps.
    limit(state.map.tempos.count, limits.tempoChangesKept + limits.tempoChangesAhead + 2_100, "segments")
    limit(state.map.signatures.count, 4_096, "signatures")
    limit(state.roster.chat.lines.count, Chat.kept, "lines of chat")
    limit(state.library.blocks.all.count, limits.blocksPerRoom, "blocks")
    limit(state.library.ownSounds.count, limits.ownSounds, "sounds")
    limit(state.session.history.done.count, limits.editsPerRoom + 1, "edits of the room")
    limit(state.clock.outside.strangers.count, limits.playersPerRoom, "clocks that are not followed")
    limit(state.clock.outside.follower.count, 4_096, "ticks")
    var names: Set<PlayerName> = []
    for player in state.players {
      if !names.insert(player.name).inserted { broken.append("two are called \(player.name)") }
      limit(player.name.text.utf8.count, limits.nameBytes, "bytes in a name")
      limit(player.desk.taps.count, 8, "taps")
      limit(player.desk.waitingCommands.count, 257, "commands that wait for a kit")
      limit(player.desk.history.done.count, limits.editsPerPlayer + 1, "edits")
      limit(player.desk.history.weight, limits.editWeightPerPlayer * 2 + 8_192, "units in edits")
      limit(player.looper.loop.captured.count, limits.hitsPerLayer, "hits taken down")
      limit(player.looper.loop.late.count, limits.hitsPerLayer * 2, "late hits")
      limit(player.looper.loop.layers.count, limits.layersPerLoop, "layers")
      check(player.looper.loop, of: player, &broken)
    }
    if let player = state.roster.people.first, (try? state.value(of: .tempo, for: player.id)) == nil {
      broken.append("the tempo cannot be read")
    }
    if state.schedule.advanced < state.pulse.ticked { broken.append("the loops are behind the clock") }
    for (a, b) in zip(state.map.tempos, state.map.tempos.dropFirst()) where a.startBeat > b.startBeat {
      broken.append("the tempo map runs backwards at \(b.startBeat.value)")
    }
    return broken
  }

  private func check(_ loop: Loop, of player: Player, _ broken: inout [String]) {
    for case let layer? in loop.layers {
      for track in layer.tracks {
        if track.hits.count > state.limits.hitsPerLayer { broken.append("\(track.hits.count) hits in a track") }
        // Steps behind the end stay.
        let end = track.steps == nil ? track.length : Track.step * state.limits.steps
        if !track.hits.allSatisfy({ $0.position >= .zero && $0.position < end }) {
          broken.append("\(player.name)'s hits reach beyond their loop")
        }
        if !track.hits.allSatisfy({ ($0.length ?? .zero) >= .zero }) { broken.append("a hit ends before it begins") }
      }
    }
  }
}
