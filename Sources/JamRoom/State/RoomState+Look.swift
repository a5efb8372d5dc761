internal import JamCore

extension RoomState {
  /// Shows the state to other threads.
  func look(at now: Frames, into snapshots: RoomSnapshots) {
    let beat = clock.view.beat(at: now)
    let position = clock.view.position(at: beat)
    let signature = clock.view.signature(at: beat).signature
    let people: [RoomSnapshot.Person]? =
      snapshots.peopleChanged
      ? roster.people.map {
        RoomSnapshot.Person(
          name: $0.name.text, kit: $0.kitName, role: $0.role, isGuest: $0.isGuest, latency: $0.latency,
          isAway: $0.isAway, index: Int($0.id.index))
      } : nil
    snapshots.update { snapshot in
      if let people { snapshot.people = people }
      snapshot.bpm = Float(clock.view.tempo(at: beat).beatsPerMinute)
      snapshot.isPlaying = clock.isPlaying
      snapshot.hasClick = hasClick
      snapshot.beatsPerBar = Int(signature.beatsPerBar)
      snapshot.beatUnit = Int(signature.beatUnit)
      snapshot.bar = position.bar
      snapshot.beat = position.beat
      snapshot.phase = position.phase
      snapshot.frame = now
      snapshot.journal = library.journal.state
      snapshot.hits = tally.hits
      snapshot.lateHits = tally.lateHits
    }
  }
}
