internal import Glibc
internal import JamCore
internal import JamEngine
internal import JamRealtime

/// Measures how many voices one core carries in real time. All work of `Engine.render` counts:
/// taking hits, interpolation, envelopes, panning, buses, limiter, meters and the tape.
///
/// Rooms of standard size (1,024 voices of 64 players) are rendered one after the other on the
/// calling thread. Every voice is hit again when its sound ends.
struct VoicesBench {
  var repetitions = 9
  /// Buffers rendered in each repetition, in every room.
  var buffers = 400

  /// The sounds that the voices play.
  enum Kind: CaseIterable {
    case stereo, mono, asRecorded

    var name: String {
      switch self {
      case .stereo: "stereo sounds at rate ≠ 1"
      case .mono: "mono sounds at rate ≠ 1, panned"
      case .asRecorded: "stereo sounds at rate 1"
      }
    }

    /// Voices per core.
    var target: Double {
      switch self {
      case .stereo: 4_500
      case .mono: 8_000
      case .asRecorded: 20_000
      }
    }
  }

  /// - Parameter againstScsynth: also measures the same mono work in scsynth, and the ratio.
  func run(againstScsynth: Bool = false) -> BenchReport {
    // This is set for this thread only. The other threads of the program compute as before.
    RealtimeThread.flushDenormals()
    var report = BenchReport(name: "voices")
    for kind in Kind.allCases {
      let (floats, integers) = compareDepths(kind)
      report.rows += [
        BenchRow(kind.name, unit: "voices per core", values: floats, target: .atLeast(kind.target)),
        BenchRow("  of 16 bits in memory", unit: "voices per core", values: integers, target: .atLeast(kind.target)),
        BenchRow("  beside floats", unit: "×", values: zip(integers, floats).map { $0 / $1 }),
      ]
    }
    if againstScsynth { compare(&report) }
    report.notes.append("CPU time of Engine.render at 48 kHz; as many rooms of 1,024 voices as the target needs.")
    return report
  }

  /// The two are measured in turns, so that a busy machine slows both alike.
  private func compare(_ report: inout BenchReport) {
    var theirs: [Double] = []
    var ratios: [Double] = []
    do {
      for _ in 0..<repetitions {
        let scsynth = try ScsynthBench().measure()
        let ours = VoicesBench(repetitions: 1, buffers: buffers).measure(.mono)[0]
        theirs.append(scsynth)
        ratios.append(ours / scsynth)
      }
      report.rows.append(BenchRow("scsynth, mono sounds at rate ≠ 1, panned", unit: "voices per core", values: theirs))
      report.rows.append(
        BenchRow("bandshell ÷ scsynth", unit: "×", values: ratios, target: .atLeast(1.5)))
    } catch {
      report.notes.append("Not compared: \(error).")
    }
  }

  /// The same work with sounds of floats and of 16 bits, in turns, so that a busy machine slows
  /// both alike.
  private func compareDepths(_ kind: Kind) -> (floats: [Double], integers: [Double]) {
    let count = Int((kind.target / Double(BenchRoom.voices)).rounded(.up))
    let rooms = [false, true].map { isPacked in
      let sounds = BenchSounds(isStereo: kind != .mono, isPacked: isPacked)
      return (0..<count).map { BenchRoom(kind: kind, sounds: sounds, seed: UInt64($0 + 1)) }
    }
    for rooms in rooms { _ = render(rooms, buffers: 400) }
    let turns = (0..<repetitions).map { _ in rooms.map { render($0, buffers: buffers) } }
    return (turns.map { $0[0] }, turns.map { $0[1] })
  }

  /// Voices per core in real time, one figure for each repetition.
  /// - Parameter rooms: the number of rooms to render; nil for as many as the target needs.
  func measure(_ kind: Kind, rooms roomCount: Int? = nil) -> [Double] {
    let sounds = BenchSounds(isStereo: kind != .mono)
    let count = roomCount ?? Int((kind.target / Double(BenchRoom.voices)).rounded(.up))
    let rooms = (0..<count).map { BenchRoom(kind: kind, sounds: sounds, seed: UInt64($0 + 1)) }
    // A warm-up of a second, so that every voice sounds.
    _ = render(rooms, buffers: 400)
    return (0..<repetitions).map { _ in render(rooms, buffers: buffers) }
  }

  /// - Returns: sounding voices × real time ÷ CPU time.
  private func render(_ rooms: [BenchRoom], buffers: Int) -> Double {
    var voiceBuffers = 0
    var spent = 0.0
    for _ in 0..<buffers {
      for room in rooms { room.hitWhatEnds() }
      let start = Self.threadSeconds
      for room in rooms { room.owner.engine.pointee.render() }
      spent += Self.threadSeconds - start
      for room in rooms { voiceBuffers += room.owner.status.soundingVoices }
    }
    return Double(voiceBuffers) * Frames.buffer.seconds / spent
  }

  static var threadSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// Sixteen sounds of one second: a decaying noise, different in each. Together they are loud enough
/// for the limiter to work.
final class BenchSounds: @unchecked Sendable {
  // Unchecked: nothing writes to the memory after it was made.
  static let frameCount = 48_000
  let views: [SampleView]
  let use = SampleUse()
  private let memory: [UnsafeMutableRawPointer]

  /// The loudest noise is 0.03. As integers of 16 bits, 2^20 stands for 1.
  private static let shift: UInt8 = 20

  /// - Parameter isPacked: makes sounds of 16 bits.
  init(isStereo: Bool, isPacked: Bool = false, frameCount: Int = BenchSounds.frameCount) {
    var memory: [UnsafeMutableRawPointer] = []
    var state: UInt64 = 7
    func noise(_ i: Int) -> Float {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let noise = Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
      return noise * 0.03 * Float(frameCount - i) / Float(frameCount)
    }
    func plane<Value: Numeric>(_ value: (Float) -> Value) -> UnsafePointer<Value> {
      let guardFrames = SampleView.guardFrames
      let plane = UnsafeMutablePointer<Value>.allocate(capacity: frameCount + guardFrames * 2)
      plane.initialize(repeating: 0, count: frameCount + guardFrames * 2)
      for i in 0..<frameCount { plane[guardFrames + i] = value(noise(i)) }
      memory.append(UnsafeMutableRawPointer(plane))
      return UnsafePointer(plane + guardFrames)
    }
    func plane() -> SamplePlane {
      guard isPacked else { return SamplePlane(plane { $0 }) }
      // The value is finite, and its magnitude is below 2^15.
      return SamplePlane(plane { Int16($0 / SamplePlane.scale(Self.shift)) }, shift: Self.shift)
    }
    views = (0..<Pad.count).map { _ in
      SampleView(left: plane(), right: isStereo ? plane() : nil, frameCount: Int32(frameCount))
    }
    self.memory = memory
  }

  deinit {
    for plane in memory { plane.deallocate() }
    use.deallocate()
  }
}

/// A full room. Each of its pads is hit again when its sound ends.
final class BenchRoom {
  static let voices = Limits.standard.voicesPerRoom
  let owner: EngineOwner
  private let commands: RingOwner<EngineCommand>
  private let events: RingOwner<EngineEvent>
  private let tape: MixTapeOwner
  /// Released after the engine, which uses the sounds.
  private let sounds: BenchSounds
  private let starts: [VoiceStart]
  /// The number of frames that each voice sounds.
  private let lengths: [Int64]
  private var nextHits: [Int64]
  private var sequence: UInt64 = 0

  init(kind: VoicesBench.Kind, sounds: BenchSounds, seed: UInt64) {
    commands = RingOwner(capacity: 8_192)
    events = RingOwner(capacity: 8_192)
    tape = MixTapeOwner(seconds: 1)
    owner = EngineOwner(commands: commands, events: events, tape: tape)
    self.sounds = sounds
    var state = seed
    func random() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / Double(1 << 24)
    }
    var starts: [VoiceStart] = []
    for voice in 0..<Self.voices {
      let sound = sounds.views[Int(random() * 16) % 16]
      let rate = kind == .asRecorded ? 1 : Float(0.7 + random() * 0.8)
      starts.append(
        VoiceStart(
          sample: sound, use: sounds.use, bus: PlayerID(index: UInt8(voice / Pad.count)),
          pad: Pad(voice % Pad.count + 1)!,
          gain: PanGains(pan: Float(random() * 2 - 1), isStereo: kind != .mono), rate: rate))
    }
    self.starts = starts
    lengths = starts.map { Int64(Double(BenchSounds.frameCount) / Double($0.rate)) }
    nextHits = lengths.map { Int64(random() * Double($0)) }
  }

  /// Puts the next buffer's hits on the ring.
  func hitWhatEnds() {
    while events.ring.pop() != nil {}
    let end = owner.engine.pointee.nextFrame.count + Frames.perBuffer + Engine.latency.count
    for voice in nextHits.indices where nextHits[voice] < end {
      sequence += 1
      sounds.use.retain()
      commands.ring.push(
        EngineCommand(sequence: sequence, frame: Frames(nextHits[voice]), action: .start(starts[voice])))
      nextHits[voice] += lengths[voice]
    }
  }
}
