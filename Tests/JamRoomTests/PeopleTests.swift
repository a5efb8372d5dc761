import JamCore
import JamEngine
import Testing

@testable import JamRoom

@Suite struct PeopleTests {
  @Test("a name that is taken gets a number, and both stay who they are")
  func takenName() throws {
    var stage = Stage()
    let first = try stage.join("ann")
    let second = try stage.join("ann")
    #expect(stage.state[first]?.name.text == "ann")
    #expect(stage.state[second]?.name.text == "ann-2")
  }

  @Test("the sixty-fifth player is told that the room is full, and nobody is disturbed")
  func full() throws {
    var stage = Stage()
    for i in 0..<64 { _ = try stage.join("p\(i)") }
    #expect(throws: Refusal.self) { try stage.join("late") }
    #expect(stage.state.roster.people.count == 64)
  }

  @Test("everybody is told who is gone, by leave or by another name")
  func gone() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    stage.effects = []
    stage.state.rename(bob, to: PlayerName("rob")!, at: Moment(arrival: .zero))
    #expect(Outcome(stage.effects).events.contains(.playerGone(PlayerName("bob")!)))
    #expect(stage.step(.leave, by: ann, at: 100).events.contains(.playerGone(PlayerName("ann")!)))
  }

  @Test("what a client measured from tap to ear is told to everybody, listeners' too, and to who comes later")
  func latency() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    stage.step(.set(.role, .text("listener")), by: bob, at: 0)
    let told = Event.playerLatency(player: PlayerName("bob")!, milliseconds: 84)
    stage.effects = []
    #expect(stage.step(.set(.latency, .float(84)), by: bob, at: 0).refusal == nil)
    #expect(stage.effects.contains { if case .tell(told, .everybody) = $0 { true } else { false } })
    #expect(stage.effects.contains { if case .peopleChanged = $0 { true } else { false } })
    let state = stage.step(.readAll, by: ann, at: 100).events.flatMap { event in
      if case .together(let all) = event { all } else { [event] }
    }
    #expect(state.contains(told))
    #expect(state.contains(.value(.latency, .float(0))))
    #expect(!state.contains(.playerLatency(player: PlayerName("ann")!, milliseconds: 0)))
  }

  @Test("who comes later can read the last 50 lines of chat, with their age and under the names of then")
  func chatLines() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    for number in 1...60 { stage.step(.chat("line \(number)"), by: ann, at: 48_000 * Int64(number)) }
    stage.step(.chat(""), by: ann, at: 48_000 * 60)
    let bob = try stage.join("bob")
    let events = stage.step(.listChat, by: bob, at: 48_000 * 70).events.flatMap { event in
      if case .together(let all) = event { all } else { [event] }
    }
    #expect(
      events
        == (11...60).map {
          .chatItem(player: PlayerName("ann")!, text: "line \($0)", secondsAgo: 70 - $0)
        })
  }

  @Test("whoever leaves lets go of its pads, frees its place, and is reported once")
  func leave() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    stage.step(.hit(Pad(2)!, .full), by: ann, at: 0)
    let outcome = stage.step(.leave, by: ann, at: 100)
    #expect(outcome.engine.contains { if case .releaseAll(ann) = $0.action { true } else { false } })
    #expect(outcome.left == [ann])
    #expect(stage.state.roster.people.isEmpty)
    #expect(stage.step(.hit(Pad(2)!, .full), by: ann, at: 200).refusal == .notInRoom(PlayerName("main")!))
    #expect(try stage.join("bob") == ann)
  }

  @Test("who left a loop that goes round is shown with its kit, until the loop is ended")
  func whoLeftIsShown() throws {
    var stage = Stage()
    let (ann, bob) = (try stage.join("ann"), try stage.join("bob"))
    stage.step(.set(.step(Pad(1)!, 1), .float(1)), by: bob, at: 0)
    stage.step(.loop(.play), by: bob, at: 0)
    while stage.state.nextDeadline.count < 110_000 { _ = stage.tick(stage.state.nextDeadline.count) }
    let snapshots = RoomSnapshots(name: "main")
    func shown() -> RoomSnapshot {
      snapshots.touch()
      stage.state.look(at: .seconds(3), into: snapshots)
      return snapshots.now
    }
    #expect(shown().left.isEmpty)
    #expect(shown().people.map(\.name) == ["ann", "bob"])
    stage.step(.leave, by: bob, at: 110_000)
    #expect(shown().people.map(\.name) == ["ann"])
    #expect(shown().left.map(\.name) == ["bob"])
    #expect(shown().left.map(\.kit) == ["ONE"])
    stage.effects = []
    #expect(stage.step(.kick(PlayerName("bob")!), by: ann, at: 120_000).refusal == nil)
    #expect(stage.effects.contains { if case .peopleChanged = $0 { true } else { false } })
    #expect(shown().left.isEmpty)
  }

  @Test("the host word makes a host, and only hosts have a hand on others' channels")
  func hosts() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let bob = try stage.join("bob")
    let bobName = PlayerName("bob")!
    #expect(stage.step(.toggle(.channelMute(bobName)), by: ann, at: 0).refusal == .hostOnly(.changeChannel))
    #expect(stage.step(.becomeHost("wrong"), by: ann, at: 0).refusal != nil)
    stage.step(.becomeHost("word"), by: ann, at: 0)
    let muted = stage.step(.toggle(.channelMute(bobName)), by: ann, at: 0)
    guard case .bus(bob, let gain, _)? = muted.engine.first?.action else { return #expect(Bool(false)) }
    #expect(gain == 0)
    let solo = stage.step(.set(.channelSolo(bobName), .bool(true)), by: ann, at: 0)
    guard case .solo(let mask)? = solo.engine.first?.action else { return #expect(Bool(false)) }
    #expect(mask == 1 << UInt64(bob.index))
    #expect(stage.step(.kick(bobName), by: ann, at: 0).left == [bob])
    #expect(stage.step(.kick(bobName), by: ann, at: 0).refusal == .noSuchPlayer(bobName, here: [PlayerName("ann")!]))
  }

  @Test("a host's hand on a channel is told to everybody, read by anybody, and told anew for a new name")
  func channelsAreTold() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let bob = try stage.join("bob")
    let name = PlayerName("bob")!
    let muted = stage.step(.toggle(.channelMute(name)), by: ann, at: 0)
    #expect(muted.told.contains { $0 == (.value(.channelMute(name), .bool(true)), .everybody) })
    let read = stage.step(.read(.channelMute(name)), by: bob, at: 0)
    #expect(read.told.map(\.event) == [.value(.channelMute(name), .bool(true))])
    let own = stage.step(.set(.channelGain(name), .float(-3)), by: bob, at: 0)
    #expect(own.refusal == .ownChannel)
    stage.effects = []
    stage.state.rename(bob, to: PlayerName("Böb")!, at: Moment(arrival: .zero))
    #expect(Outcome(stage.effects).events.contains(.value(.channelMute(PlayerName("Böb")!), .bool(true))))
  }

  @Test("a lock is told to everybody and can be read")
  func lockIsTold() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    let locked = stage.step(.set(.lock, .text("kits")), by: ann, at: 0)
    #expect(locked.told.contains { $0 == (.value(.lock, .text("kits")), .everybody) })
    #expect(stage.step(.read(.lock), by: ann, at: 0).events == [.value(.lock, .text("kits"))])
  }

  @Test("own gain, own mute and the host's hand meet on the bus")
  func busGain() throws {
    var stage = Stage()
    let ann = try stage.join("ann", isHost: true)
    func gain(_ command: Command) -> Float? {
      guard case .bus(_, let gain, _)? = stage.step(command, by: ann, at: 0).engine.first?.action else { return nil }
      return gain
    }
    #expect(abs(gain(.set(.gain, .float(-20)))! - 0.1) < 1e-6)
    #expect(abs(gain(.set(.channelGain(PlayerName("ann")!), .float(-20)))! - 0.01) < 1e-7)
    #expect(gain(.toggle(.mute)) == 0)
    #expect(abs(gain(.toggle(.mute))! - 0.01) < 1e-7)
  }

  @Test("settings are told to the room or to the player, and reads to the asker alone")
  func feedback() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    #expect(stage.step(.set(.masterGain, .float(-6)), by: ann, at: 0).told.first?.audience == .everybody)
    #expect(stage.step(.set(.pad(.gain, Pad(1)!), .float(-6)), by: ann, at: 0).told.first?.audience == .player(ann))
    #expect(stage.step(.read(.masterGain), by: ann, at: 0).told.first?.audience == .asker)
  }

  @Test("the full state holds every setting once")
  func readAll() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let outcome = stage.step(.readAll, by: ann, at: 0)
    var seen: Set<Setting> = []
    for case .value(let setting, _) in outcome.events { #expect(seen.insert(setting).inserted) }
    // Six of her channel, two of her mix of her own; the empty steps of her pads, and her lanes'
    // slots with what each lane does.
    let steps = Pad.count * 16
    let lanes = stage.state.limits.lanesPerPlayer * (stage.state.limits.slotsPerLane + 3)
    let lights = stage.state.lightSettings().count
    #expect(seen.count == Setting.everyFixed.count + 8 + steps + lanes + lights)
  }

  @Test("a rename keeps the place, and the log knows both names")
  func rename() throws {
    var stage = Stage()
    let guest = try stage.join("guest-1")
    stage.effects = []
    stage.state.rename(guest, to: PlayerName("ann")!, at: Moment(arrival: .zero))
    let outcome = Outcome(stage.effects)
    #expect(outcome.log.map(\.action) == [.rename(PlayerName("ann")!)])
    #expect(outcome.log.map(\.player.text) == ["guest-1"])
    #expect(outcome.engine.isEmpty, "nothing that sounds changes")
    #expect(stage.state[guest]?.name.text == "ann")
  }
}

@Suite struct KitTests {
  let one = Fixture.kit("one")
  let two = Fixture.kit("two")

  @Test("a kit in memory is chosen at once; one on disk is fetched, and the player plays on until it is there")
  func choose() throws {
    var stage = Stage(Fixture.state(kits: [one, two]))
    let ann = try stage.join("ann")
    let wanted = stage.step(.chooseKit(.id("two")), by: ann, at: 0)
    #expect(wanted.wantedKits == ["two"])
    #expect(stage.state[ann]?.hands.kitID == "one")
    stage.effects = []
    stage.state.kitArrived(two, at: Frames(4_800))
    let arrived = Outcome(stage.effects)
    #expect(stage.state[ann]?.hands.kitID == "two")
    #expect(arrived.log.map(\.action) == [.command(.chooseKit(.id("two")))])
    #expect(arrived.events.contains(.value(.kitName, .text("TWO"))))
    // Another player gets it without reading.
    let bob = try stage.join("bob")
    #expect(stage.step(.chooseKit(.index(1)), by: bob, at: 0).wantedKits.isEmpty)
  }

  @Test("a kit that nobody plays any more is let go of, the first never")
  func letGo() throws {
    var stage = Stage(Fixture.state(kits: [one, two]))
    let ann = try stage.join("ann")
    stage.step(.chooseKit(.next), by: ann, at: 0)
    weak var kit: PlayableKit?
    do {
      let arrived = Fixture.kit("two")
      kit = arrived
      stage.state.kitArrived(arrived, at: .zero)
    }
    #expect(kit != nil)
    stage.step(.chooseKit(.previous), by: ann, at: 0)
    #expect(kit == nil)
    #expect(stage.step(.chooseKit(.next), by: ann, at: 0).wantedKits == ["two"])
  }

  @Test("two quick nexts go two kits on, and the list wraps")
  func twice() throws {
    let three = Fixture.kit("three")
    var stage = Stage(Fixture.state(kits: [one, two, three]))
    let ann = try stage.join("ann")
    #expect(stage.step(.chooseKit(.next), by: ann, at: 0).wantedKits == ["two"])
    #expect(stage.step(.chooseKit(.next), by: ann, at: 0).wantedKits == ["three"])
    #expect(stage.step(.chooseKit(.next), by: ann, at: 0).wantedKits.isEmpty)
    #expect(stage.state[ann]?.hands.kitID == "one")
  }

  @Test("an unknown kit is refused with the kits that there are; one that fails to load leaves the old one playing")
  func refused() throws {
    var stage = Stage(Fixture.state(kits: [one, two]))
    let ann = try stage.join("ann")
    #expect(
      stage.step(.chooseKit(.id("tow")), by: ann, at: 0).refusal
        == .noSuchKit("tow", known: ["one", "two"]))
    #expect(
      stage.step(.chooseKit(.id("twoo")), by: ann, at: 0).refusal
        == .noSuchKit("twoo", near: "two", known: ["one", "two"]))
    #expect(stage.step(.chooseKit(.id("piano")), by: ann, at: 0).refusal == .noSuchKit("piano", known: ["one", "two"]))
    #expect(stage.step(.chooseKit(.index(7)), by: ann, at: 0).refusal == .noKitAtIndex(7, count: 2))
    stage.step(.chooseKit(.id("two")), by: ann, at: 0)
    stage.effects = []
    stage.state.kitFailed("two", reason: .kitUnreadable("Kits/two/kick.flac is damaged"))
    #expect(Outcome(stage.effects).refusal == .kitUnreadable("Kits/two/kick.flac is damaged"))
    #expect(stage.state[ann]?.hands.kitID == "one")
  }

  @Test("a pad gets any kit's sound and keeps its settings; browsing goes through its category in all kits")
  func samples() throws {
    var stage = Stage(Fixture.state(kits: [one, two]))
    let ann = try stage.join("ann")
    let pad = Pad(3)!
    stage.step(.set(.pad(.gain, pad), .float(-6)), by: ann, at: 0)
    let chosen = stage.step(.set(.padSample(pad), .text("one/9")), by: ann, at: 0)
    #expect(chosen.events.contains(.value(.padName(pad), .text("one 9"))))
    #expect(chosen.log.map(\.action) == [.command(.set(.padSample(pad), .text("one/9")))])
    #expect(stage.step(.read(.pad(.gain, pad)), by: ann, at: 0).events == [.value(.pad(.gain, pad), .float(-6))])
    guard case .start(let start)? = stage.step(.hit(pad, .full), by: ann, at: 0).engine.first?.action else {
      return #expect(Bool(false))
    }
    #expect(start.sample.frameCount == 9 * 480)
    // From the last pad of one kit to the first of the next, which has to be read.
    stage.step(.set(.padSample(pad), .text("one/16")), by: ann, at: 0)
    #expect(stage.step(.browseSample(pad, 1), by: ann, at: 0).wantedKits == ["two"])
    stage.effects = []
    stage.state.kitArrived(two, at: .zero)
    #expect(Outcome(stage.effects).events.contains(.value(.padSample(pad), .text("two/1"))))
    for wrong in ["three/1", "one/17", "one"] {
      #expect(stage.step(.set(.padSample(pad), .text(wrong)), by: ann, at: 0).refusal != nil)
    }
    let reset = stage.step(.resetPad(pad), by: ann, at: 0)
    #expect(reset.events.contains(.value(.padName(pad), .text("one 3"))))
  }

  @Test("sounds of a pad are chosen by velocity and take turns")
  func layers() throws {
    let views = (1...3).map {
      SampleView(left: one[Pad(1)!]!.layers[0].sounds[0].view.left, right: nil, frameCount: $0)
    }
    let sounds = views.map { PlayableSound($0, owner: one) }
    let layered = PlayablePad(layers: [
      .init(upTo: 0.5, decibels: -6, sounds: [sounds[0]]), .init(sounds: [sounds[1], sounds[2]]),
    ])!
    let kit = PlayableKit(kit: one.kit, pads: [layered] + Pad.all.dropFirst().map { one[$0] })
    var stage = Stage(Fixture.state(kits: [kit]))
    let ann = try stage.join("ann")
    let played = ([0.5, 1, 1, 0.6, 0.2] as [Float]).compactMap { velocity -> Int32? in
      let outcome = stage.step(.hit(Pad(1)!, Velocity(velocity)!), by: ann, at: 0)
      guard case .start(let start)? = outcome.engine.first?.action else { return nil }
      if velocity == 0.5 { #expect(start.gain.left == 0.25 * Decibels.gain(-6)) }
      return start.sample.frameCount
    }
    #expect(played == [1, 3, 2, 3, 1])
  }

  @Test("a hit that was placed while its kit was away plays the sound of its turn once it is back")
  func turnsWhileAway() throws {
    let view = one[Pad(1)!]!.layers[0].sounds[0].view
    let sounds = (0..<3).map { _ in PlayableSound(view, owner: one) }
    let pad = PlayablePad(layers: [.init(sounds: sounds)])!
    var stage = Stage(Fixture.state(kits: [one]))
    let ann = try stage.join("ann")
    for turn in 0..<5 {
      let hit = VoicedHit(
        position: .zero, velocity: .full, length: nil, voicing: stage.state.voicing(of: Pad(1)!, of: ann), turn: turn)
      let silent = KeptHit(LoopHit(hit, .away(turn: turn), number: 7, by: ann))
      #expect(LoopHit(silent, pad, by: ann).sound === sounds[turn % 3])
    }
  }
}
