internal import JamCore

/// A player's lights: those of its loop, its lanes, its groove, its kit and its instrument.
struct PlayerLights: Equatable, Sendable {
  var loop = GlowRow()
  var lanes = GlowRow()
  var groove = GrooveLights()
  var kit = Chosen()
  var instrument = Chosen()
  /// There is something to catch.
  var toCatch = Glow.off

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

  /// Read through addresses: for an argument or a subscript, Swift would copy a player's loop,
  /// lanes and hands at each look.
  /// - Parameters: of the player's values, for as long as this takes.
  static func of(
    _ looper: UnsafePointer<Looper>, _ hands: UnsafePointer<Hands>, _ desk: UnsafePointer<Desk>
  ) -> PlayerLights {
    var lights = PlayerLights()
    lights.loop = looper.pointee.loop.lights
    if !looper.pointee.played.isEmpty { lights.toCatch = .on }
    looper.pointee.lanes.withUnsafeBufferPointer { lanes in
      guard var lane = lanes.baseAddress else { return }
      for number in Range(from: 1, to: lanes.count + 1) {
        PlayerLights.put(lane, into: &lights.lanes, asLane: number)
        lights.groove.put(lane)
        lane += 1
      }
    }
    lights.kit.id = hands.pointee.kit.kit.id
    if desk.pointee.wantedKit != nil { lights.kit.wanted = desk.pointee.wantedKit }
    lights.instrument.id = hands.pointee.keys.patch.id
    // Other settings of the same instrument may be on their way.
    if let wanted = hands.pointee.keys.wanted?.id, wanted != lights.instrument.id {
      lights.instrument.wanted = wanted
    }
    return lights
  }

  /// Notes the parts of a groove.
  static func grooves(
    of looper: UnsafePointer<Looper>, into grooves: inout GrooveLights
  ) {
    looper.pointee.lanes.withUnsafeBufferPointer { lanes in
      guard var lane = lanes.baseAddress else { return }
      for _ in Range(from: 0, to: lanes.count) {
        grooves.put(lane)
        lane += 1
      }
    }
  }

  /// Puts the lights of a lane into a row of all lanes' lights.
  @inline(__always) private static func put(
    _ lane: UnsafePointer<Lane>, into row: inout GlowRow, asLane number: Int
  ) {
    if lane.pointee.isPlaying, hasBlock(lane) {
      row[place(of: lane.pointee.isLooped ? .loop : .play, ofLane: number)] = .on
    }
    // A lane that plays already waits for no start.
    if let action = lane.pointee.waiting?.action {
      let place = place(of: action, ofLane: number)
      if row[place] == .off { row[place] = .waiting }
    }
  }

  @inline(__always) private static func hasBlock(_ lane: UnsafePointer<Lane>) -> Bool {
    lane.pointee.slots.withUnsafeBufferPointer { slots in
      for index in slots.indices { if case .some = slots[index] { return true } }
      return false
    }
  }

  /// - Returns: off for a light of the room's.
  func glow(of light: Light) -> Glow {
    switch light {
    case .loop(let action): loop[action.place]
    case .lane(let number, let action): lanes[PlayerLights.place(of: action, ofLane: number)]
    case .kit(let id): kit.glow(ofID: id)
    case .instrument(let id): instrument.glow(ofID: id)
    case .catchPlayed: toCatch
    case .groove: groove.glow
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
    if groove != old.groove { lights.append(.groove) }
    if kit != old.kit { lights += Set(kit.lit + old.kit.lit).sorted().map { .kit($0) } }
    if instrument != old.instrument {
      lights += Set(instrument.lit + old.instrument.lit).sorted().map { .instrument($0) }
    }
    if toCatch != old.toCatch { lights.append(.catchPlayed) }
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
  /// The lights as they are now. Inlined, and no list of actions, no pass and no layer is taken
  /// out: the room looks at all players' loops 30 times a second.
  @inline(__always) var lights: GlowRow {
    var row = GlowRow()
    if case .passing(let pass) = motion {
      row[(pass.isOverdub ? LoopAction.overdub : .record).place] = .on
    }
    if isPlaying && (hasLayers || isAwaited) { row[LoopAction.play.place] = .on }
    // A pass or a loop that is pressed again goes on up to the bar line, so its light stays on.
    if let action = waiting?.action, row[action.place] == .off { row[action.place] = .waiting }
    return row
  }

  /// Whether it has a layer; without a copy of one.
  @inline(__always) private var hasLayers: Bool {
    layers.withUnsafeBufferPointer { layers in
      for index in layers.indices { if case .some = layers[index] { return true } }
      return false
    }
  }
}
