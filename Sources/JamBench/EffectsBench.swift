internal import JamCore
internal import JamEngine
internal import JamRealtime

/// The cost of a room's effects. Sixteen players' channels sound all the time, once with all
/// effects on, and once with none.
///
/// Both engines render in turns on the calling thread, so that a busy machine slows both alike.
struct EffectsBench {
  var repetitions = 9
  /// Buffers rendered in each repetition.
  var buffers = 400
  private static let players = 16

  func run() -> BenchReport {
    RealtimeThread.flushDenormals()
    var report = BenchReport(name: "effects")
    let (plain, full) = (Stage(areOn: false), Stage(areOn: true))
    var (costs, withouts): ([Double], [Double]) = ([], [])
    for _ in 0..<repetitions {
      let (without, with) = (plain.share(of: buffers), full.share(of: buffers))
      costs.append(max(0, with - without) * 100)
      withouts.append(without * 100)
    }
    report.rows.append(
      BenchRow(
        "all effects of 16 players, delay, reverb, filters, crusher, glue", unit: "% of a core", values: costs,
        target: .atMost(15)))
    report.rows.append(BenchRow("the same room with none on", unit: "% of a core", values: withouts))
    report.notes.append("CPU time of Engine.render at 48 kHz; the first row is what the effects add to the second.")
    return report
  }

  /// An engine in which one stereo loop sounds on each of the players' channels.
  private final class Stage {
    private let commands = RingOwner<EngineCommand>(capacity: 8_192)
    private let events = RingOwner<EngineEvent>(capacity: 8_192)
    private let tape = MixTapeOwner(seconds: 1)
    private let sounds = BenchSounds(isStereo: true, frameCount: 48_000)
    private var owner: EngineOwner?
    private let map = TempoMap(tempo: .standard)

    init(areOn: Bool) {
      owner = EngineOwner(commands: commands, events: events, tape: tape)
      var sequence: UInt64 = 0
      func send(_ action: EngineAction) {
        sequence += 1
        commands.ring.push(EngineCommand(sequence: sequence, frame: .zero, action: action))
      }
      send(.tempoMap(map.view, revision: 1))
      for player in 0..<EffectsBench.players {
        let id = PlayerID(index: UInt8(player))
        if areOn { for (setting, number) in EffectsBench.everything { send(.effect(id, setting, number)) } }
        sounds.use.retain()
        send(
          .start(
            VoiceStart(
              sample: sounds.views[player % sounds.views.count], use: sounds.use, bus: id, pad: Pad(1)!,
              gain: PanGains(left: 0.1, right: 0.1), isGated: true, isLooped: true)))
      }
      if areOn { for (setting, number) in EffectsBench.everythingOfRoom { send(.roomEffect(setting, number)) } }
      // After these buffers all gliding settings have arrived, and the reverb is full.
      _ = share(of: 400)
    }

    // The engine ends before the sounds, because it still counts their uses when it ends.
    deinit { owner = nil }

    /// The share of one core in real time, over so many buffers.
    func share(of buffers: Int) -> Double {
      guard let engine = owner?.engine else { return 0 }
      let begin = VoicesBench.threadSeconds
      for _ in 0..<buffers { engine.pointee.render() }
      return (VoicesBench.threadSeconds - begin) / (Frames.buffer.seconds * Double(buffers))
    }
  }

  private static let everything: [(EffectSetting, Float)] = [
    (.lowGain, 3), (.lowMidGain, -3), (.highMidGain, 3), (.highGain, -3), (.driveAmount, 0.5), (.driveTone, 8_000),
    (.compressorThreshold, -30), (.compressorRatio, 4), (.chorusMix, 0.5), (.lowPass, 9_000), (.highPass, 60),
    (.delaySend, 0.3), (.reverbSend, 0.3), (.duckSource, Float(DuckSource.beat.rawValue)),
  ]
  private static let everythingOfRoom: [(RoomEffectSetting, Float)] = [
    (.glueAmount, 0.5), (.mixToDelay, 0.2), (.mixToReverb, 0.2), (.lowPass, 12_000), (.highPass, 30),
    (.crushAmount, 0.2),
  ]
}
