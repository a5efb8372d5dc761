import Glibc
import JamNet
import JamRealtime
import Synchronization

/// Something that `bench osc` sends to.
protocol OSCBenchHearing {
  /// Hits that came through so far.
  var heard: Int { get }
  /// CPU time that the receiving thread has used.
  var threadSeconds: Double { get }
}

extension OSCBenchHearing {
  /// Waits until nothing comes any more.
  func settle() {
    var last = -1
    while heard != last {
      last = heard
      usleep(200_000)
    }
  }
}

/// A loop like the room thread's that takes datagrams and does nothing with them.
final class OSCBenchEar: OSCBenchHearing, Sendable {
  private let socket: DatagramSocket
  private let loop = PollLoop()
  private let thread: RealtimeThread
  private let counter: Counter

  private final class Counter: Sendable {
    let heard = Atomic<Int>(0)
    let nanoseconds = Atomic<Int64>(0)
  }

  /// - Throws: `NetError`.
  init() throws {
    let socket = try DatagramSocket(binding: .loopback(port: 0))
    let counter = Counter()
    let loop = loop
    self.socket = socket
    self.counter = counter
    thread = RealtimeThread(name: "bench-ear", priority: 40) {
      let receiver = DatagramReceiver()
      loop.add(socket.fileDescriptor) {
        for _ in 0..<8 {
          let count = receiver.receive(from: socket) { _ in }
          counter.heard.wrappingAdd(count, ordering: .relaxed)
          if count < receiver.capacity { break }
        }
      }
      loop.run(
        deadline: { nil }, turn: { counter.nanoseconds.store(OSCBenchEar.threadNanoseconds, ordering: .relaxed) })
    }
  }

  var port: UInt16 { socket.localAddress.port }
  var heard: Int { counter.heard.load(ordering: .relaxed) }
  var threadSeconds: Double { Double(counter.nanoseconds.load(ordering: .relaxed)) / 1e9 }

  func start() { thread.start() }

  func stop() {
    loop.stop()
    thread.join()
  }

  /// CPU time of the calling thread.
  static var threadNanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
