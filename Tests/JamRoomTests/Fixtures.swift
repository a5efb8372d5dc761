import JamCore
import JamEngine
import JamKit
import JamRealtime

@testable import JamRoom

/// Sounds made here: a block of ones on every pad, pad n being n × 480 frames long.
final class TestSounds: Sendable {
  private nonisolated(unsafe) let memory: UnsafeMutablePointer<Float>
  private static let frames = 480 * 16 + 2 * SampleView.guardFrames

  init() {
    memory = .allocate(capacity: TestSounds.frames)
    memory.initialize(repeating: 0, count: TestSounds.frames)
    for i in 0..<480 * 16 { memory[SampleView.guardFrames + i] = 0.25 }
  }

  deinit { memory.deallocate() }

  func view(_ pad: Pad) -> SampleView {
    SampleView(left: UnsafePointer(memory + SampleView.guardFrames), right: nil, frameCount: Int32(pad.number) * 480)
  }
}

enum Fixture {
  static func kit(
    _ id: String, modes: [Pad: PadMode] = [:], keys: [Pad: String] = [:], sends: Sends = .none
  ) -> PlayableKit {
    let sounds = TestSounds()
    let pads = Pad.all.map { pad -> KitPad? in
      var settings = PadSettings()
      settings.mode = modes[pad] ?? .oneShot
      return KitPad(
        name: "\(id) \(pad.number)", category: "kick", key: keys[pad], duration: sounds.view(pad).duration,
        settings: settings)
    }
    var kit = Kit(id: id, name: id.uppercased(), pads: pads)
    kit.sends = sends
    return PlayableKit(kit: kit, pads: Pad.all.map { PlayablePad(PlayableSound(sounds.view($0), owner: sounds)) })
  }

  static func state(
    kits: [PlayableKit] = [kit("one", modes: [Pad(2)!: .gate])], tempo: Tempo = .standard,
    hostWord: String = "word", hasSpeakers: Bool = true, limits: Limits = .standard,
    instruments: Instruments = Instruments()
  ) -> RoomState {
    RoomState(
      name: PlayerName("main")!, kits: kits.map(\.kit), firstKit: kits[0],
      anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)), tempo: tempo, hostWord: hostWord,
      hasSpeakers: hasSpeakers, limits: limits, instruments: instruments)
  }
}

extension Fixture {
  private static let sound = kit("one")[Pad(1)!]!.layers[0].sounds[0]

  /// A hit of a loop or a lane, without a room in which it was played.
  static func loopHit(
    _ pad: Int = 1, at beat: Double, number: UInt32 = 1, velocity: Float = 1, isStep: Bool = false
  ) -> LoopHit {
    let pad = Pad(pad)!
    let start = VoiceStart(
      sample: sound.view, use: sound.use, bus: PlayerID(index: 0), pad: pad, gain: PanGains(pan: 0), level: 1, rate: 1,
      choke: 0, voices: 1)
    return LoopHit(
      position: Beats(nearest: beat), sequence: number, velocity: Velocity(velocity)!, start: start, sound: sound,
      voicing: Voicing(pad: pad, sample: .pad(pad, of: "one"), settings: PadSettings()), isStep: isStep)
  }
}

extension Fixture {
  static func person(
    _ name: String, id: PlayerID = PlayerID(index: 0), token: String = "t", isGuest: Bool = false, isHost: Bool = false,
    at frame: Frames = .zero
  ) -> Person {
    Person(
      id: id, name: PlayerName(name)!, token: token, isGuest: isGuest, role: isHost ? .host : .player, joined: frame,
      lastHeard: frame)
  }
}

/// A room's state with a player in it, and its effects sorted for tests. Nothing is carried out.
struct Stage {
  var state: RoomState
  /// What steps have asked for since it was last emptied.
  var effects: [Effect] {
    get { state.outbox.effects }
    set {
      _ = state.takeEffects()
      state.outbox.append(newValue)
    }
  }

  init(_ state: RoomState = Fixture.state()) { self.state = state }

  mutating func join(_ name: String, isHost: Bool = false, at frame: Int64 = 0) throws -> PlayerID {
    try state.join(
      PlayerName(name)!, token: "token-\(name)", isHost: isHost, at: Moment(arrival: Frames(frame)))
  }

  /// Steps one command and returns what it brought about.
  @discardableResult
  mutating func step(
    _ command: Command, by id: PlayerID, at frame: Int64, tagged: Int64? = nil, heard: Int64? = nil
  ) -> Outcome {
    effects = []
    let moment = Moment(
      arrival: Frames(frame), tagged: tagged.map { Frames($0) }, heard: heard.map { UInt32(truncatingIfNeeded: $0) })
    state.step(command, by: id, at: moment)
    return Outcome(effects)
  }

  mutating func tick(_ frame: Int64) -> Outcome {
    effects = []
    state.tick(at: Frames(frame))
    return Outcome(effects)
  }
}

/// Effects by kind.
struct Outcome {
  var engine: [EngineCommand] = []
  var log: [LogEntry] = []
  var told: [(event: Event, audience: Audience)] = []
  var wantedKits: [String] = []
  /// What the engine's commands read.
  var read: [PlayableSound] = []
  var orders: [StretchOrder] = []
  var left: [PlayerID] = []
  /// Orders for sounds and kits of one's own.
  var sounds: [Effect] = []

  init(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .engine(let command, let sound):
        engine.append(command)
        if let sound { read.append(sound) }
      case .log(let entry): log.append(entry)
      case .tell(let event, let audience): told.append((event, audience))
      case .loadKit(let id): wantedKits.append(id)
      case .stretch(let order): orders.append(order)
      case .retireMap, .correctLog, .withdrawLog, .peopleChanged, .madeHost: break
      case .loadSounds, .keepBlock, .removeBlock, .project, .projectNotTaken, .take, .search, .carryBlock, .used: break
      case .deleteKit, .forgetSound, .setTaken: sounds.append(effect)
      case .loadOwnSound, .record, .stopRecording, .grab, .saveKit: sounds.append(effect)
      case .left(let id, _, _): left.append(id)
      }
    }
  }

  var events: [Event] {
    told.flatMap { told in if case .together(let events) = told.event { events } else { [told.event] } }
  }

  /// The only refusal.
  var refusal: Refusal? {
    for case .refused(_, let refusal) in events { return refusal }
    return nil
  }
}
