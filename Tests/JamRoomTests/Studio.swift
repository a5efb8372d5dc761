import JamCore
import JamEngine
import JamRealtime
import Testing

@testable import JamKit
@testable import JamRoom

/// A room's state and its engine, stepped together as a live room steps them, so that a setting can be measured in what is heard.
///
/// A command that is sent for a frame takes effect there: it arrives one constant delay earlier.
final class Studio {
  var state: RoomState {
    get { carrier.state }
    _modify { yield &carrier.state }
  }
  private let carrier: EffectCarrier
  let parts: EngineParts
  let ann: PlayerID
  /// What was heard so far.
  private(set) var left: [Float] = []
  private(set) var right: [Float] = []
  /// What was told and logged so far.
  private(set) var told: [(event: Event, audience: Audience)] = []
  private(set) var log: [LogEntry] = []
  /// What was refused, where a test means to see that.
  private(set) var refusals: [Refusal]?
  /// Without a kit of its own: a test sets what makes those that are chosen and not in memory.
  var answers = PromptAnswers(from: KitStore(catalogue: KitCatalogue()))
  /// What the server has of every take that is asked for.
  var takeNotes: TakeNotes?
  private var script: [(arrival: Int64, heard: UInt32?, command: Command, player: PlayerID)] = []
  private var now: Int64 = 0

  /// - Parameters:
  ///   - kit: the first one.
  ///   - others: more to choose from, by what they say of themselves.
  ///   - instruments: what keys may play.
  ///   - isLevelled: as rooms are; else what is heard is what was played, to the bit.
  init(
    _ kit: PlayableKit, others: [Kit] = [], tempo: Tempo = .standard, limits: Limits = .standard,
    instruments: Instruments = Instruments(), isLevelled: Bool = false
  ) throws {
    parts = EngineParts(limits: .standard, isLevelled: isLevelled, stems: nil)
    RealtimeThread.flushDenormals()
    carrier = EffectCarrier(
      RoomState(
        name: PlayerName("main")!, kits: [kit.kit] + others, firstKit: kit,
        anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)), tempo: tempo, hostWord: "word", limits: limits,
        instruments: instruments),
      to: parts)
    carrier.state.begin()
    ann = try carrier.state.join(
      PlayerName("ann")!, token: "ann", isHost: true, at: Moment(arrival: .zero - RoomState.liveDelay)
    )
    carryOut()
  }

  /// - Parameter sounds: of pads 1, 2, …
  convenience init(_ sounds: [StudioSound], tempo: Tempo = .standard) throws {
    try self.init(Studio.kit("one", sounds), tempo: tempo)
  }

  /// - Parameters:
  ///   - sounds: of pads 1, 2, …
  ///   - categories: of the same pads; `other` where there are fewer.
  static func kit(
    _ id: String, _ sounds: [StudioSound], categories: [String] = [], settings: PadSettings = PadSettings()
  ) -> PlayableKit {
    let kit = Kit(
      id: id, name: id,
      pads: sounds.enumerated().map { index, sound in
        KitPad(
          name: id, category: index < categories.count ? categories[index] : "other",
          duration: sound.memory.view.duration, settings: settings)
      })
    return PlayableKit(
      kit: kit,
      pads: Pad.all.map { pad in
        guard pad.index < sounds.count else { return nil }
        let memory = sounds[pad.index].memory
        return PlayablePad(
          layers: [PlayablePad.Layer(sounds: [PlayableSound(memory.view, owner: memory)])],
          isKick: kit[pad]?.isKick == true)
      })
  }

  func expectRefusals() { refusals = [] }

  func join(_ name: String) throws -> PlayerID {
    defer { carryOut() }
    return try carrier.state.join(
      PlayerName(name)!, token: name, isHost: true, at: Moment(arrival: Frames(now) - RoomState.liveDelay))
  }

  /// Sends commands that take effect at `frame`.
  func send(_ commands: Command..., at frame: Int64 = 0, by player: PlayerID? = nil) {
    for command in commands {
      script.append(
        (arrival: frame - RoomState.liveDelay.count, heard: nil, command: command, player: player ?? ann))
    }
  }

  /// Sends a command of somebody far away, who heard the frame `heard` when it was sent.
  func send(_ command: Command, arriving frame: Int64, heard: Int64? = nil, by player: PlayerID) {
    script.append(
      (arrival: frame, heard: heard.map { UInt32(truncatingIfNeeded: $0) }, command: command, player: player))
  }

  func set(_ setting: Setting, _ value: SettingValue, at frame: Int64 = 0) { send(.set(setting, value), at: frame) }

  /// Hits a pad with a velocity of 1.
  func hit(_ pad: Int, at frame: Int64 = 0) { send(.hit(Pad(pad)!, .full), at: frame) }

  /// From now on the tempo goes to `bpm` over `length`.
  func ramp(to bpm: Double, over length: Beats, _ curve: TempoCurve) {
    let frame = Frames(now) + RoomState.liveDelay
    let map = carrier.state.map.ramping(
      to: Tempo(clamping: bpm), from: carrier.state.map.view.beat(at: frame), over: length, curve: curve)
    carrier.state.put(
      map, at: frame, .command(.set(.tempo, .float(Float(bpm)))), by: PlayerID(index: 0))
    carryOut()
  }

  /// Goes on until `frames` were heard in all.
  /// - Parameter render: renders the engine's next buffer.
  func run(
    until frames: Int, render: (UnsafeMutablePointer<Engine>) -> Void = { $0.pointee.render() }
  ) {
    script.sort { $0.arrival < $1.arrival }
    while left.count < frames {
      step(until: now + 60)
      step(until: now + 60)
      render(parts.engine.engine)
      while let event = parts.events.ring.pop() { Issue.record("the engine told \(event)") }
      carrier.hearEngine()
      carrier.letGo()
      take()
    }
  }

  private func step(until end: Int64) {
    let due = script.prefix { $0.arrival < end }
    script.removeFirst(due.count)
    for entry in due {
      carrier.state.step(
        entry.command, by: entry.player, at: Moment(arrival: Frames(entry.arrival), heard: entry.heard))
      carryOut()
    }
    carrier.state.tick(at: Frames(end))
    carryOut()
    now = end
  }

  private func take() {
    var buffer = [Float](repeating: 0, count: Int(Frames.perBuffer) * 2)
    let from = parts.tape.tape.end - .buffer
    precondition(parts.tape.tape.read(&buffer, from: from, count: Int(Frames.perBuffer), click: false))
    for i in 0..<Int(Frames.perBuffer) {
      left.append(buffer[i * 2])
      right.append(buffer[i * 2 + 1])
    }
  }

  private func carryOut() { carrier.carryOut { answer($0) } }

  private func answer(_ effect: Effect) {
    switch effect {
    case .tell(.refused(let command, let refusal), _):
      if refusals == nil { Issue.record("\(command) was refused: \(refusal)") }
      refusals?.append(refusal)
    case .tell(let event, let audience): told.append((event, audience))
    case .log(let entry): log.append(entry)
    case .take(let order):
      guard let takeNotes else { return }
      carrier.state.takeAnswered(order, .notes(takeNotes), at: Frames(now) + RoomState.liveDelay)
    default: answers.answer(effect, at: Frames(now) + RoomState.liveDelay, in: carrier)
    }
  }
}

/// A sound for a `Studio`'s pads, made here.
struct StudioSound {
  let memory: SampleMemory

  init(_ left: [Float], right: [Float]? = nil) {
    var interleaved: [Float] = []
    interleaved.reserveCapacity(left.count * 2)
    for i in left.indices {
      interleaved.append(left[i])
      if let right { interleaved.append(right[i]) }
    }
    let hash = interleaved.withUnsafeBytes { ContentHash($0) }
    memory = interleaved.withUnsafeBufferPointer {
      SampleMemory(hash: hash, interleaved: $0, channels: right == nil ? 1 : 2)!
    }
  }

  /// Sines together, each at `level`; it ends in full sound.
  static func tones(_ hertz: Double..., frames: Int, level: Float = 0.25) -> StudioSound {
    StudioSound(
      (0..<frames).map { i in hertz.reduce(0) { $0 + level * Measure.sine($1 * Double(i) / 48_000) } })
  }

  static func constant(_ level: Float, frames: Int) -> StudioSound {
    StudioSound([Float](repeating: level, count: frames))
  }

  static func noise(frames: Int, level: Float = 0.25) -> StudioSound {
    StudioSound((0..<frames).map { level * Chance.value(UInt64($0), .pan) })
  }
}
