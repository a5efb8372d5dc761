import JamCore
import JamEngine
import Testing

@testable import JamRoom

@Suite struct CueTests {
  let pad = Pad(3)!

  private func listening(_ token: String..., click: Bool = false, revision: UInt64 = 2) -> OpenStreams {
    let cues = token.enumerated().map { OpenStreams.Cue(number: UInt8($0), ticket: UInt64($0) + 7, token: $1) }
    return OpenStreams(revision: revision, cues: cues, carriesClick: click)
  }

  private func preview(_ outcome: Outcome) -> (start: VoiceStart, cue: UInt8)? {
    for command in outcome.engine { if case .preview(let start, let cue) = command.action { return (start, cue) } }
    return nil
  }

  /// What the state says when other streams are open.
  private func open(_ streams: OpenStreams, _ stage: inout Stage) -> Outcome {
    stage.effects = []
    stage.state.streamsChanged(streams)
    return Outcome(stage.effects)
  }

  @Test("a preview is the pad's hit at full velocity on the player's cue, with its settings and faders, before mutes")
  func preview() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let bob = try stage.join("bob")
    _ = open(listening("token-bob", "token-ann"), &stage)
    for (setting, value) in [
      (Setting.pad(.gain, pad), SettingValue.float(-20)), (.pad(.pan, pad), .float(-1)), (.pad(.start, pad), .float(2)),
      (.pad(.decay, pad), .float(5)), (.pad(.transpose, pad), .float(12)), (.pad(.mode, pad), .text("loop")),
      (.pad(.mute, pad), .bool(true)), (.pad(.solo, Pad(1)!), .bool(true)), (.gain, .float(-12)),
      (.masterGain, .float(-60)),
    ] { stage.step(.set(setting, value), by: ann, at: 0) }
    let (start, cue) = try #require(preview(stage.step(.preview(pad), by: ann, at: 1_000)))
    #expect(cue == 1 && start.bus == ann && start.pad == pad)
    // The channel is 12 dB down; a master that is shut counts as open.
    let left: Float = 1.414_213_5 * 0.251_188_6
    #expect(abs(start.level - 0.1) < 1e-6 && abs(start.gain.left - left) < 1e-6 && start.gain.right == 0)
    #expect(start.startFrame == 96 && start.decayFrames == 240 && start.rate == 2 && start.voices == 1)
    // It comes to an end by itself.
    #expect(!start.isLooped && !start.isGated)
    #expect(preview(stage.step(.preview(pad), by: bob, at: 1_000))?.cue == 0)
  }

  @Test("a preview is as loud as the hit is in the mix, wherever the pad's pan, its layers and the faders stand")
  func previewLoudness() throws {
    let sounds = TestSounds()
    let pads = Pad.all.map { _ in
      PlayablePad(layers: [
        PlayablePad.Layer(upTo: 0.5, sounds: [PlayableSound(sounds.view(pad), owner: sounds)]),
        PlayablePad.Layer(decibels: -6, sounds: [PlayableSound(sounds.view(pad), owner: sounds)]),
      ])
    }
    var stage = Stage(Fixture.state(kits: [PlayableKit(kit: Fixture.kit("one").kit, pads: pads)]))
    let ann = try stage.join("ann")
    _ = open(listening("token-ann"), &stage)
    let (channel, master): (Float, Float) = (-9, -3)
    for pan in [-1, -0.3, 0, 0.7] as [Float] {
      for (setting, value) in [
        (Setting.pad(.pan, pad), pan), (.pad(.gain, pad), 4), (.gain, channel), (.masterGain, master),
      ] { stage.step(.set(setting, .float(value)), by: ann, at: 0) }
      let heard = try #require(preview(stage.step(.preview(pad), by: ann, at: 1_000))).start
      guard case .start(let hit)? = stage.step(.hit(pad, .full), by: ann, at: 1_000).engine.first?.action else {
        Issue.record("no hit")
        return
      }
      let faders = Decibels.gain(channel) * Decibels.gain(master)
      #expect(heard.level == hit.level)
      #expect(abs(heard.gain.left - hit.gain.left * faders) < 1e-6)
      #expect(abs(heard.gain.right - hit.gain.right * faders) < 1e-6)
    }
  }

  @Test("nothing of a preview is logged or told, and it takes no number and no turn from what is played")
  func unlogged() throws {
    let sounds = (1...3).map { pad in
      let memory = TestSounds()
      return PlayableSound(memory.view(Pad(pad)!), owner: memory)
    }
    let plain = Fixture.kit("one")
    let kit = PlayableKit(
      kit: plain.kit, pads: Pad.all.map { _ in PlayablePad(layers: [PlayablePad.Layer(sounds: sounds)]) })
    var plainStage = Stage(Fixture.state(kits: [kit]))
    var stage = Stage(Fixture.state(kits: [kit]))
    let ann = try stage.join("ann")
    _ = try plainStage.join("ann")
    let opened = open(listening("token-ann"), &stage)
    #expect(opened.log.isEmpty && opened.told.isEmpty && opened.engine.count == 1)
    for frame in [1_000, 2_000, 3_000] as [Int64] {
      for _ in 0..<2 {
        let outcome = stage.step(.preview(pad), by: ann, at: frame)
        #expect(outcome.log.isEmpty && outcome.told.isEmpty && outcome.engine.map(\.frame) == [Frames(frame + 240)])
        #expect(outcome.engine.map(\.sequence) == [stage.state.session.tally.sequence])
      }
      let (hit, same) = (
        stage.step(.hit(pad, .full), by: ann, at: frame), plainStage.step(.hit(pad, .full), by: ann, at: frame)
      )
      #expect(hit.log == same.log)
      guard case .start(let a)? = hit.engine.first?.action, case .start(let b)? = same.engine.first?.action else {
        Issue.record("no hit")
        return
      }
      #expect(a.sample.frameCount == b.sample.frameCount)
    }
    #expect(stage.step(.panic, by: ann, at: 4_000).log == plainStage.step(.panic, by: ann, at: 4_000).log)
  }

  @Test("who previews without an open cue is told by which name to open it")
  func unheard() throws {
    var stage = Stage()
    let ann = try stage.join("Änn&Co")
    let guest = try stage.state.join(
      PlayerName("guest")!, token: "g", isGuest: true, at: Moment(arrival: .zero))
    let unheard = Refusal.cueUnheard(room: PlayerName("main")!, player: PlayerName("Änn&Co")!)
    for command in [Command.preview(pad), .previewSample("one/3")] {
      #expect(stage.step(command, by: ann, at: 0).refusal == unheard)
      #expect(stage.step(command, by: guest, at: 0).refusal == .cueUnheard(room: PlayerName("main")!, player: nil))
    }
    // Somebody else's cue is not one's own.
    _ = open(listening("token-bob"), &stage)
    #expect(stage.step(.preview(pad), by: ann, at: 0).refusal == unheard)
  }

  @Test("any sound can be heard before it is chosen, its kit read when it has to be; the last wish counts")
  func samples() throws {
    let (one, two) = (Fixture.kit("one"), Fixture.kit("two"))
    var stage = Stage(Fixture.state(kits: [one, two]))
    let ann = try stage.join("ann")
    _ = open(listening("token-ann"), &stage)
    let here = try #require(preview(stage.step(.previewSample("one/5"), by: ann, at: 0)))
    #expect(here.start.sample.frameCount == 5 * 480 && here.start.choke == 255)
    for text in ["two/2", "two/4"] {
      let outcome = stage.step(.previewSample(text), by: ann, at: 0)
      #expect(outcome.wantedKits == ["two"] && outcome.engine.isEmpty && outcome.log.isEmpty)
    }
    stage.effects = []
    stage.state.kitArrived(two, at: Frames(9_000))
    let arrived = Outcome(stage.effects)
    #expect(arrived.engine.count == 1 && arrived.log.isEmpty && preview(arrived)?.start.sample.frameCount == 4 * 480)
    stage.effects = []
    stage.state.kitArrived(two, at: Frames(9_000))
    #expect(Outcome(stage.effects).engine.isEmpty, "once")
    stage.step(.previewSample("two/1"), by: ann, at: 0)
    stage.effects = []
    stage.state.kitFailed("two", reason: .kitUnreadable("no such file"))
    #expect(
      Outcome(stage.effects).told.map(\.event) == [.refused(.previewSample("two/1"), .kitUnreadable("no such file"))])
    let wrong: [(String, Refusal)] = [
      ("kazoo", .noSuchSound("kazoo", isPreview: true)), ("three/1", .noSuchKit("three")),
      ("one/17", .noSuchSound("one/17", isPreview: true)),
    ]
    for (text, refusal) in wrong {
      #expect(stage.step(.previewSample(text), by: ann, at: 0).refusal == refusal)
    }
  }

  @Test("the click goes to the player's own cue at its own gain, and is told where nothing carries it")
  func click() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    func levels(_ outcome: Outcome) -> Float? {
      for command in outcome.engine {
        if case .cueLevels(0, 1, let click) = command.action { return click }
      }
      return nil
    }
    // In a score nobody listens.
    #expect(stage.step(.set(.metronome, .bool(true)), by: ann, at: 0).refusal == nil)
    _ = open(OpenStreams(revision: 1), &stage)
    stage.step(.toggle(.metronome), by: ann, at: 0)
    let outcome = stage.step(.toggle(.metronome), by: ann, at: 0)
    #expect(outcome.refusal == .clickUnheard(room: PlayerName("main")!, player: PlayerName("ann")!))
    #expect(outcome.log.count == 1 && outcome.events.contains(.value(.metronome, .bool(true))))
    #expect(outcome.told.filter { if case .refused = $0.event { true } else { false } }.map(\.audience) == [.asker])
    // Switched off, set again by name, and with any of the three ways to hear it there is nothing to tell.
    #expect(stage.step(.set(.metronome, .bool(false)), by: ann, at: 0).refusal == nil)
    _ = open(listening(click: true), &stage)
    #expect(stage.step(.set(.metronome, .bool(true)), by: ann, at: 0).refusal == nil)
    stage.step(.set(.metronomeGain, .float(-20)), by: ann, at: 0)
    let opened = open(listening("token-ann", revision: 3), &stage)
    guard case .openCue(0, ann, 7, let click, withoutOwn: false)? = opened.engine.first?.action else {
      Issue.record("\(opened.engine)")
      return
    }
    #expect(abs(click - 0.1) < 1e-6)
    #expect(levels(stage.step(.set(.metronome, .bool(false)), by: ann, at: 0)) == 0)
    let on = stage.step(.set(.metronome, .bool(true)), by: ann, at: 0)
    #expect(abs((levels(on) ?? 0) - 0.1) < 1e-6 && on.refusal == nil)
    #expect(levels(stage.step(.set(.metronomeGain, .float(0)), by: ann, at: 100)) == 1)
    _ = open(listening(revision: 4), &stage)
    let host = try stage.join("host", isHost: true)
    stage.step(.set(.metronomeSpeakers, .bool(true)), by: host, at: 0)
    #expect(stage.step(.set(.metronome, .bool(true)), by: ann, at: 0).refusal == nil)
  }

  @Test("the click goes on loudspeakers only where there are some, and whoever hears it nowhere is still told how to")
  func noSpeakers() throws {
    var stage = Stage(Fixture.state(hasSpeakers: false))
    let host = try stage.join("host", isHost: true)
    _ = open(listening(revision: 1), &stage)
    let refused = stage.step(.set(.metronomeSpeakers, .bool(true)), by: host, at: 0)
    #expect(refused.refusal == .noSpeakers && refused.engine.isEmpty)
    #expect(stage.step(.set(.metronomeSpeakers, .bool(false)), by: host, at: 0).refusal == nil)
    #expect(
      stage.step(.set(.metronome, .bool(true)), by: host, at: 0).refusal
        == .clickUnheard(room: PlayerName("main")!, player: PlayerName("host")!))
  }

  @Test("cues open and close with their streams; of a player who left the mix goes on, without click and previews")
  func comingAndGoing() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    #expect(open(listening("token-ann"), &stage).engine.count == 1)
    #expect(open(listening("token-ann", click: true, revision: 3), &stage).engine.isEmpty)
    let left = stage.step(.leave, by: ann, at: 0)
    #expect(
      left.engine.contains { if case .cueLevels(0, 1, 0) = $0.action { true } else { false } }, "\(left.engine)")
    #expect(!left.engine.contains { if case .closeCue = $0.action { true } else { false } })
    // Whoever takes the place has not the cue of the one before.
    let bob = try stage.join("bob")
    #expect(bob == ann)
    #expect(stage.step(.preview(pad), by: bob, at: 0).refusal != nil)
    let closed = open(OpenStreams(revision: 4), &stage)
    guard case .closeCue(0)? = closed.engine.first?.action, closed.engine.count == 1 else {
      Issue.record("\(closed.engine)")
      return
    }
    // A stream of somebody who is gone carries the mix: the engine makes no cue for it.
    #expect(open(listening("token-ann", revision: 5), &stage).engine.isEmpty)
    // What was lost on the way is told again, whatever is open by then.
    _ = open(listening("token-bob", revision: 6), &stage)
    stage.state.forgetCues()
    #expect(open(listening("token-bob", revision: 6), &stage).engine.count == 2)
  }

  @Test("a cue is for its player's token alone")
  func tokens() throws {
    var stage = Stage()
    let ann = try stage.join("ann")
    let cueAccess = CueAccess()
    let name = PlayerName("ann")!
    #expect(cueAccess.admits(name, token: "token-ann") == .nobody)
    cueAccess.note(stage.state.roster[ann])
    #expect(cueAccess.admits(name, token: "token-ann") == .admitted(name))
    for wrong in ["", "token-an", "token-ann ", "token-bob"] {
      #expect(cueAccess.admits(name, token: wrong) == .wrongToken)
    }
    stage.state.rename(ann, to: PlayerName("anna")!, at: Moment(arrival: .zero))
    cueAccess.note(stage.state.roster[ann])
    #expect(cueAccess.admits(name, token: "token-ann") == .nobody)
    #expect(cueAccess.admits(PlayerName("anna")!, token: "token-ann") == .admitted(PlayerName("anna")!))
    cueAccess.remove(ann)
    #expect(cueAccess.admits(PlayerName("anna")!, token: "token-ann") == .nobody)
    cueAccess.show(OpenStreams(revision: 3, carriesClick: true))
    cueAccess.show(OpenStreams(revision: 2))
    #expect(cueAccess.streams(since: 2)?.carriesClick == true && cueAccess.streams(since: 3) == nil)
  }
}
