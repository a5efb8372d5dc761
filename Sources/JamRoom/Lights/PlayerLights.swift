internal import JamCore

/// A player's lights: those of its loop, its lanes, its kit and its instrument.
struct PlayerLights: Equatable, Sendable {
  var loop = GlowRow()
  var lanes = GlowRow()
  var kit = Chosen()
  var instrument = Chosen()

  /// The thing that plays, and another one whose sounds are being read.
  struct Chosen: Equatable, Sendable {
    var id = ""
    var wanted: String?

    func glow(ofID id: String) -> Glow { id == wanted ? .waiting : id == self.id ? .on : .off }

    /// The things whose light may be lit.
    var lit: [String] { wanted.map { [$0, id] } ?? [id] }
  }

  /// Nothing is lit.
  init() {}

  /// No `init`: an initialiser owns its arguments, and would copy all of them at each look.
  @inline(__always) static func of(_ looper: Looper, _ hands: Hands, _ desk: Desk) -> PlayerLights {
    var lights = PlayerLights()
    lights.loop = looper.loop.lights
    for index in looper.lanes.indices {
      looper.lanes[index].putLights(into: &lights.lanes, asLane: index + 1)
    }
    lights.kit = Chosen(id: hands.kitID, wanted: desk.wantedKit)
    let (played, wanted) = (hands.keys.patch.id, hands.keys.wanted?.id)
    // Other settings of the same instrument may be on their way.
    lights.instrument = Chosen(id: played, wanted: wanted == played ? nil : wanted)
    return lights
  }

  /// - Returns: off for a light of the room's.
  func glow(of light: Light) -> Glow {
    switch light {
    case .loop(let action): loop[action.place]
    case .lane(let number, let action): lanes[PlayerLights.place(of: action, ofLane: number)]
    case .kit(let id): kit.glow(ofID: id)
    case .instrument(let id): instrument.glow(ofID: id)
    case .scene, .buildUp, .drop, .take: .off
    }
  }

  /// The lights that differ from those of `old`.
  func changed(from old: PlayerLights) -> [Light] {
    var lights: [Light] = []
    if loop != old.loop { lights += LoopAction.allCases.map { .loop($0) } }
    if lanes != old.lanes {
      for number in Range(from: 1, to: GlowRow.most / PlayerLights.lightsPerLane + 1) {
        lights += LaneAction.allCases.map { .lane(number, $0) }
      }
    }
    if kit != old.kit { lights += Set(kit.lit + old.kit.lit).sorted().map { .kit($0) } }
    if instrument != old.instrument {
      lights += Set(instrument.lit + old.instrument.lit).sorted().map { .instrument($0) }
    }
    return lights.filter { glow(of: $0) != old.glow(of: $0) }
  }

  static func place(of action: LaneAction, ofLane number: Int) -> Int {
    (number - 1) * lightsPerLane + action.place
  }

  private static let lightsPerLane = LaneAction.allCases.count
}

extension LoopAction {
  /// Its place among all actions.
  fileprivate var place: Int {
    switch self {
    case .record: 0
    case .overdub: 1
    case .play: 2
    case .stop: 3
    case .clear: 4
    }
  }
}

extension LaneAction {
  fileprivate var place: Int {
    switch self {
    case .play: 0
    case .loop: 1
    case .stop: 2
    case .clear: 3
    }
  }
}

extension Loop {
  /// An order that waits comes first: a pass under way may wait for its end.
  @inline(__always) func glow(of action: LoopAction) -> Glow {
    if waiting?.action == action { return .waiting }
    return switch action {
    case .record: pass.map { $0.isOverdub ? .off : .on } ?? .off
    case .overdub: pass.map { $0.isOverdub ? .on : .off } ?? .off
    case .play: isPlaying && (!isEmpty || isAwaited) ? .on : .off
    case .stop, .clear: .off
    }
  }

  @inline(__always) var lights: GlowRow {
    var row = GlowRow()
    // Written out: a list of all actions would be allocated at each look.
    row[LoopAction.record.place] = glow(of: .record)
    row[LoopAction.overdub.place] = glow(of: .overdub)
    row[LoopAction.play.place] = glow(of: .play)
    row[LoopAction.stop.place] = glow(of: .stop)
    row[LoopAction.clear.place] = glow(of: .clear)
    return row
  }
}

extension Lane {
  @inline(__always) func glow(of action: LaneAction) -> Glow {
    if waiting?.action == action { return .waiting }
    return switch action {
    case .play: isPlaying && !isLooped && !isEmpty ? .on : .off
    case .loop: isPlaying && isLooped && !isEmpty ? .on : .off
    case .stop, .clear: .off
    }
  }

  /// Puts the lights of the lane into a row of all lanes' lights.
  @inline(__always) func putLights(into row: inout GlowRow, asLane number: Int) {
    row[PlayerLights.place(of: .play, ofLane: number)] = glow(of: .play)
    row[PlayerLights.place(of: .loop, ofLane: number)] = glow(of: .loop)
    row[PlayerLights.place(of: .stop, ofLane: number)] = glow(of: .stop)
    row[PlayerLights.place(of: .clear, ofLane: number)] = glow(of: .clear)
  }
}
