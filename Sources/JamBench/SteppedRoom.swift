internal import JamCommand
internal import JamCore
internal import JamEngine
internal import JamKit
internal import JamRealtime
internal import JamRoom

/// A live room on a clock that is stepped as fast as the machine can. It has the same actor, state
/// and engine as in a server, and everything happens on its frame. The CPU times of the room
/// thread's work and of the render worker's work are measured apart.
///
/// Thread: the room's, as `RoomThread.running` provides it.
final class SteppedRoom {
  struct Spent {
    var room = 0.0
    var render = 0.0
    /// How often the room thread would have been woken.
    var turns = 0
    var buffers = 0
    /// The number of sounding voices, summed over the buffers.
    var voices = 0
    var mostVoices = 0

    /// Seconds of music.
    var seconds: Double { Double(buffers) * Frames.buffer.seconds }
  }

  let room: Room
  let parts: EngineParts
  let players: [PlayerID]
  private(set) var now = Frames.zero
  var spent = Spent()
  private var script: ArraySlice<LoopScript.Line> = []

  init(_ thread: RoomThread, kit: PlayableKit, players count: Int) throws {
    RealtimeThread.flushDenormals()
    let anchor = ClockAnchor(origin: HostTime(nanoseconds: 0))
    let name = try PlayerName.bench("room")
    let kitStore = KitStore(catalogue: KitCatalogue())
    let state = RoomState(name: name, kits: [kit.kit], firstKit: kit, anchor: anchor, hostWord: "bench")
    let parts = EngineParts()
    let room = Room(state: state, parts: parts, thread: thread, anchor: anchor, kitStore: kitStore)
    self.parts = parts
    self.room = room
    players = try room.assumeIsolated { room in
      room.begin()
      return try (0..<count).map { i in
        let name = try PlayerName.bench("player\(i)")
        return try room.join(
          name, token: name.text, isGuest: false, isHost: true, at: .zero - RoomState.liveDelay, origin: .none)
      }
    }
  }

  /// Plays `lines`, in their order, as far as `run` gets.
  func play(_ lines: [LoopScript.Line]) { script = lines[...] }

  /// - Parameter isSilent: starts no voices, so the engine renders silence.
  func run(until end: Frames, isSilent: Bool = false) {
    while now < end {
      let start = VoicesBench.threadSeconds
      control()
      let middle = VoicesBench.threadSeconds
      if isSilent { dropHits() }
      let between = isSilent ? VoicesBench.threadSeconds : middle
      parts.engine.engine.pointee.render()
      spent.render += VoicesBench.threadSeconds - between
      spent.room += middle - start
      spent.buffers += 1
      let voices = parts.engine.status.soundingVoices
      spent.voices += voices
      spent.mostVoices = max(spent.mostVoices, voices)
      now += .buffer
    }
  }

  /// Takes a command of one player, as it comes from the edge.
  func receive(_ line: LoopScript.Line) {
    let player = players[line.player]
    room.assumeIsolated { $0.receive(line.command, from: player, at: line.moment, origin: .none) }
  }

  /// Does the room thread's work up to the buffer that is due now.
  private func control() {
    while true {
      let deadline = room.anchor.frame(at: room.deadline)
      if let line = script.first, line.moment.arrival <= min(deadline, now) {
        script.removeFirst()
        receive(line)
        continue
      }
      guard deadline <= now else { return }
      // The deadline is read twice for each turn, as the thread does.
      room.turn(at: room.deadline)
      spent.turns += 1
    }
  }

  private func dropHits() {
    for _ in 0..<parts.commands.ring.count {
      guard let command = parts.commands.ring.pop() else { return }
      if case .start(let start) = command.action { start.use.release() } else { parts.commands.ring.push(command) }
    }
  }
}

extension PlayerName {
  /// A name that this program made itself.
  static func bench(_ text: String) throws -> PlayerName {
    guard let name = PlayerName(text) else { throw ChildProcess.Failure(description: "“\(text)” is no name") }
    return name
  }
}

extension RoomThread {
  /// Runs `body` on a room thread of its own, at ordinary priority, and waits for it. Rooms may
  /// only be used on a room thread.
  static func running<Output>(_ body: @escaping (RoomThread) throws -> Output) throws -> Output {
    let errand = Errand(body: body)
    let thread = RoomThread()
    thread.start(priority: 0)
    thread.submit { errand.output = Result { try errand.body(thread) } }
    // The thread does all submitted work before it ends.
    thread.stop()
    guard let output = errand.output else { throw ChildProcess.Failure(description: "the room thread did nothing") }
    return try output.get()
  }

  private final class Errand<Output>: @unchecked Sendable {
    // Unchecked: only the thread uses it until the thread was joined.
    let body: (RoomThread) throws -> Output
    var output: Result<Output, any Error>?
    init(body: @escaping (RoomThread) throws -> Output) { self.body = body }
  }
}
