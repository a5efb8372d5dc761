internal import JamCore
internal import JamEngine
internal import JamRealtime

/// A room's state and its way to the engine: carries out the steps' effects. A live room, an
/// offline one and each rig of the tests have one.
///
/// The counts of hits are taken here, before the command goes onto the ring. The engine gives a
/// count back, or this does if the ring is full. The history for grabs holds sounds, and counts
/// nothing. Thread: the room's. It allocates nothing for a hit once its buffers have grown.
final class EffectCarrier {
  // Unchecked exclusivity for every hit's path: all is on one thread, and no step calls back.
  /// Its outbox holds the effects since `carryOut`.
  @exclusivity(unchecked) var state: RoomState
  @exclusivity(unchecked) private var spare: [Effect] = []
  /// Changes a hit on its way to the engine by its line of the log; nil in a live room.
  @exclusivity(unchecked) var shape: ((inout VoiceStart, LogEntry) -> Void)?
  let history: EngineHistory?
  private let commands: Ring<EngineCommand>
  private let events: Ring<EngineEvent>
  private let sounds: SoundKeeper
  private let status: EngineStatus?
  /// The newest tempo map, where a full ring did not take it.
  @exclusivity(unchecked) private var owedMap: EngineCommand?
  private var retiredMaps: [(map: TempoMapMemory, revision: UInt64)] = []
  /// With so many it is looked which of them the engine let go.
  private var retireAt = 0

  /// - Parameters:
  ///   - commands: the engine's. The rings' memory must outlive this.
  ///   - events: what the engine tells.
  ///   - status: nil where no engine is behind the rings.
  ///   - history: remembers the commands; nil where nobody asks for them again.
  init(
    _ state: RoomState, commands: Ring<EngineCommand>, events: Ring<EngineEvent>, sounds: SoundKeeper = SoundKeeper(),
    status: EngineStatus? = nil, history: EngineHistory? = nil
  ) {
    self.state = state
    self.commands = commands
    self.events = events
    self.sounds = sounds
    self.status = status
    self.history = history
  }

  /// - Parameter parts: keep them as long as this.
  convenience init(_ state: RoomState, to parts: EngineParts, history: EngineHistory? = nil) {
    self.init(
      state, commands: parts.commands.ring, events: parts.events.ring, sounds: parts.sounds,
      status: parts.engine.status, history: history)
  }

  /// Carries out the state's effects, and the effects of these.
  /// - Parameter answer: gets the effects that are not the engine's, in order: events, log, reads,
  ///   writes. It may step the state.
  func carryOut(_ answer: (Effect) -> Void) {
    // Swapped out first: carrying out one effect may bring about others.
    while !state.outbox.isEmpty {
      var current = state.outbox.take(leaving: exchange(&spare, with: []))
      // Taken out, leaving nothing in its place: reading an effect would copy it with all it holds.
      for i in current.indices {
        if let shape { EffectCarrier.shape(i, in: &current, shape) }
        carryOut(exchange(&current[i], with: .peopleChanged), answer)
      }
      current.removeAll(keepingCapacity: true)
      spare = current
    }
  }

  private func carryOut(_ effect: Effect, _ answer: (Effect) -> Void) {
    switch effect {
    case .engine(let command, let sound): send(command, reads: sound)
    case .retireMap(let map, let revision): retire(map, until: revision)
    default: answer(effect)
    }
  }

  /// A hit's line of the log comes right behind its command.
  private static func shape(_ index: Int, in effects: inout [Effect], _ shape: (inout VoiceStart, LogEntry) -> Void) {
    guard index + 1 < effects.count, case .engine(var command, let sound) = effects[index],
      case .start(var start) = command.action, case .log(let entry) = effects[index + 1],
      entry.sequence == command.sequence
    else { return }
    shape(&start, entry)
    command.action = .start(start)
    effects[index] = .engine(command, reads: sound)
  }

  private func send(_ command: EngineCommand, reads sound: PlayableSound?) {
    if let sound { sounds.take(sound) }
    // The engine empties the ring each buffer; it holds far more than a buffer's worth of hits.
    guard !commands.push(command) else {
      if case .tempoMap = command.action { owedMap = nil }
      history?.record(command, reads: sound)
      return
    }
    // The engine would play another tempo for good: a newer map, or `hearEngine`, brings it.
    if case .tempoMap = command.action { return owedMap = command }
    sound?.use.release()
    guard !command.action.isOfCue else { return state.forgetCues() }
    state.refusedHit(command.sequence)
  }

  /// Takes in what the engine tells, and sends it the tempo map that is owed.
  func hearEngine() {
    while let event = events.pop() {
      switch event {
      case .late(let sequence, let frame):
        history?.correct(sequence: sequence, frame: frame)
        state.lateCommand(sequence, at: frame)
      case .refused(let sequence):
        history?.withdraw(sequence: sequence)
        state.refusedHit(sequence)
      }
    }
    if let owedMap { send(owedMap, reads: nil) }
  }

  /// Lets go of the sounds and the tempo maps that the engine needs no more.
  func letGo() {
    sounds.release()
    retireMaps()
  }

  private func retire(_ map: TempoMapMemory, until revision: UInt64) {
    retiredMaps.append((map, revision))
    if retiredMaps.count > retireAt { retireMaps() }
  }

  private func retireMaps() {
    let inForce = mapInForce
    retiredMaps.removeAll { $0.revision <= inForce }
    // The others wait for the engine: looking at all with each new one would be quadratic.
    retireAt = retiredMaps.count + state.limits.retiredTempoMaps
  }

  /// The revision of the tempo map that the engine reads.
  private var mapInForce: UInt64 {
    if let status { return status.mapRevision }
    return commands.count == 0 ? .max : 0
  }
}
