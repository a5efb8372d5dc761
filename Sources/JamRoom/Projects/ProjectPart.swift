internal import JamCore
internal import JamEngine

/// One player's part in a project.
struct ProjectPart: Equatable, Sendable {
  var name: PlayerName
  /// The player's own channel, in dB.
  var gain: Float
  var isMuted: Bool
  /// The player's channel, as a host set it.
  var hostGain: Float
  var isMutedByHost: Bool
  /// Of a loop that is recorded from now on.
  var bars: Int
  /// Its loop lies where the project's first one begins at zero.
  var music: Checkpoint
  /// The settings of its instruments and effects that differ from a newcomer's.
  var settings: [KeptSetting] = []
  /// The sound of its hits, by their numbers, for the log.
  var definitions: [Int: VoicedHit] = [:]
}

extension ProjectPart {
  /// - Returns: nil where the player has nothing but what every newcomer has.
  init?(_ player: Player, newcomer: Player) {
    self.init(
      name: player.name, gain: player.channel.gain, isMuted: player.channel.isMuted, hostGain: player.channel.hostGain,
      isMutedByHost: player.channel.isMutedByHost, bars: player.looper.loop.bars, music: Checkpoint(player))
    if let resumes = player.looper.resumes { music.note(resumes) }
    music.tidy()
    settings = Player.partSettings.compactMap { setting in
      guard let value = player.keptValue(of: setting), value != newcomer.keptValue(of: setting) else { return nil }
      return KeptSetting(setting: setting, value: value)
    }
    let isPlain = music.loop.layers.isEmpty && music.lanes.allSatisfy { $0.slots.allSatisfy { $0 == nil } }
    if isPlain, music.kit == KitEdit(newcomer), settings.isEmpty, gain == 0, !isMuted { return nil }
  }
}

extension Player {
  /// The player's settings that belong to the music, beside its pads and what goes round.
  static let partSettings = RoomRow.kept(.project).filter { !$0.row.scope.isRoom }
}

extension Checkpoint {
  /// Values that change from moment to moment are left out: equal music is an equal checkpoint.
  fileprivate mutating func tidy() {
    loop.change { layer in
      layer.begin = .zero
      layer.pass = 0
      if case .borrowed(let owner, let number, let pass)? = layer.loan, pass != Loan.noPass {
        layer.loan = .borrowed(from: owner, layer: number, pass: 0)
      }
      for index in layer.tracks.indices { layer.tracks[index].forgetPlaying() }
    }
    while loop.layers.last == .some(.none) { loop.layers.removeLast() }
    if loop.layers.isEmpty {
      loop.length = .zero
      loop.origin = .zero
      loop.isPlaying = false
    }
    var number: UInt64 = 0
    for index in lanes.indices {
      for place in lanes[index].slots.indices {
        guard let slot = lanes[index].slots[place] else { continue }
        number += 1
        lanes[index].slots[place] = LaneSlot(id: number, block: slot.block, hits: slot.hits)
      }
      if lanes[index].slots.allSatisfy({ $0 == nil }) { lanes[index].playing = nil }
    }
  }

  /// The same music on another bus.
  mutating func move(to id: PlayerID) {
    loop.change { $0.move(to: id) }
    changeSlots { $0.hits.move(to: id) }
  }

  /// Leaves it as its player begins anew: with the same pads.
  mutating func clear() {
    loop.layers = []
    loop.length = .zero
    loop.origin = .zero
    loop.isPlaying = false
    for index in lanes.indices {
      lanes[index].slots = lanes[index].slots.map { _ in nil }
      lanes[index].playing = nil
    }
  }
}

extension [LoopHit] {
  fileprivate mutating func move(to id: PlayerID) {
    for index in indices { self[index].start.bus = id }
  }
}

extension Layer {
  fileprivate mutating func move(to id: PlayerID) {
    for index in tracks.indices { tracks[index].hits.move(to: id) }
  }
}

extension Looper {
  /// The same music on another bus, but for its focus.
  mutating func move(to id: PlayerID) {
    for index in loop.layers.indices { loop.layers[index]?.move(to: id) }
    for index in lanes.indices { lanes[index].move(to: id) }
  }
}

extension Lane {
  fileprivate mutating func move(to id: PlayerID) {
    for index in slots.indices { slots[index]?.hits.move(to: id) }
    row.played.hits.move(to: id)
    row.steps.hits.move(to: id)
  }
}

extension Track {
  /// The progress of playing is no part of the music.
  fileprivate mutating func forgetPlaying() {
    sent = nil
    next = nil
  }
}
