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
  /// The part of the groove in whose place a layer is being recorded.
  var replaced: GroovePart?
  /// The last hits by hand.
  var played = PlayedHits()
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
  /// The transport started at bar 1: the loop and all lanes that play begin there.
  mutating func restart() {
    for lane in lanes.indices { lanes[lane].restart() }
    loop.restart()
  }

  /// Hits that stand silent get their sounds.
  mutating func bringBack(_ sounds: [VoicedSound: PlayablePad], of id: PlayerID, at now: Beats) {
    func back(_ hit: LoopHit) -> LoopHit {
      guard hit.sound.isAway, let pad = sounds[hit.voicing.sound] else { return hit }
      return LoopHit(KeptHit(hit), pad, by: id)
    }
    for layer in loop.layers.indices {
      for track in Range(from: 0, to: loop.layers[layer]?.tracks.count ?? 0) {
        guard let hits = loop.layers[layer]?.tracks[track].hits else { continue }
        loop.layers[layer]?.tracks[track].hits = hits.map(back)
      }
    }
    for lane in lanes.indices {
      for place in lanes[lane].slots.indices {
        guard let hits = lanes[lane].slots[place]?.hits else { continue }
        lanes[lane].slots[place]?.hits = hits.map(back)
      }
      lanes[lane].compile(at: now)
    }
  }

  /// Changes the blocks on its lanes, and the one in focus.
  mutating func changeBlocks(_ change: (inout Block) -> Void) {
    for lane in lanes.indices {
      for place in lanes[lane].slots.indices {
        guard var slot = lanes[lane].slots[place] else { continue }
        change(&slot.block)
        lanes[lane].slots[place] = slot
      }
    }
    guard var block = focus?.block else { return }
    change(&block)
    focus?.block = block
  }

  /// The player's orders that go on or are still to come. A lane that is to stop does so.
  var ordered: [Command] {
    loop.ordered.map { .loop($0) }
      + lanes.enumerated().compactMap { lane, held in
        held.waiting.flatMap { $0.action.isPlaying ? .lane(lane + 1, $0.action) : nil }
      }
  }

  /// Lanes forget what they wait for, where it is meant.
  /// - Returns: their numbers.
  mutating func forgetLanes(where isMeant: (LaneAction) -> Bool) -> [Int] {
    let meant = lanes.indices.filter { lane in lanes[lane].waiting.map { isMeant($0.action) } == true }
    for lane in meant {
      lanes[lane].waiting = nil
      lanes[lane].coming = nil
    }
    return meant.map { $0 + 1 }
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
