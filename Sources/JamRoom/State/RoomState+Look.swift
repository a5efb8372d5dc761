public import JamCore

extension RoomState {
  /// Shows the state to other threads. Mutating, as `findDeadline`.
  mutating func look(at now: Frames, into snapshots: RoomSnapshots) {
    let beat = clock.view.beat(at: now)
    let position = clock.view.position(at: beat)
    let signature = clock.view.signature(at: beat).signature
    let everybody = snapshots.peopleChanged ? roster.everybody : nil
    let people = everybody?.filter { !$0.hasLeft }.map { snapshot(of: $0) }
    let left = everybody?.filter(\.hasLeft).map { snapshot(of: $0) }
    snapshots.update { snapshot in
      if let people { snapshot.people = people }
      if let left { snapshot.left = left }
      snapshot.bpm = clock.bpm(at: beat)
      snapshot.isPlaying = clock.isPlaying
      snapshot.hasClick = hasClick
      snapshot.beatsPerBar = Int(signature.beatsPerBar)
      snapshot.beatUnit = Int(signature.beatUnit)
      snapshot.bar = position.bar
      snapshot.beat = position.beat
      snapshot.phase = position.phase
      snapshot.frame = now
      snapshot.journal = session.journal.state
      snapshot.hits = session.tally.hits
      snapshot.lateHits = session.tally.lateHits
    }
  }

  private func snapshot(of person: Person) -> RoomSnapshot.Person {
    RoomSnapshot.Person(
      name: person.name.text, kit: hands[person.id].kitName, role: person.role,
      isGuest: person.isGuest, latency: person.hearing.latency, isAway: person.isAway,
      index: Int(person.id.index), light: person.hearing.lateness.light,
      isLightHeld: person.hearing.lateness.isHeld)
  }
}

extension RoomState {
  /// Where the room and the player's loop are, as the last tick told them; empty while the
  /// transport stands.
  func positions(of id: PlayerID) -> [Event] {
    guard clock.isPlaying, roster.isHere(id) else { return [] }
    let now = clock.view.beat(at: pulse.ticked)
    guard now >= .zero else { return [] }
    let events = [clock.beatEvent(at: now), clock.positionEvent(at: now)]
    return loopers[id].loop.share(at: now).map { events + [.loopPosition($0)] } ?? events
  }

  /// Whether a loop or a lane plays on by itself, or is about to.
  public var goesRound: Bool {
    clock.isPlaying
      && roster.occupied.contains { id in
        let (loop, lanes) = (loopers[id].loop, loopers[id].lanes)
        return loop.goesRound || loop.isBusy || loop.isAwaited
          || lanes.contains { $0.isPlaying || $0.waiting != nil }
      }
  }

  /// The frame of a beat; bars and beats count from 1; nil while the transport stands.
  public func frame(ofBar bar: Int, beat: Double) -> Frames? {
    guard clock.isPlaying else { return nil }
    let line = clock.map.barLine(max(0, bar - 1), after: .zero)
    let unit = 4 / Double(clock.view.signature(at: line).signature.beatUnit)
    return clock.view.frame(at: line + Beats(nearest: (beat - 1) * unit))
  }

  /// The bar line `count` bars after the first at or after `frame`; nil if the transport stands.
  public func frame(ofBars count: Int, after frame: Frames) -> Frames? {
    guard clock.isPlaying else { return nil }
    return clock.view.frame(at: clock.map.barLine(count, after: clock.barLine(atOrAfter: frame)))
  }

  /// Bars of the longest loop or lane that goes round, rounded up; 0 where none does.
  public var longestRound: Int {
    let lengths = roster.occupied.flatMap { id in
      [loopers[id].loop.goesRound ? loopers[id].loop.length : .zero]
        + loopers[id].lanes.map { $0.isPlaying && $0.isLooped ? $0.row.length : .zero }
    }
    let bar = clock.map.barLine(1, after: .zero)
    return Int(saturating: ((lengths.max() ?? .zero).value / bar.value).rounded(.up))
  }
}
