public import JamCore
internal import JamEngine
internal import JamRealtime

/// The beginning of a score that is written from the midst of a session: all settings until then,
/// as if made in the first moment.
public struct ScorePrelude: Sendable {
  /// In the order in which they are carried out.
  public private(set) var entries: [LogEntry]

  /// Reads kits and sounds. Thread: any that may wait.
  /// - Parameters:
  ///   - image: the room as it was.
  ///   - firstBar: where bar 1 begins in the score; nil where the transport stands.
  ///   - newcomer: the first to come after the image: starts the transport if nobody was there.
  public init(
    of image: RoomImage, room: PlayerName, from kitStore: KitStore, firstKit: PlayableKit, firstBar: Frames?,
    newcomer: PlayerName? = nil
  ) {
    var items: [String: [KeptValue]] = [:]
    for item in RoomImage.change(from: nil, to: image).items { items[item.name] = item.values }
    let kept = KeptRoom(items, from: kitStore)
    // No clock steps it and nobody hears it. Background work of a live room is done at once.
    let (commands, events) = (RingOwner<EngineCommand>(capacity: 1_024), RingOwner<EngineEvent>(capacity: 16))
    let state = RoomState(
      name: room, kits: kitStore.kits, firstKit: firstKit, anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)),
      tempo: image.tempo, hostWord: "", reservedNames: [], instruments: kitStore.instruments)
    let carrier = EffectCarrier(state, commands: commands.ring, events: events.ring)
    let answers = PromptAnswers(from: kitStore)
    var logged: [LogEntry] = []
    carrier.state.begin()
    carrier.state.comeBack(kept)
    carrier.carryOut { effect in
      if case .log(let entry) = effect { logged.append(entry) }
      answers.answer(effect, at: .zero, in: carrier)
    }
    withExtendedLifetime((commands, events)) {}
    entries = logged
    guard let firstBar, let player = entries.first?.player ?? newcomer else { return }
    // A transport that starts begins bar 1 there.
    for (command, frame) in [(Command.stop, Frames.zero), (.play, firstBar)] {
      entries.append(
        LogEntry(sequence: carrier.state.session.tally.next(), frame: frame, player: player, action: .command(command)))
    }
  }
}
