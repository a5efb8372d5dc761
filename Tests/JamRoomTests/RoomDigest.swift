import JamCore

@testable import JamRoom

/// What a state holds, part by part, as numbers that can be compared.
struct RoomDigest: Equatable {
  private(set) var parts: [(name: String, value: Int)] = []

  static func == (a: RoomDigest, b: RoomDigest) -> Bool { a.differences(from: b).isEmpty }

  func differences(from other: RoomDigest) -> [String] {
    guard parts.count == other.parts.count else { return ["other parts"] }
    return zip(parts, other.parts).filter { $0.name != $1.name || $0.value != $1.value }.map { $0.0.name }
  }

  private mutating func add(_ name: String, _ body: (inout Hasher) -> Void) {
    var hasher = Hasher()
    body(&hasher)
    parts.append((name, hasher.finalize()))
  }

  /// Everything that a command may change.
  init(_ state: RoomState) {
    add("numbers") {
      $0.combine([
        state.session.tally.sequence, state.clock.revision, state.library.blocks.soundOrders, state.clock.runs,
        state.hits,
      ])
    }
    add("clock") { hasher in
      for frame in stride(from: Int64(0), to: 2_000_000, by: 50_000) {
        hasher.combine(state.map.view.beat(at: Frames(frame)))
      }
      hasher.combine([state.map.isPlaying, state.clock.buildUps.isRisen, state.clock.buildUps.isHushed])
      hasher.combine(state.clock.stoppedAt)
    }
    add("deadline") { hasher in
      hasher.combine(state.nextDeadline)
      hasher.combine(state.schedule.nextHit)
      hasher.combine(state.schedule.nextTurn?.player)
      hasher.combine(state.schedule.nextTurn?.beat)
    }
    add("mix") { hasher in
      hasher.combine([state.mix.masterGain, state.mix.pitch, state.mix.modulation, state.clock.swing])
      hasher.combine(state.mix.speakersClick)
      hasher.combine(state.mix.isLevelled)
      hasher.combine(state.mix.effects)
      hasher.combine(state.library.progressions.saved)
    }
    add("rules") { hasher in
      hasher.combine(state.roster.lock)
      hasher.combine(state.clock.election.mode)
      hasher.combine(state.clock.election.line)
      hasher.combine(state.session.history.done)
      hasher.combine(state.session.history.undone)
      hasher.combine(state.clock.buildUps.told)
      for row in BuildUpParts.rows { hasher.combine(row.read(state.clock.buildUps.parts)) }
    }
    add("waiting") { hasher in
      for hit in state.queue.waiting {
        hasher.combine(hit.player)
        hasher.combine(hit.pad)
        hasher.combine([hit.place.sounds, hit.place.recorded])
        hasher.combine(hit.held)
      }
      for release in state.queue.releases { hasher.combine([release.start, release.frame]) }
      for hit in state.queue.pending { hasher.combine(hit.sequence) }
    }
    add("blocks") { $0.combine(state.library.blocks.all) }
    for player in state.players {
      add("\(player.name)") { hasher in
        hasher.combine(player.name)
        hasher.combine([
          player.person.isGuest, player.person.isMadeListener, player.channel.isMuted, player.channel.isMutedByHost,
        ])
        hasher.combine([player.channel.isSoloed, player.channel.metronome, player.person.hasLeft])
        hasher.combine(player.person.role)
        hasher.combine(player.desk.wantedKit)
        hasher.combine([
          player.channel.gain, player.channel.hostGain, player.hands.quantizeStrength, player.channel.metronomeGain,
        ])
        hasher.combine([player.hands.repeatRate, player.hands.quantize, player.looper.recordingGrid.grid])
        hasher.combine(player.looper.recordingGrid.strength)
        hasher.combine(player.hands.repeatsAll)
        hasher.combine(player.hands.timing)
        hasher.combine(player.channel.effects)
        hasher.combine(player.desk.waitingCommands)
        hasher.combine(player.desk.vote)
        hasher.combine(player.desk.taps)
        hasher.combine([player.desk.history.done.count, player.desk.history.undone.count])
      }
      add("\(player.name)'s pads") { hasher in
        for pad in player.hands.pads {
          hasher.combine(pad.wish.sample)
          hasher.combine([pad.press.isHeld, pad.press.isOpen, pad.isLooping, pad.press.roll != nil])
          hasher.combine([pad.turn, pad.light.pending, Int(pad.wish.stretchOrder)])
          hasher.combine([pad.fit, pad.heardFit, pad.wish.beats])
          hasher.combine([pad.press.shift, pad.light.from ?? .zero, pad.light.until ?? .zero])
        }
      }
      edited(player, as: player.name.text)
      add("\(player.name)'s loop goes") { hasher in
        let loop = player.looper.loop
        hasher.combine([loop.length, loop.origin, loop.pass?.start ?? .zero, loop.pass?.end ?? .zero])
        hasher.combine([loop.isPlaying, loop.pass == nil])
        hasher.combine(loop.waiting?.action)
        hasher.combine(loop.waiting?.line)
        hasher.combine([loop.bars, loop.captured.count, loop.closed.count, loop.late.count, loop.passes])
        hasher.combine(loop.grid.shown)
        for case let layer? in loop.layers {
          hasher.combine(layer.begin)
          for track in layer.tracks {
            hasher.combine(track.next?.frame)
            hasher.combine(track.next?.index)
          }
        }
      }
      add("\(player.name)'s lanes go") { hasher in
        for lane in player.looper.lanes {
          hasher.combine([lane.origin, lane.begin, lane.boundary ?? .zero, lane.row.length])
          hasher.combine([lane.isPlaying, lane.isLooped])
          hasher.combine(lane.current)
          hasher.combine(lane.waiting?.action)
          hasher.combine(lane.waiting?.line)
          for track in [lane.row.played, lane.row.steps] {
            hasher.combine(track.next?.frame)
            hasher.combine(track.hits.map(\.sequence))
          }
        }
        hasher.combine(player.looper.focus?.lane)
        hasher.combine(player.looper.focus?.slot)
      }
    }
  }

  /// What a player edits and can take back, whatever its name is.
  /// - Parameter withMutes: false leaves out the mutes of its pads, which a scene sets as well.
  init(editsOf player: Player, withMutes: Bool = true) { edited(player, as: "the player", withMutes) }

  private mutating func edited(_ player: Player, as name: String, _ withMutes: Bool = true) {
    add("\(name)'s kit") { $0.combine(player.hands.kitID) }
    for (pad, state) in zip(Pad.all, player.hands.pads) {
      add("\(name)'s pad \(pad.number)") { hasher in
        var settings = state.settings
        if !withMutes { settings.mute = false }
        hasher.combine(settings)
        hasher.combine(state.sample)
        hasher.combine(state.sound?.layers[0].sounds[0].view.frameCount)
        hasher.combine(state.description?.name)
      }
    }
    add("\(name)'s grid") { hasher in
      hasher.combine(player.looper.loop.grid.count)
      hasher.combine(player.looper.loop.grid.counts)
    }
    var layers = player.looper.loop.layers
    while let last = layers.last, last == nil { layers.removeLast() }
    for (number, layer) in layers.enumerated() {
      add("\(name)'s layer \(number + 1)") { hasher in
        hasher.combine(layer != nil)
        guard let layer else { return }
        hasher.combine([layer.isMuted, layer.isSteps])
        hasher.combine(layer.gain)
        // A pad's steps make a track when they are set: which came first means nothing.
        for track in layer.tracks.sorted(by: { ($0.steps?.index ?? -1) < ($1.steps?.index ?? -1) }) {
          hasher.combine(track.steps)
          hasher.combine(track.length)
          // Of one place the later one sounds with it: their order means nothing either.
          for hit in track.hits.sorted(by: { ($0.position, $0.sequence) < ($1.position, $1.sequence) }) {
            hasher.combine(hit.position)
            hasher.combine(hit.length)
            hasher.combine(hit.sequence)
            hasher.combine(hit.voicing)
          }
        }
      }
    }
    for (number, lane) in player.looper.lanes.enumerated() {
      add("\(name)'s lane \(number + 1)") { hasher in
        for slot in lane.slots { hasher.combine(slot?.block) }
      }
    }
  }
}
