import JamCore
import JamRealtime

@testable import JamEngine

/// An engine with everything around it, driven by hand and rendered offline.
final class Rig {
  let commands: RingOwner<EngineCommand>
  let events: RingOwner<EngineEvent>
  let tape: MixTapeOwner
  let use = SampleUse()
  private(set) var owner: EngineOwner?
  private var sequence: UInt64 = 0
  /// The engine reads them as long as it lives.
  private var sounds: [Sound] = []
  private var maps: [TempoMap] = []
  var told: [EngineEvent] = []
  /// What is played in place of a sound.
  var replacing: (Sound) -> Sound = { $0 }

  init(
    limits: Limits = .standard, commandCapacity: Int = 16_384, eventCapacity: Int = 16_384, seconds: Int = 4,
    isLevelled: Bool = false, stems: StemsOwner? = nil
  ) {
    RealtimeThread.flushDenormals()
    commands = RingOwner(capacity: commandCapacity)
    events = RingOwner(capacity: eventCapacity)
    tape = MixTapeOwner(seconds: seconds)
    owner = EngineOwner(
      commands: commands, events: events, tape: tape, limits: limits, isLevelled: isLevelled, stems: stems)
  }

  deinit {
    owner = nil
    use.deallocate()
  }

  /// Ends the engine, as a room does that closes.
  func end() { owner = nil }

  var status: EngineStatus { owner!.status }
  var nextFrame: Int64 { owner!.engine.pointee.nextFrame.count }

  @discardableResult
  func send(_ action: EngineAction, at frame: Int64) -> UInt64 {
    sequence += 1
    action.use?.retain()
    precondition(commands.ring.push(EngineCommand(sequence: sequence, frame: Frames(frame), action: action)))
    return sequence
  }

  /// What is of a cue has no number of its own.
  func sendOfCue(_ action: EngineAction, at frame: Int64 = 0) {
    action.use?.retain()
    precondition(commands.ring.push(EngineCommand(sequence: sequence, frame: Frames(frame), action: action)))
  }

  func preview(_ sound: Sound, cue: UInt8 = 0, bus: UInt8 = 0, pad: Int = 1, rate: Float = 1) -> EngineAction {
    guard case .start(var hit) = start(sound, bus: bus, pad: pad, rate: rate) else { preconditionFailure() }
    hit.voices = 1
    return .preview(hit, cue: cue)
  }

  func openCue(
    _ cue: UInt8 = 0, bus: UInt8 = 0, ticket: UInt64 = 1, click: Float = 0, withoutOwn: Bool = false
  ) {
    sendOfCue(.openCue(cue, for: PlayerID(index: bus), ticket: ticket, click: click, withoutOwn: withoutOwn))
  }

  /// What the cue's stream would read; nil where it is not there.
  func cue(_ cue: Int = 0, ticket: UInt64 = 1, from start: Int64, frames: Int) -> [Float]? {
    var interleaved = [Float](repeating: 0, count: frames * 2)
    let isThere = tape.tape.readCue(&interleaved, cue, ticket: ticket, from: Frames(start), count: frames)
    return isThere ? interleaved : nil
  }

  /// Both channels of the mix in turn.
  func interleavedMix(from start: Int64, frames: Int) -> [Float] {
    var interleaved = [Float](repeating: 0, count: frames * 2)
    precondition(tape.tape.read(&interleaved, from: Frames(start), count: frames))
    return interleaved
  }

  func tempoMap(_ map: TempoMap, revision: UInt64) -> EngineAction {
    maps.append(map)
    return .tempoMap(map.view, revision: revision)
  }

  func render(buffers: Int = 1) {
    for _ in 0..<buffers {
      owner!.engine.pointee.render()
      while let event = events.ring.pop() { told.append(event) }
    }
  }

  /// Renders until the tape holds `frames`, and gives all of it; two channels.
  func mix(frames: Int) -> (left: [Float], right: [Float]) {
    while tape.tape.end.count < Int64(frames) { render() }
    return read(from: 0, frames: frames)
  }

  func read(from start: Int64, frames: Int, click: Bool = false) -> (left: [Float], right: [Float]) {
    var interleaved = [Float](repeating: 0, count: frames * 2)
    precondition(tape.tape.read(&interleaved, from: Frames(start), count: frames, click: click))
    return (
      stride(from: 0, to: frames * 2, by: 2).map { interleaved[$0] },
      stride(from: 1, to: frames * 2, by: 2).map { interleaved[$0] }
    )
  }

  /// Renders `frames`, whole buffers, and gives their click: the tape keeps only a second of it.
  func click(frames: Int) -> [Float] {
    var click: [Float] = []
    while click.count < frames {
      render()
      let end = tape.tape.end.count - Frames.perBuffer
      let mix = read(from: end, frames: 120)
      click += zip(read(from: end, frames: 120, click: true).left, mix.left).map { $0 - $1 }
    }
    return click
  }

  func start(
    _ sound: Sound, bus: UInt8 = 0, pad: Int = 1, gain: PanGains = PanGains(pan: 0), level: Float = 1,
    rate: Float = 1, startFrame: Int32 = 0, decay: Int32 = 0, isGated: Bool = false, isLooped: Bool = false,
    choke: UInt8 = 0, voices: UInt8 = 8
  ) -> EngineAction {
    let sound = replacing(sound)
    sounds.append(sound)
    return .start(
      VoiceStart(
        sample: sound.view, use: use, bus: PlayerID(index: bus), pad: Pad(pad)!, gain: gain, level: level,
        rate: rate, startFrame: startFrame, decayFrames: decay, isGated: isGated, isLooped: isLooped, choke: choke,
        voices: voices))
  }
}

/// A sound for tests, with the guard frames that every sample has.
final class Sound: @unchecked Sendable {
  // Unchecked: written in init alone.
  let view: SampleView
  private let planes: [UnsafeMutableRawPointer]

  init(_ left: [Float], right: [Float]? = nil, loop: Range<Int32>? = nil) {
    let planes = [left, right].compactMap(\.self).map { Sound.plane($0) }
    view = SampleView(
      left: SamplePlane(planes[0].values), right: right.map { _ in SamplePlane(planes[1].values) },
      frameCount: Int32(left.count), loop: loop)
    self.planes = planes.map(\.memory)
  }

  /// The sound in 16 bits, of which 2^`shift` stand for 1; or as the floats that those are.
  init(_ sound: Sound, shift: UInt8, isPacked: Bool) {
    func integers(_ plane: SamplePlane) -> [Int16] {
      (0..<Int(sound.view.frameCount)).map { Int16((plane[$0] / SamplePlane.scale(shift)).rounded()) }
    }
    let channels = [sound.view.left, sound.view.right].prefix(sound.view.isStereo ? 2 : 1).map(integers)
    let packed = channels.map { Sound.plane($0) }
    let floats = channels.map { Sound.plane($0.map { Float($0) * SamplePlane.scale(shift) }) }
    let planes =
      isPacked
      ? packed.map { SamplePlane($0.values, shift: shift) } : floats.map { SamplePlane($0.values) }
    view = SampleView(
      left: planes[0], right: sound.view.isStereo ? planes[1] : nil, frameCount: sound.view.frameCount,
      loop: sound.view.hasLoop ? sound.view.loopStart..<sound.view.loopEnd : nil)
    self.planes = packed.map(\.memory) + floats.map(\.memory)
  }

  private static func plane<Value: Numeric>(
    _ values: [Value]
  ) -> (values: UnsafePointer<Value>, memory: UnsafeMutableRawPointer) {
    let guardFrames = SampleView.guardFrames
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: values.count + guardFrames * 2)
    memory.initialize(repeating: 0, count: values.count + guardFrames * 2)
    for i in values.indices { memory[guardFrames + i] = values[i] }
    return (UnsafePointer(memory + guardFrames), UnsafeMutableRawPointer(memory))
  }

  deinit { for plane in planes { plane.deallocate() } }

  /// A sine; it ends in full sound unless `fades`.
  static func sine(_ frequency: Double, frames: Int, level: Float = 0.25, fades: Bool = true) -> Sound {
    Sound(
      (0..<frames).map { i in
        let envelope = fades ? Float(frames - 1 - i) / Float(frames) : 1
        return level * envelope * Float(Polynomial.sine(turns: frequency / 48_000 * Double(i)))
      })
  }

  /// A constant: what changes in it comes from the engine.
  static func constant(_ level: Float, frames: Int) -> Sound { Sound([Float](repeating: level, count: frames)) }

  static func noise(_ level: Float, frames: Int, seed: UInt64 = 1, isStereo: Bool = false) -> Sound {
    var random = Random(seed: seed)
    func plane() -> [Float] { (0..<frames).map { _ in random.signed() * level } }
    return Sound(plane(), right: isStereo ? plane() : nil)
  }
}

/// Numbers that are the same everywhere.
struct Random {
  private var state: UInt64
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    var word = state
    word ^= word >> 33
    word = word &* 0xFF51_AFD7_ED55_8CCD
    return word ^ word >> 33
  }
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
  mutating func unit() -> Float { Float(next() >> 40) / 16_777_216 }
  mutating func signed() -> Float { unit() * 2 - 1 }
}

/// The largest step between neighbouring frames.
func largestStep(_ signal: [Float]) -> Float { zip(signal, signal.dropFirst()).map { abs($0 - $1) }.max() ?? 0 }
