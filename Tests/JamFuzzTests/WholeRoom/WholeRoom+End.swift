import JamCore

@testable import JamRoom

/// The end of a jam: everybody stops, and then takes back everything.
extension WholeRoom {
  func finish() {
    quieten()
    go(on: .seconds(30))
    check("the end")
    fail(hanging, "the end")
    for name in RandomRoom.names { if let id = server.player(name) { undoAll(of: id, name) } }
    check("all undone")
    fail(server.differencesOfScore(), "the score")
  }

  @discardableResult
  private func step(_ command: Command, by id: PlayerID) -> Refusal? {
    server.room.step(command, by: id, at: Moment(arrival: server.room.now))
  }

  private var ids: [PlayerID] { RandomRoom.names.compactMap { server.player($0) } }

  /// Whatever was locked, asked for a vote or stopped, everybody may end what plays.
  private func takeOver() {
    for id in ids {
      server.room.welcome(id)
      step(.becomeHost("word"), by: id)
      step(.set(.lock, .text("none")), by: id)
      step(.set(.tempoMode, .text("free")), by: id)
      step(.cancelBuildUp, by: id)
      step(.play, by: id)
      step(.groupEdits(false), by: id)
    }
  }

  /// All fingers come up, and all that plays by itself is stopped.
  private func quieten() {
    takeOver()
    // What waited for a timetag, for a kit or for its bar is over then.
    go(on: .seconds(10))
    // A build-up among it would hold, and roll for good.
    takeOver()
    if let first = ids.first {
      // Of whom only a loop is left, or who is expected and did not come.
      let present = ids
      for person in server.room.state.roster.everybody where !present.contains(person.id) {
        step(.kick(person.name), by: first)
      }
    }
    for id in ids {
      let set: [(Setting, SettingValue)] = [
        (.sustain, .bool(false)), (.arpMode, .text("off")), (.arpLatch, .bool(false)), (.progressionOn, .bool(false)),
        (.padLayout, .text("drums")), (.quantize, .text("off")), (.timing, .text("now")), (.loopQuantize, .text("off")),
      ]
      for (setting, value) in set { step(.set(setting, value), by: id) }
      for chord in 1...2 { step(.pressChord(chord, nil), by: id) }
      for key in 60..<64 { step(.release(Pad(key: key)!), by: id) }
      for pad in Pad.all { step(.release(pad), by: id) }
      step(.loop(.stop), by: id)
      for lane in 1...server.room.state.limits.lanesPerPlayer { step(.lane(lane, .stop), by: id) }
    }
    // A pass ends with its bar.
    go(on: .seconds(30))
    for id in ids {
      step(.loop(.stop), by: id)
      // A second press stops a pad that goes round.
      for pad in Pad.all where server.room.state.hands[id].pads[pad.index].isLooping { step(.hit(pad, .full), by: id) }
      for pad in Pad.all { step(.release(pad), by: id) }
    }
  }

  /// What is held, waits or sounds although nobody plays.
  private var hanging: [String] {
    let state = server.room.state
    var found: [String] = []
    for id in ids {
      let name = state.roster[id].name
      for (pad, pads) in zip(Pad.all, state.hands[id].pads) {
        found += VoiceBook.doings(of: pads).map { "\(name)'s pad \(pad.number) \($0)" }
      }
      for (key, keys) in zip(state.hands[id].keys.keys, state.hands[id].keys.states) {
        found += VoiceBook.doings(of: keys).map { "\(name)'s key \(key.note ?? 0) \($0)" }
      }
      let looper = state.loopers[id]
      // A loop with nothing in it may go round: nobody hears it.
      if looper.loop.pass != nil || looper.loop.isPlaying && !looper.loop.hasNothing {
        found.append("\(name)'s loop goes on: \(looper.loop.motion)")
      }
      for lane in looper.lanes where lane.isPlaying { found.append("\(name)'s lane goes on at slot \(lane.current)") }
    }
    let queue = state.queue
    let counts = [
      "hits": queue.waiting.count, "releases": queue.releases.count, "hits on their way": queue.pending.count,
      "commands": queue.scheduled.count,
    ]
    found += counts.filter { $0.value > 0 }.keys.sorted().map { "\(counts[$0] ?? 0) \($0) wait" }
    return found + server.hangingVoices().map { "the engine plays \($0) for good" }
  }

  /// Takes back all edits of a player, down to the first.
  private func undoAll(of id: PlayerID, _ name: PlayerName) {
    var count = 0
    var refusal: Refusal?
    while count < 20_000 {
      refusal = step(.undo, by: id)
      guard refusal == nil else { break }
      count += 1
      // What comes back from disk has come then.
      go(on: Frames(6_000), keeps: false)
    }
    noteUndone(count)
    guard refusal == .nothingToUndo else {
      return fail(
        ["\(count) edits are undone, and then \(refusal.map { "\($0)" } ?? "there is no end")"], "undo of \(name)")
    }
    guard let begin = begins[name], let player = server.room.state[id] else { return }
    let left = begin.differences(in: player, mutes: !server.hasLaunchedScenes)
    if !left.isEmpty {
      fail(["\(count) edits are undone, and others than at the beginning are \(left)"], "undo of \(name)")
    }
  }
}

extension VoiceBook {
  /// What a pad still does, as the room knows it.
  fileprivate static func doings(of pad: PadState) -> [String] {
    var doings: [String] = []
    if pad.press.isHeld { doings.append("is held") }
    if pad.press.roll != nil { doings.append("rolls") }
    if pad.press.loop != nil { doings.append("goes round") }
    if pad.light.pending > 0 { doings.append("waits for \(pad.light.pending) hits") }
    if pad.light.from != nil || pad.light.until != nil { doings.append("is lit") }
    return doings
  }
}
