import JamCore

@testable import JamRoom

/// What players might ask for, by chance.
extension Dice {
  /// Of few pads, so that they meet.
  mutating func pad() -> Pad { Pad(1 + below(topic == .pads ? 2 : 5))! }

  private mutating func velocity() -> Velocity { Velocity(0.05 + share() * 0.95)! }

  mutating func hit() -> Command {
    switch below(4) {
    case 0: .release(pad())
    default: hit(pad())
    }
  }

  /// One of four is sounded by its client itself.
  private mutating func hit(_ pad: Pad) -> Command {
    let velocity = velocity()
    let bits = velocity.value.bitPattern
    return .hit(pad, velocity, bits & 3 == 0 ? OwnHit(Int64(bits & 0xffff)) : .none)
  }

  /// Of few keys, so that they meet.
  private mutating func key() -> Pad { Pad(key: 60 + below(4))! }

  mutating func keyEdit() -> Command {
    switch below(31) {
    case 0...7: hit(key())
    case 8...14: .release(key())
    case 15: .set(.sustain, .bool(below(2) == 0))
    case 16: .set(.instrument, .text(one(of: ["bass", "pad", "plain", "tones", "tones"])))
    case 17: .browseInstruments(one(of: [-1, 1]))
    case 18: .set(.patch(one(of: [.cutoff, .ampRelease])), .float(100 + share() * 5_000))
    case 19: .set(.patch(.mode), .text(one(of: PatchMode.allCases).rawValue))
    case 20: .keyHeight(key(), share())
    case 21: one(of: [.keyBend(key(), share() * 2), .set(.bend, .float(share() * 2 - 1))])
    case 22: .set(.padLayout, .text(one(of: PadLayout.allCases).word))
    case 23: .set(.chordSize, .integer(Int32(below(5))))
    case 24: .set(.arpMode, .text(one(of: ArpeggioMode.allCases).word))
    case 25: .set(.arpRate, .text(one(of: Grid.allCases).word))
    case 26:
      one(of: [
        .set(.progression, .text(one(of: ["I V", "Am F:2", "x", ""]))), .toggle(.progressionOn), .toggle(.arpLatch),
        .toggle(.keySnap), .toggle(.kitFollow), .tuneKit(one(of: ["room", "F", ""])), .set(.arpOctaves, .integer(2)),
        .toggle(.chordLead),
      ])
    case 27:
      .set(
        .effect(one(of: [.lowGain, .driveAmount, .chorusMix, .delaySend, .reverbSend, .filterMacro, .spaceMacro])),
        .float(share()))
    case 28:
      one(of: [
        .set(.effect(.duckSource), .text(one(of: DuckSource.allCases).word)),
        .set(.duckPlayer, .text(one(of: ["ann", "bob", "cat", "nobody", ""]))),
      ])
    case 29:
      one(of: [
        .set(.roomEffect(.delayFeedback), .float(share() * 0.9)), .set(.roomEffect(.reverbDecay), .float(1 + share())),
        .set(.roomEffect(.throwMacro), .float(share())), .toggle(.roomEffect(.delayPingPong)),
        .set(.keyRoot, .text(one(of: ["C", "D", "F#"]))), .saveProgression("rain"),
        .pressChord(1, Strike(1, isInteger: false)), .pressChord(2, Strike(0.5, isInteger: false)), .pressChord(1, nil),
        .deleteProgression("rain"), .keepScene(1), .keepScene(2), .launchScene(1), .launchScene(2),
        .groupEdits(true), .groupEdits(false), .listSteps, .set(.scene(2), .text("ann lane1*; bob loop")),
      ])
    default: .set(.step(key(), 1 + below(16)), .float(below(3) == 0 ? 0 : velocity().value))
    }
  }

  mutating func padEdit() -> Command {
    let pad = pad()
    return switch below(24) {
    case 0: .set(.pad(.gain, pad), .float(-share() * 60))
    case 1: .set(.pad(.pan, pad), .float(share() * 2 - 1))
    case 2:
      below(2) == 0 ? .set(.pad(.panRandom, pad), .float(share())) : .set(.pad(.gainRandom, pad), .float(share() * 12))
    case 3: .set(.pad(.start, pad), .float(share() * 5))
    case 4: .set(.pad(.decay, pad), .float(share() * 100))
    case 5: .set(.pad(.transpose, pad), .float(share() * 48 - 24))
    case 6: .set(.pad(.transposeRandom, pad), .float(share() * 12))
    case 7...9: .set(.pad(.stretch, pad), .float(below(3) == 0 ? 1 : 0.25 + share()))
    case 10, 11: .set(.pad(.stretchQuality, pad), .text(one(of: ["fast", "best"])))
    case 12, 13: .set(.pad(.mode, pad), .text(one(of: PadMode.allCases).rawValue))
    case 14: .set(.pad(.voices, pad), .integer(Int32(1 + below(8))))
    case 15: .set(.pad(.choke, pad), .integer(Int32(below(3))))
    case 16: .toggle(.pad(.mute, pad))
    case 17: .toggle(.pad(.solo, pad))
    case 18: .set(.padSample(pad), .text(one(of: ["one/1", "two/7", "three/16"])))
    case 19: .browseSample(pad, one(of: [-1, 1]))
    case 20: .chooseKit(one(of: [.next, .previous, .index(1), .id("one")]))
    case 21, 22: .set(.pad(.beats, pad), .float(one(of: [0, 1, 4, 8, 12.5])))
    default: .resetPad(pad)
    }
  }

  /// What takes its time, one upon the other.
  mutating func stretch() -> Command {
    let pad = pad()
    return switch below(3) {
    case 0: .set(.pad(.stretchQuality, pad), .text(one(of: ["fast", "best"])))
    case 1: .set(.pad(.stretch, pad), .float(below(3) == 0 ? 1 : 0.25 + share()))
    default: .hit(pad, velocity())
    }
  }

  mutating func loopEdit() -> Command {
    switch below(20) {
    case 0...1: .loop(.record)
    case 2: .recordNow
    case 3: .loop(.overdub)
    case 4: one(of: [.loop(.play), .catchPlayed])
    case 5: .loop(.stop)
    case 6: .loop(.clear)
    case 7: .toggle(.layerMute(1 + below(4)))
    case 8: .set(.layerGain(1 + below(4)), .float(-share() * 20))
    case 9: .deleteLayer(1 + below(4))
    case 10: .set(.loopBars, .integer(Int32(1 + below(3))))
    case 11: .set(.steps, .integer(Int32(4 + below(20))))
    case 12: .set(.padSteps(pad()), .integer(Int32(one(of: [0, 5, 7, 16, 64]))))
    default: .set(.step(pad(), 1 + below(16)), .float(below(3) == 0 ? 0 : velocity().value))
    }
  }

  mutating func laneEdit() -> Command {
    let lane = 1 + below(2)
    return switch below(14) {
    case 0...3:
      .set(.laneSlot(lane, 1 + below(4)), .text(one(of: ["a", "b", "rock straight", "funk one", ""])))
    case 4: .moveSlot(lane: lane, from: 1 + below(4), to: 1 + below(4))
    case 5: .swapSlots(lane: lane, 1 + below(4), 1 + below(4))
    case 6: .lane(lane, .clear)
    case 7: .lane(lane, .play)
    case 8, 9: .lane(lane, .loop)
    case 10: .lane(lane, .stop)
    case 11: .saveBlock(one(of: ["a", "b"]), layer: below(3), from: 1, bars: one(of: [nil, 1]))
    case 12:
      below(2) == 0
        ? .setBlockStep(one(of: ["a", "b"]), pad(), step: 1 + below(16), velocity: one(of: [0, 0.7]))
        : .struck(.blockStep("a", pad(), 1 + below(16)), Strike(one(of: [2, 64, 127]), isInteger: below(2) == 0)!)
    default: one(of: [.copyBlock("rock fill", to: "b"), .shareBlock("a"), .deleteBlock("b")])
    }
  }

  mutating func clockEdit() -> Command {
    switch below(24) {
    case 0, 1: .set(.tempo, .float(Float(120 + below(180))))
    case 2: .tapTempo
    case 3: .nudge(share() * 200 - 100)
    case 4: .stop
    case 5, 6: .play
    case 7: .set(.signature, .signature(TimeSignature(beatsPerBar: 1 + below(4), beatUnit: one(of: [4, 8]))!))
    case 8: .set(.swing, .float(share() * 0.75))
    case 9, 10: .set(.quantize, .text(one(of: Grid.allCases).word))
    case 11: .set(.quantizeStrength, .float(share()))
    case 12: .set(.timing, .text(one(of: Timing.allCases).word))
    case 13: .set(.repeatRate, .text(one(of: Grid.allCases).word))
    case 14: .buildUp(bpm: one(of: [nil, 240, 80]), bars: 1 + below(4), one(of: TempoCurve.allCases))
    case 15: .drop
    case 16: .cancelBuildUp
    case 17: .toggle(one(of: [.buildUpRoll, .buildUpRiser, .buildUpImpact, .buildUpSilence, .buildUpHold]))
    case 18: .set(.buildUpPad, .integer(Int32(below(5))))
    case 19: .set(.tempoMode, .text(one(of: ["free", "free", "vote"])))
    case 20: .set(.loopQuantize, .text(one(of: Grid.allCases).word))
    case 21: .set(.loopQuantizeStrength, .float(share()))
    default: .set(.tempoVote, .float(Float(one(of: [0, 150, 200, 250]))))
    }
  }

  mutating func roomEdit(_ names: [PlayerName]) -> Command {
    let name = one(of: names)
    return switch below(24) {
    case 0: .set(.gain, .float(-share() * 60))
    case 1: .toggle(.mute)
    case 2: .toggle(.metronome)
    case 3: .set(.metronomeGain, .float(-share() * 30))
    case 4: .set(.pitch, .float(share() * 24 - 12))
    case 5: .set(.modulation, .float(share()))
    case 6: .set(.masterGain, .float(-share() * 12))
    case 7: .set(.channelGain(name), .float(-share() * 12))
    case 8: .toggle(.channelMute(name))
    case 9: .toggle(.channelSolo(name))
    case 10: .toggle(.metronomeSpeakers)
    case 11: .set(.lock, .text(one(of: ["none", "key", "tempo", "loops", "kits"])))
    case 12: .set(.roleOf(name), .text(one(of: Role.allCases).word))
    case 13: .becomeHost(one(of: ["word", "wrong"]))
    case 14: .kick(name)
    case 15, 16: .leave
    case 17, 18: .roomUndo
    case 19: .roomRedo
    case 20: .panic
    case 21: .panicEverybody
    case 22: .cancel(pad())
    default:
      one(of: [
        .readAll, .listKits, .listBlocks, .listHits("a"), .chat("hello"), .listChat, .listSamples(""),
        .set(.mixGain(name), .float(-12)), .toggle(.mixMute(name)), .levelMix,
      ])
    }
  }

  /// What an edge or a score might let through, and what makes no sense at the time.
  mutating func nonsense() -> Command {
    one(of: [
      .set(.pad(.mode, pad()), .text("none")), .set(.pad(.pan, pad()), .text("left")),
      .set(.pad(.gain, pad()), .bool(true)),
      .set(.pad(.stretchQuality, pad()), .text("none")), .set(.pad(.stretch, pad()), .text("long")),
      .set(.padSample(pad()), .text("nothing")), .set(.padSample(pad()), .text("four/1")),
      .chooseKit(.id("four")), .chooseKit(.index(9)), .set(.quantize, .text("1/7")), .set(.repeatRate, .text("fast")),
      .set(.timing, .text("never")), .set(.lock, .text("all")), .set(.step(pad(), 64), .float(1)),
      .set(.steps, .integer(3)), .set(.padSteps(pad()), .integer(65)), .deleteLayer(60), .toggle(.layerMute(60)),
      .set(.laneSlot(1, 1), .text("no such block")), .lane(8, .play), .moveSlot(lane: 8, from: 1, to: 2),
      .focus(lane: 1, slot: 1), .previewBlock("a"), .rise(1, frames: 100), .hush(true),
      .loopHit(layer: 1, hit: 1, hold: 0, gain: 0), .leaveLoop, .set(.playing, .bool(false)),
      .set(.kitName, .text("x")), .toggle(.tempo), .saveBlock("a/b", layer: 0, from: 1, bars: nil),
      .saveBlock("a", layer: 1, from: 60, bars: 9), .shareBlock("rock fill"), .kick(PlayerName("nobody")!),
      .set(.swing, .bool(true)), .preview(pad()), .chat(""),
    ])
  }

  /// Half of the commands are about the topic, if there is one.
  mutating func command(_ names: [PlayerName]) -> Command {
    if topic != .anything, below(2) == 0 {
      switch topic {
      case .anything: break
      case .pads: return below(2) == 0 ? stretch() : padEdit()
      case .loops: return loopEdit()
      case .lanes: return laneEdit()
      case .clock: return clockEdit()
      case .people: return roomEdit(names)
      }
    }
    return switch below(40) {
    case 0...8: hit()
    case 9...12: keyEdit()
    case 13...17: padEdit()
    case 18...24: loopEdit()
    case 25...28: laneEdit()
    case 29...32: clockEdit()
    case 33, 34: roomEdit(names)
    case 35, 36: .undo
    case 37: .redo
    default: nonsense()
    }
  }
}

extension RandomRoom {
  static let names = ["ann", "bob", "cleo", "dora"].map { PlayerName($0)! }

  /// Plays `count` commands of four players who come and go.
  /// - Parameter check: looks at the room after each command; it gets what was refused, and the state before with its loops advanced.
  func play(
    seed: Int, count: Int,
    check: (RandomRoom, Command, _ refused: RoomState?) -> Void = { _, _, _ in }
  ) {
    var dice = Dice(seed: seed)
    var ids: [PlayerID?] = RandomRoom.names.map { join($0.text, isHost: $0.text != "bob") }
    func isHere(_ who: Int) -> Bool {
      ids[who].flatMap { state.roster.here($0) }.map { $0.token == RandomRoom.names[who].text } ?? false
    }
    for number in 0..<count {
      go(to: now + Frames(Int64(dice.below(6) == 0 ? dice.below(60_000) : dice.below(4_000))))
      let who = dice.below(4)
      let command =
        number == 0 ? .set(.signature, .signature(.init(beatsPerBar: 2, beatUnit: 4)!)) : dice.command(RandomRoom.names)
      var moment = Moment(arrival: max(.zero, now - Frames(Int64(dice.below(60)))))
      if command.isHit || dice.below(8) == 0, dice.below(4) == 0 {
        moment.tagged = moment.arrival + Frames(Int64(dice.below(90_000)))
      }
      if command.isHit, dice.below(4) == 0 {
        moment.heard = UInt32(truncatingIfNeeded: (moment.arrival - Frames(Int64(dice.below(20_000)))).count)
      }
      if !isHere(who) { ids[who] = join(RandomRoom.names[who].text, isHost: dice.below(2) == 0) }
      guard let id = ids[who] else { continue }
      // Loops that are due go on before a command is looked at.
      var before = state
      if !command.isHit { before.advanceLoops(until: before.effectFrame(moment)) }
      let entries = log.count
      let refusal = step(command, by: id, at: moment)
      // A release is told what it said it heard, and is carried out.
      let isRefused = refusal != nil && log.count == entries
      check(self, command, isRefused ? before : nil)
    }
    go(to: now + .seconds(3))
  }
}
