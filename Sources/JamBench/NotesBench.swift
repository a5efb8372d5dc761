internal import JamCore
internal import JamEngine
internal import JamRealtime

/// Measures how many notes of synthesisers one core carries in real time. All work of
/// `Engine.render` counts.
///
/// A room of standard size, with sixteen held notes on each of its 64 buses, is rendered on the
/// calling thread.
struct NotesBench {
  var repetitions = 9
  /// Buffers rendered before the first repetition. After them all notes sound.
  var warmUp = 100
  /// Buffers rendered in each repetition.
  var buffers = 400

  enum Kind: CaseIterable {
    /// Two oscillators, sub, noise, filter, two envelopes that move, and the slow oscillator.
    case full
    /// A saw through a low-pass, with one envelope. scsynth does the same work for the comparison.
    case simple

    var name: String {
      switch self {
      case .full: "full notes: two oscillators, sub, noise, filter, envelopes, LFO"
      case .simple: "simple notes: a saw, a low-pass, an envelope"
      }
    }

    var patch: PatchSettings {
      var patch = PatchSettings()
      patch.first.level = 0.5
      patch.filter = .low
      patch.cutoff = 2_000
      patch.resonance = 0.3
      switch self {
      case .simple:
        patch.second.level = 0
        patch.filterEnvelope = 0
        patch.filterVelocity = 0
        patch.filterHeight = 0
      case .full:
        patch.second.level = 0.4
        patch.second.shape = .pulse
        patch.subLevel = 0.3
        patch.noise = 0.1
        patch.filterEnvelope = 2
        patch.shape.decay = 20_000
        patch.shape.sustain = 0.5
        patch.lfoPitch = 0.2
        patch.lfoFilter = 0.5
      }
      patch.gain = -40
      return patch
    }
  }

  /// - Parameter againstScsynth: also measures simple notes in scsynth, in turns, and the ratio.
  func run(againstScsynth: Bool = false) -> BenchReport {
    RealtimeThread.flushDenormals()
    var report = BenchReport(name: "notes")
    report.rows.append(
      BenchRow(Kind.full.name, unit: "notes per core", values: measure(.full), target: .atLeast(1_000)))
    report.rows.append(BenchRow(Kind.simple.name, unit: "notes per core", values: measure(.simple)))
    if againstScsynth { compare(&report) }
    report.notes.append("CPU time of Engine.render at 48 kHz; 1,024 notes, sixteen on a bus.")
    return report
  }

  private func compare(_ report: inout BenchReport) {
    var (theirs, ratios): ([Double], [Double]) = ([], [])
    do {
      let scsynth = ScsynthBench(voices: 1_000, isNote: true)
      // The same seconds of the notes, from their first frame on.
      let length = Frames.seconds(Double(scsynth.seconds))
      let buffers = Int(length.count / Frames.buffer.count)
      let ours = NotesBench(repetitions: 1, warmUp: 0, buffers: buffers)
      for _ in 0..<repetitions {
        let their = try scsynth.measure()
        theirs.append(their)
        ratios.append(ours.measure(.simple)[0] / their)
      }
      report.rows.append(BenchRow("scsynth, Saw → RLPF × EnvGen → Pan2", unit: "notes per core", values: theirs))
      report.rows.append(BenchRow("bandshell ÷ scsynth", unit: "×", values: ratios, target: .atLeast(1.5)))
    } catch {
      report.notes.append("Not compared: \(error).")
    }
  }

  func measure(_ kind: Kind) -> [Double] {
    let commands = RingOwner<EngineCommand>(capacity: 8_192)
    let events = RingOwner<EngineEvent>(capacity: 8_192)
    let tape = MixTapeOwner(seconds: 1)
    let content = UnsafeMutablePointer<PatchView.Content>.allocate(capacity: 1)
    content.initialize(to: PatchView.Content(settings: kind.patch, instrument: 1))
    let sounds = BenchSounds(isStereo: false, frameCount: 1)
    let owner = EngineOwner(commands: commands, events: events, tape: tape)
    defer {
      withExtendedLifetime((owner, sounds)) {}
      content.deallocate()
    }
    for note in 0..<BenchRoom.voices {
      guard let key = Pad(key: 30 + note * 7 % 60) else { continue }
      sounds.use.retain()
      var start = VoiceStart(
        sample: sounds.views[0], use: sounds.use, bus: PlayerID(index: UInt8(note / 16)), pad: key,
        gain: PanGains(pan: 0), isGated: true)
      start.patch = PatchView(content)
      start.velocity = 0.8
      commands.ring.push(EngineCommand(sequence: UInt64(note + 1), frame: Frames(Int64(note)), action: .start(start)))
    }
    for _ in 0..<warmUp { owner.engine.pointee.render() }
    return (0..<repetitions).map { _ in
      var (sounding, spent) = (0, 0.0)
      for _ in 0..<buffers {
        let begin = VoicesBench.threadSeconds
        owner.engine.pointee.render()
        spent += VoicesBench.threadSeconds - begin
        sounding += owner.status.soundingVoices
      }
      return Double(sounding) * Frames.buffer.seconds / spent
    }
  }
}
