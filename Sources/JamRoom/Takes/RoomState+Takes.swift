internal import JamCore

/// Requests about takes. The server answers by `takeAnswered`.
extension RoomState {
  func checkTake(_ command: TakeCommand, by id: PlayerID) throws(Refusal) {
    switch command {
    case .rename(_, let name): guard name.isEmpty || ShownName.isValid(name) else { throw .badTakeName }
    case .delete: try roster.requireHost(id, for: .deleteTake)
    case .play: if !clock.isPlaying { try checkPlay(by: id) }
    case .start, .stop, .keep, .star, .trim, .endPlaying, .list, .export, .exportProject, .cancelExport: break
    }
  }

  mutating func take(_ command: TakeCommand, by id: PlayerID, at moment: Moment) {
    if command == .endPlaying {
      if isToCome(\.isTake) {
        withdrawScheduled(where: \.isTake)
        if queue.take == nil { outbox.append(.tell(.takePlaying(""), .everybody)) }
      }
      return endTake()
    }
    let now = effectFrame(moment)
    let line = clock.view.barLine(atOrBefore: clock.view.beat(at: now))
    var (begin, end) = (clock.view.frame(at: line), now)
    if case .keep(let bars) = command {
      end = begin
      let first = (0..<bars).reduce(line) { line, _ in
        clock.view.barLine(atOrBefore: line - Beats(microBeats: 1))
      }
      begin = max(.zero, clock.view.frame(at: first))
    }
    outbox.append(
      .take(
        TakeOrder(
          command: command, token: roster[id].token, saver: roster[id].saver, project: session.project.name, end: end,
          begin: max(.zero, begin), isHost: roster.actsAsHost(id))))
  }

  /// The outcome of an order.
  mutating func takeAnswered(_ order: TakeOrder, _ answer: TakeAnswer, at frame: Frames) {
    let asker = roster.player(token: order.token)
    switch answer {
    case .items(let items):
      outbox.append(.tell(.together(items.map { .takeItem($0) }), asker.map { .player($0) } ?? .asker))
    case .notes(let notes):
      // A player who has left by now hears nothing of it.
      guard let asker else { return }
      guard clock.isPlaying else {
        guard roster.isUnlocked(.tempo, asker) else { return }
        play(by: asker, at: Moment(arrival: frame - RoomState.liveDelay))
        return beginTake(notes, at: .zero, by: asker)
      }
      beginTake(notes, at: clock.barLine(atOrAfter: frame + HitQueue.ahead), by: asker)
    case .done: break
    case .refused(let refusal):
      if let asker { outbox.append(.tell(.refused(.take(order.command), refusal), .player(asker))) }
    }
  }

  /// - Parameter id: the take that is recorded from now on; empty where none is.
  mutating func takes(_ id: String, isStarted: Bool) {
    guard session.take != id || session.isTakeStarted != isStarted else { return }
    (session.take, session.isTakeStarted) = (id, isStarted)
    outbox.append(.tell(.take(id, isStarted: isStarted), .everybody))
  }
}
