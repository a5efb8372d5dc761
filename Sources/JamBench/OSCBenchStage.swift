internal import Dispatch
internal import Glibc
internal import JamCore
internal import JamEngine
internal import JamKit
internal import JamNet
internal import JamOSC
internal import JamRealtime
internal import JamRoom
internal import JamWire
internal import NIOPosix
internal import Synchronization

/// A room without rendering: the engine's queue is only emptied and counted.
final class OSCBenchStage: OSCBenchHearing, Sendable {
  let thread = RoomThread()
  let registry: RoomRegistry
  private let parts: EngineParts
  private let room: Room
  private let drain = RealtimeThread(name: "bench-drain")
  private let counter = Counter()

  final class Counter: Sendable {
    let hits = Atomic<Int>(0)
    let isStopping = Atomic<Bool>(false)
  }

  init() {
    let name = PlayerName("main")!
    let kit = OSCBenchSounds.kit()
    let anchor = ClockAnchor(origin: .now)
    let parts = EngineParts()
    room = Room(
      state: RoomState(name: name, kits: [kit.kit], firstKit: kit, anchor: anchor, hostWord: "bench"), parts: parts,
      thread: thread, anchor: anchor, kitStore: KitStore(catalogue: KitCatalogue()))
    registry = RoomRegistry(main: name)
    registry.add(room)
    self.parts = parts
  }

  func start() {
    thread.add(room)
    thread.start()
    thread.submit { [room] in room.assumeIsolated { $0.begin() } }
    drain.start { [self] in
      while !counter.isStopping.load(ordering: .relaxed) {
        OSCBenchStage.empty(parts.commands.ring, into: counter)
        RealtimeThread.sleep(untilNanoseconds: HostTime.now.nanoseconds + 2_500_000)
      }
    }
  }

  func stop() {
    thread.stop()
    counter.isStopping.store(true, ordering: .relaxed)
    drain.join()
    OSCBenchStage.empty(parts.commands.ring, into: counter)
  }

  /// - Throws: `OSCServerError`.
  func serve(_ group: MultiThreadedEventLoopGroup) throws -> OSCServer {
    // The command line is not asynchronous, but opening the server is.
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<OSCServer, any Error>?>(nil)
    Task.detached { [registry, thread] in
      do {
        let server = try await OSCServer(
          [.loopback(port: 0)], registry: registry, thread: thread, group: group, clock: ServerClock())
        result.withLock { $0 = .success(server) }
      } catch {
        result.withLock { $0 = .failure(error) }
      }
      done.signal()
    }
    done.wait()
    guard let result = result.withLock({ $0 }) else { preconditionFailure("signalled without a result") }
    return try result.get()
  }

  var heard: Int { counter.hits.load(ordering: .relaxed) }

  var threadSeconds: Double {
    let time = Mutex<Int64?>(nil)
    let done = DispatchSemaphore(value: 0)
    thread.submit {
      time.withLock { $0 = OSCBenchEar.threadNanoseconds }
      done.signal()
    }
    done.wait()
    return Double(time.withLock { $0 } ?? 0) / 1e9
  }

  private static func empty(_ ring: Ring<EngineCommand>, into counter: Counter) {
    var hits = 0
    while let command = ring.pop() {
      if case .start(let start) = command.action {
        start.use.release()
        hits += 1
      }
    }
    counter.hits.wrappingAdd(hits, ordering: .relaxed)
  }
}

/// A kit of sixteen silent sounds.
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
      kit: Kit(id: "bench", name: "Bench", pads: pads),
      pads: Pad.all.map { _ in PlayablePad(PlayableSound(view, owner: sounds)) })
  }
}
