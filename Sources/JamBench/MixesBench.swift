internal import JamCore
internal import JamEngine
internal import JamRealtime
internal import JamStream

/// The cost of listeners who hear a mix of their own: a cue without their own hits, with another
/// player at half the level, and an encoder for it.
///
/// Three rooms of sixteen players, with none, one and sixteen such listeners, are rendered and
/// encoded in turns on the calling thread, so that a busy machine slows all alike.
struct MixesBench {
  var repetitions = 9
  /// Buffers rendered in each repetition.
  var buffers = 400
  private static let players = 16
  /// Of each player; one of them is the player's own.
  private static let voices = 4

  func run() throws -> BenchReport {
    RealtimeThread.flushDenormals()
    var report = BenchReport(name: "mixes")
    let none = try Stage(listeners: 0)
    let one = try Stage(listeners: 1)
    let all = try Stage(listeners: MixesBench.players)
    var (engines, encoders, rooms): ([Double], [Double], [Double]) = ([], [], [])
    var (extras, ratios, ratiosOfOne): ([Double], [Double], [Double]) = ([], [], [])
    let count = Double(MixesBench.players)
    for _ in 0..<repetitions {
      let without = try none.share(of: buffers)
      let single = try one.share(of: buffers)
      let with = try all.share(of: buffers)
      let engine = max(0, with.engine - without.engine)
      let encoder = max(0, with.encoders - without.encoders)
      engines.append(engine / count * 100)
      encoders.append(encoder / count * 100)
      rooms.append(without.sum * 100)
      extras.append((engine + encoder) * 100)
      ratios.append(with.sum / without.sum)
      ratiosOfOne.append(single.sum / without.sum)
    }
    report.rows = [
      BenchRow("a listener with a mix of its own: engine", unit: "% of a core", values: engines),
      BenchRow("  its encoder", unit: "% of a core", values: encoders),
      BenchRow("  the room with one, beside the room without", unit: "×", values: ratiosOfOne),
      BenchRow(
        "16 listeners with mixes of their own: engine and encoders", unit: "% of a core",
        values: extras),
      BenchRow("  the room with them, beside the room without", unit: "×", values: ratios),
      BenchRow(
        "the room without: engine, and the encoder of the mix", unit: "% of a core", values: rooms),
    ]
    report.notes.append(
      """
      CPU time of Engine.render at 48 kHz and of the Opus encoders (10 ms, as browsers hear it). \
      16 players with \(MixesBench.voices) resampled stereo voices each, of which one is the \
      player's own; every second channel has an equaliser and a compressor.
      """)
    return report
  }

  /// Shares of one core in real time.
  private struct Share {
    var engine = 0.0
    var encoders = 0.0
    var sum: Double { engine + encoders }
  }

  /// A room with loops on all channels, its listeners' cues, and the encoders of mix and cues.
  private final class Stage {
    private let commands = RingOwner<EngineCommand>(capacity: 8_192)
    private let events = RingOwner<EngineEvent>(capacity: 8_192)
    private let tape = MixTapeOwner(seconds: 1, cues: MixesBench.players)
    private let sounds = BenchSounds(isStereo: true, frameCount: 48_000)
    private var owner: EngineOwner?
    private let encoders: [Encoder]

    init(listeners: Int) throws {
      encoders = try (0...listeners).map { try Encoder(cue: $0 == 0 ? nil : $0 - 1) }
      owner = EngineOwner(commands: commands, events: events, tape: tape, isLevelled: true)
      var sequence: UInt64 = 0
      func send(_ action: EngineAction) {
        sequence += 1
        commands.ring.push(EngineCommand(sequence: sequence, frame: .zero, action: action))
      }
      for player in 0..<MixesBench.players {
        let id = PlayerID(index: UInt8(player))
        if player % 2 == 0 {
          send(.effect(id, .lowGain, 3))
          send(.effect(id, .compressorThreshold, -30))
          send(.effect(id, .compressorRatio, 4))
        }
        for voice in 0..<MixesBench.voices {
          sounds.use.retain()
          let sound = sounds.views[(player + voice * 5) % sounds.views.count]
          var start = VoiceStart(
            sample: sound, use: sounds.use, bus: id, pad: Pad(voice + 1)!,
            gain: PanGains(left: 0.5, right: 0.5), rate: 0.9 + Float(voice) * 0.07, isGated: true,
            isLooped: true)
          start.isOwn = voice == 0
          send(.start(start))
        }
      }
      for listener in 0..<listeners {
        let id = PlayerID(index: UInt8(listener))
        let cue = UInt8(listener)
        let ticket = Encoder.ticket(listener)
        send(.openCue(cue, for: id, ticket: ticket, click: 0, withoutOwn: true))
        let other = PlayerID(index: UInt8((listener + 1) % MixesBench.players))
        send(.cueGain(cue: cue, bus: other, gain: 0.5))
      }
      // After these buffers all gliding settings have arrived.
      _ = try share(of: 400)
    }

    // The engine ends before the sounds, because it still counts their uses when it ends.
    deinit { owner = nil }

    func share(of buffers: Int) throws -> Share {
      guard let engine = owner?.engine else { return Share() }
      var spent = Share()
      let perPacket = Encoder.frames / Int(Frames.perBuffer)
      for _ in 0..<buffers / perPacket {
        let begin = VoicesBench.threadSeconds
        for _ in 0..<perPacket { engine.pointee.render() }
        let middle = VoicesBench.threadSeconds
        for encoder in encoders { try encoder.encode(tape.tape) }
        spent.engine += middle - begin
        spent.encoders += VoicesBench.threadSeconds - middle
      }
      let seconds = Frames.buffer.seconds * Double(buffers / perPacket * perPacket)
      return Share(engine: spent.engine / seconds, encoders: spent.encoders / seconds)
    }
  }

  /// The encoder of a cue, or of the mix.
  private final class Encoder {
    static let frames = StreamProfile.webRTC.frame.rawValue
    static func ticket(_ cue: Int) -> UInt64 { UInt64(cue) + 1 }

    private let cue: Int?
    private var encoder: OpusEncoder
    private var pcm = [Float](repeating: 0, count: Encoder.frames * 2)
    private var packet = [UInt8](repeating: 0, count: 1_500)

    init(cue: Int?) throws {
      self.cue = cue
      encoder = try OpusEncoder(.webRTC)
    }

    /// Encodes the newest frames.
    func encode(_ tape: MixTape) throws {
      let count = Encoder.frames
      let start = tape.end - Frames(Int64(count))
      if let cue {
        let ticket = Encoder.ticket(cue)
        guard tape.readCue(&pcm, cue, ticket: ticket, from: start, count: count) else { return }
      } else {
        guard tape.read(&pcm, from: start, count: count) else { return }
      }
      _ = try pcm.withUnsafeBufferPointer { input in
        try packet.withUnsafeMutableBytes { output in
          // An array of fixed size has an address.
          try encoder.encode(input.baseAddress!, into: output)
        }
      }
    }
  }
}
