import Glibc
import JamCore
import JamEngine
import JamKit
import JamNet
import JamOSC
import JamRealtime
import JamRoom
import JamWire
import NIOCore
import NIOPosix
import Synchronization

/// What a hit costs from the socket to the engine's queue: real loopback datagrams into the OSC edge of a room whose engine is
/// replaced by a thread that empties its queue.
struct OSCBench {
  var clients = 50
  var hitsPerSecond = 50_000
  /// Datagrams that a client sends at once.
  var burst = 20
  var seconds = 10.0
  var repetitions = 3

  /// - Throws: `OSCServerError` or `NetError` where no port can be had.
  func run() async throws -> BenchReport {
    var report = BenchReport(name: "osc")
    let bursts = try await measure(burst: burst)
    let single = try await measure(burst: 1)
    report.rows = [
      BenchRow("hits in bursts of \(burst)", unit: "1/s", values: bursts.map(\.rate)),
      BenchRow("  CPU for each, socket to queue", unit: "µs", values: bursts.map(\.cost), target: .atMost(2.5)),
      BenchRow("  lost", unit: "", values: bursts.map { Double($0.lost) }, target: .atMost(0)),
      BenchRow("hits evenly spaced", unit: "1/s", values: single.map(\.rate)),
      BenchRow("  CPU for each, socket to queue", unit: "µs", values: single.map(\.cost)),
      BenchRow("  lost", unit: "", values: single.map { Double($0.lost) }, target: .atMost(0)),
    ]
    report.notes = [
      "\(clients) clients on loopback for \(Int(seconds)) s, \(repetitions) times; CPU is the room thread's own.",
      "oscdump, which only prints, takes 4.8 µs; scsynth 6.8–8.8; python-osc 15.6.",
    ]
    return report
  }

  private struct Outcome {
    var rate: Double
    var cost: Double
    var lost: Int
  }

  private func measure(burst: Int) async throws -> [Outcome] {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let stage = OSCBenchStage()
    let server = try await OSCServer(
      [.loopback(port: 0)], lobby: stage.lobby, thread: stage.thread, group: group, clock: ServerClock())
    stage.start()
    let result = Result { try hammer(stage, server, burst: burst) }
    server.stop()
    stage.stop()
    try await group.shutdownGracefully()
    return try result.get()
  }

  private func hammer(_ stage: OSCBenchStage, _ server: OSCServer, burst: Int) throws -> [Outcome] {
    let sockets = try (0..<clients).map { _ in try DatagramSocket(binding: .loopback(port: 0)) }
    let path = NetworkPath(peer: .loopback(port: server.port))
    for (i, socket) in sockets.enumerated() {
      // A player of its own each, who wants no feedback: sending that is another matter.
      for message in [OSCMessage("/hello", .string("player \(i)")), OSCMessage("/unsubscribe")] {
        _ = message.encoded().withUnsafeBytes { socket.send($0, along: path) }
        usleep(2_000)
      }
    }
    let packets = (0..<64).map { OSCMessage("/pad/\($0 % 16 + 1)", .float(Float($0 + 1) / 64)).encoded() }
    var batch = DatagramBatch(capacity: burst)
    func send(hits: Int, from start: Int64) -> Int {
      var sent = 0
      var client = 0
      while sent < hits {
        // Bursts of different clients are spread evenly.
        RealtimeThread.sleep(untilNanoseconds: start + Int64(sent) * 1_000_000_000 / Int64(hitsPerSecond))
        for i in 0..<burst { _ = batch.append(packets[(sent + i) & 63], along: path) }
        sent += burst - batch.flush(through: sockets[client])
        client = (client + 1) % clients
      }
      return sent
    }
    _ = send(hits: hitsPerSecond / 2, from: HostTime.now.nanoseconds)
    return (0..<repetitions).map { _ in
      stage.settle()
      let before = (heard: stage.heard, cpu: stage.threadSeconds, start: HostTime.now)
      let sent = send(hits: Int(Double(hitsPerSecond) * seconds), from: before.start.nanoseconds)
      let elapsed = HostTime.now.milliseconds(since: before.start) / 1_000
      stage.settle()
      let heard = stage.heard - before.heard
      return Outcome(
        rate: Double(sent) / elapsed, cost: (stage.threadSeconds - before.cpu) / Double(max(1, heard)) * 1_000_000,
        lost: sent - heard)
    }
  }
}

/// A room whose engine's queue is emptied and counted instead of rendered.
private final class OSCBenchStage: Sendable {
  let thread = RoomThread()
  let lobby: Lobby
  private let parts: EngineParts
  private let room: Room
  private let drain: RealtimeThread
  private let counter: Counter

  final class Counter: Sendable {
    let hits = Atomic<Int>(0)
    let isStopping = Atomic<Bool>(false)
  }

  init() {
    let name = PlayerName("main")!
    let kit = OSCBenchSounds.kit()
    let anchor = ClockAnchor(origin: .now)
    let parts = EngineParts()
    let counter = Counter()
    room = Room(
      state: RoomState(name: name, kits: [kit.kit], firstKit: kit, anchor: anchor, hostWord: "bench"), parts: parts,
      thread: thread, anchor: anchor, shelf: KitShelf(catalogue: KitCatalogue()))
    lobby = Lobby(main: name)
    lobby.add(room)
    self.parts = parts
    self.counter = counter
    drain = RealtimeThread(name: "bench-drain", priority: 0) {
      while !counter.isStopping.load(ordering: .relaxed) {
        OSCBenchStage.empty(parts.commands.ring, into: counter)
        RealtimeThread.sleep(untilNanoseconds: HostTime.now.nanoseconds + 2_500_000)
      }
    }
  }

  func start() {
    thread.add(room)
    thread.start()
    thread.submit { [room] in room.assumeIsolated { $0.begin() } }
    drain.start()
  }

  func stop() {
    thread.stop()
    counter.isStopping.store(true, ordering: .relaxed)
    drain.join()
    OSCBenchStage.empty(parts.commands.ring, into: counter)
  }

  /// Hits that came out of the engine's queue so far.
  var heard: Int { counter.hits.load(ordering: .relaxed) }

  /// Waits until nothing comes any more.
  func settle() {
    var last = -1
    while heard != last {
      last = heard
      usleep(200_000)
    }
  }

  /// CPU time that the room thread has used.
  var threadSeconds: Double {
    let nanoseconds = Atomic<Int64>(-1)
    let box = Box(nanoseconds)
    thread.submit {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      box.value.store(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec), ordering: .releasing)
    }
    while box.value.load(ordering: .acquiring) < 0 { usleep(500) }
    return Double(box.value.load(ordering: .acquiring)) / 1e9
  }

  private final class Box: Sendable {
    let value: Atomic<Int64>
    init(_ value: consuming Atomic<Int64>) { self.value = value }
  }

  private static func empty(_ ring: Ring<EngineCommand>, into counter: Counter) {
    var hits = 0
    while let command = ring.pop() {
      if case .start(let start) = command.action {
        start.bank.release()
        hits += 1
      }
    }
    counter.hits.wrappingAdd(hits, ordering: .relaxed)
  }
}

/// A kit of sixteen silences.
private final class OSCBenchSounds: Sendable {
  private nonisolated(unsafe) let memory: UnsafeMutablePointer<Float>
  private static let frames = 48 + 2 * SampleView.guardFrames

  private init() {
    memory = .allocate(capacity: OSCBenchSounds.frames)
    memory.initialize(repeating: 0, count: OSCBenchSounds.frames)
  }

  deinit { memory.deallocate() }

  static func kit() -> PlayableKit {
    let sounds = OSCBenchSounds()
    let view = SampleView(left: UnsafePointer(sounds.memory + SampleView.guardFrames), right: nil, frameCount: 48)
    let pads = Pad.all.map { KitPad(name: "pad \($0.number)", category: "other", duration: Frames(48)) }
    return PlayableKit(
      kit: Kit(id: "bench", name: "Bench", pads: pads), samples: Pad.all.map { _ in view }, owner: sounds)
  }
}
