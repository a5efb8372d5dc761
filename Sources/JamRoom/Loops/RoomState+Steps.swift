internal import JamCore
internal import JamEngine

/// The step grid: hits set by hand. They are hits of the loop like played ones, which show in it.
extension RoomState {
  func checkSetSteps(_ setting: Setting, to value: SettingValue, by id: PlayerID) throws(Refusal) {
    switch (setting, value) {
    case (.step(let pad, let step), .float(let velocity)):
      try checkSetStep(StepPlace(pad: pad, step: step), to: Velocity(velocity), by: id)
    case (.steps, .integer(let count)), (.padSteps, .integer(let count)):
      try roster.requireUnlocked(.loops, id)
      guard StepGrid.takes(Int(count), ofPad: setting != .steps) else { throw .badStepCount }
    default: throw .notSettable
    }
  }

  mutating func setSteps(_ setting: Setting, to value: SettingValue, by id: PlayerID, at frame: Frames) {
    switch (setting, value) {
    case (.step(let pad, let step), .float(let velocity)):
      setStep(StepPlace(pad: pad, step: step), to: Velocity(velocity), by: id, at: frame)
    case (.steps, .integer(let count)): setStepCount(Int(count), of: nil, by: id, at: frame)
    case (.padSteps(let pad), .integer(let count)): setStepCount(Int(count), of: pad, by: id, at: frame)
    default: return
    }
    planLoop(of: id)
  }

  private func checkSetStep(_ place: StepPlace, to velocity: Velocity?, by id: PlayerID) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    // Bound, not reached through the accessor: Swift 6.3.1 lets go of such a loop twice.
    let loop = loopers[id].loop
    let count = loop.stepCount(of: place.pad)
    guard place.step <= count else { throw .stepPastEnd(place.pad, step: place.step, count: count) }
    let hit = try velocity.map { velocity throws(Refusal) in try requireStepHit(place, velocity, by: id) }
    guard loop.changes(at: place, to: hit, begin: .zero, mostLayers: limits.layersPerLoop) != nil else {
      throw .loopFull(layers: limits.layersPerLoop)
    }
  }

  /// - Parameter velocity: nil clears it.
  private mutating func setStep(_ place: StepPlace, to velocity: Velocity?, by id: PlayerID, at frame: Frames) {
    // Bound, as above.
    let loop = loopers[id].loop
    let hit = velocity.flatMap { stepHit(place, $0, by: id) }
    let now = clock.view.beat(at: frame)
    guard (hit == nil) == (velocity == nil),
      let changes = loop.changes(at: place, to: hit, begin: now, mostLayers: limits.layersPerLoop)
    else { return }
    commitStep(place, velocity, of: id, at: frame)
    guard !changes.isEmpty else { return }
    startSteps(of: id, at: now)
    let edit = loopers[id].loop.apply(changes, at: now)
    remember(edit, of: id, at: frame)
    tellLoop(of: id)
  }

  /// A step is set or cleared: the sounds that share its pad take turns.
  mutating func commitStep(_ place: StepPlace, _ velocity: Velocity?, of id: PlayerID, at frame: Frames) {
    commit(
      .command(.set(.step(place.pad, place.step), .float(velocity?.value ?? 0))), by: id, at: frame)
    if velocity != nil { hands[id][place.pad].turn += 1 }
  }

  /// A hit on the step as the pad sounds now, with the next number; nil where the pad is empty.
  func stepHit(_ place: StepPlace, _ velocity: Velocity, by id: PlayerID) -> LoopHit? {
    let state = hands[id][place.pad]
    guard let choice = state.sound?.choose(velocity, turn: state.turn) else { return nil }
    let start = start(of: choice, place.pad, velocity, state.hitSettings, by: id)
    return LoopHit(
      position: Track.step * (place.step - 1), length: start.isGated ? Track.step : nil,
      sequence: UInt32(truncatingIfNeeded: session.tally.sequence + 1), velocity: velocity, start: start,
      sound: choice.sound,
      voicing: voicing(of: place.pad, of: id))
  }

  func requireStepHit(_ place: StepPlace, _ velocity: Velocity, by id: PlayerID) throws(Refusal) -> LoopHit {
    if let hit = stepHit(place, velocity, by: id) { return hit }
    throw .padEmpty(place.pad)
  }

  /// Steps in an empty loop go round at once, from the last bar line.
  private mutating func startSteps(of id: PlayerID, at now: Beats) {
    guard loopers[id].loop.isEmpty else { return }
    let bar = clock.view.barLine(atOrBefore: now)
    let length = clock.view.signature(at: now).signature.barLength
    loopers[id].loop.startSteps(from: clock.isPlaying ? bar : .zero, bar: length)
  }

  private mutating func setStepCount(_ count: Int, of pad: Pad?, by id: PlayerID, at frame: Frames) {
    guard StepGrid.takes(count, ofPad: pad != nil) else { return }
    let old = loopers[id].loop.chosenStepCount(of: pad)
    loopers[id].loop.setStepCount(count, of: pad, at: clock.view.beat(at: frame))
    remember(.stepCount(pad, old, count), of: id, at: frame)
    let setting = pad.map { Setting.padSteps($0) } ?? .steps
    commit(.command(.set(setting, .integer(Int32(count)))), by: id, at: frame)
    tellSteps(of: id)
  }

  // MARK: Undo

  mutating func apply(
    _ changes: [HitChange], isUndone: Bool, isStopped: Bool, of id: PlayerID, _ command: Command, at frame: Frames
  ) {
    let now = clock.view.beat(at: frame)
    let wasEmpty = loopers[id].loop.isEmpty
    startSteps(of: id, at: now)
    if wasEmpty && isStopped { loopers[id].loop.setPlaying(false) }
    for change in changes { loopers[id].loop.apply(change, isUndone: isUndone, at: now) }
    commit(.command(command), by: id, at: frame)
    tellLoop(of: id)
    planLoop(of: id)
  }

  mutating func restoreStepCount(_ count: Int, of pad: Pad?, by id: PlayerID, _ command: Command, at frame: Frames) {
    loopers[id].loop.setStepCount(count, of: pad, at: clock.view.beat(at: frame))
    commit(.command(command), by: id, at: frame)
    tell(pad.map { .padSteps($0) } ?? .steps, of: id)
    tellSteps(of: id)
    planLoop(of: id)
  }

}
