internal import JamCore

/// A player's loop, its lanes, and its focus.
struct Looper: Equatable, Sendable {
  var loop = Loop()
  /// The last report on the loop.
  var toldLoop: Event?
  /// The player's lights as they were told.
  var toldLights = PlayerLights()
  var lanes = [Lane](repeating: Lane(), count: Limits.standard.lanesPerPlayer)
  var focus: Focus?
  var recordingGrid = RecordingGrid()
  /// The loop and lanes that go round again once somebody is here.
  var resumes: Playing?
  /// The lane and the slot that are focused on again once the player's own stream is open.
  var resumedFocus: SlotPlace?

  /// - Returns: nil where it is no setting of a layer, a step or a lane, and where there is no such
  ///   layer.
  func value(of setting: Setting) -> SettingValue? {
    switch setting {
    case .layerMute(let number): loop[number].map { .bool($0.isMuted) }
    case .layerGain(let number): loop[number].map { .float($0.gain) }
    case .step(let pad, let step): .float(loop.toldVelocity(at: StepPlace(pad: pad, step: step)))
    case .padSteps(let pad): .integer(Int32(loop.chosenStepCount(of: pad)))
    case .laneSlot(let lane, let slot): .text(lanes[lane - 1].slots[slot - 1]?.block.name ?? "")
    case .laneState(let lane): .text(lanes[lane - 1].state)
    case .lanePlaying(let lane): .integer(Int32(lanes[lane - 1].current))
    case .laneFocus(let lane): .integer(focus?.lane == lane ? Int32(focus?.slot ?? 0) : 0)
    default: nil
    }
  }
}

extension Looper {
  static let rows: [Row<Looper>] = [
    Row(.loopBars, kept: .guest) { .integer(Int32($0.loop.shownBars)) },
    Row(.loopQuantize, .word(\.recordingGrid.grid, .grid), kept: [.guest, .journal]),
    Row(.loopQuantizeStrength, .float(\.recordingGrid.strength), kept: [.guest, .journal]),
    Row(.loopState) { .text($0.loop.state) },
    Row(.loopLayers) { .integer(Int32($0.loop.layerCount)) },
    Row(.steps) { .integer(Int32($0.loop.chosenStepCount(of: nil))) },
  ]
}
