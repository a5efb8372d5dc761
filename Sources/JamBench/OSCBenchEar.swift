internal import Glibc
internal import JamNet
internal import JamRealtime
internal import Synchronization

/// A receiver for the hits of `bench osc`.
protocol OSCBenchHearing {
  /// The number of hits that arrived so far.
  var heard: Int { get }
  /// CPU time of the receiving thread.
  var threadSeconds: Double { get }
}

extension OSCBenchHearing {
  /// Waits until no more hits come.
  func settle() {
    var last = -1
    while heard != last {
      last = heard
      usleep(200_000)
    }
  }
}

/// A loop like that of the room thread, which receives datagrams and does nothing with them.
final class OSCBenchEar: OSCBenchHearing, Sendable {
  private let socket: DatagramSocket
  private let loop = PollLoop()
  private let thread = RealtimeThread(name: "bench-ear")
  private let count = Atomic<Int>(0)
  private let nanoseconds = Atomic<Int64>(0)

  /// - Throws: `NetError`.
  init() throws { socket = try DatagramSocket(binding: .loopback(port: 0)) }

  var port: UInt16 { socket.localAddress.port }
  var heard: Int { count.load(ordering: .relaxed) }
  var threadSeconds: Double { Double(nanoseconds.load(ordering: .relaxed)) / 1e9 }

  func start() { thread.start(priority: 40) { [self] in run() } }

  func stop() {
    loop.stop()
    thread.join()
  }

  private func run() {
    let receiver = DatagramReceiver()
    loop.add(socket.fileDescriptor) { [unowned self] in
      for _ in 0..<8 {
        let new = receiver.receive(from: socket) { _ in }
        count.wrappingAdd(new, ordering: .relaxed)
        if new < receiver.capacity { break }
      }
    }
    loop.run(deadline: { nil }, turn: { nanoseconds.store(OSCBenchEar.threadNanoseconds, ordering: .relaxed) })
  }

  /// CPU time of the calling thread.
  static var threadNanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
