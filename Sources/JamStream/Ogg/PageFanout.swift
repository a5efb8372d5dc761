internal import JamCore
internal import JamRealtime
internal import Synchronization

/// The thread that writes Ogg pages to all listeners of all rooms.
///
/// Only pages wake the thread. A connection without room is tried again with the next page, and the
/// next write detects a closed one.
/// Thread: start and stop from one thread; the rest from any.
public final class PageFanout: @unchecked Sendable {
  // Unchecked: only the fan-out thread uses `audiences`; the rest is locked, atomic or constant.
  private enum Work: Sendable {
    case join(Int32, OggStream)
    case page(AudioPage, OggStream)
  }

  private struct Audience {
    let stream: OggStream
    var members: PageAudience
  }

  private let inbox = Mutex<[Work]>([])
  private let signal = WakeSignal()
  private let isStopping = Atomic<Bool>(false)
  private let shown = Mutex<OggStatistics>(OggStatistics())
  private var audiences: [ObjectIdentifier: Audience] = [:]
  private let thread = RealtimeThread(name: "bandshell-ogg")

  public init() {}

  /// Starts the thread, with ordinary scheduling, because a page may be some milliseconds late.
  public func start() {
    OpenFiles.raiseLimit()
    thread.start { [self] in run() }
  }

  /// The time for listeners that are behind to receive the end of their streams.
  private static let goodbyeMilliseconds = 500.0

  /// Ends every stream with its last page, closes every connection, ends the thread and waits for
  /// it. If a listener is behind, this takes half a second.
  public func stop() {
    isStopping.store(true, ordering: .releasing)
    signal.raise()
    thread.join()
  }

  /// Thread: any.
  public var statistics: OggStatistics { shown.withLock { $0 } }

  /// Takes over a connected stream socket.
  func join(_ descriptor: Int32, _ stream: OggStream) {
    inbox.withLock { $0.append(.join(descriptor, stream)) }
    signal.raise()
  }

  /// Thread: encode.
  func publish(_ page: AudioPage, on stream: OggStream) {
    inbox.withLock { $0.append(.page(page, stream)) }
    signal.raise()
  }

  private func run() {
    while !isStopping.load(ordering: .acquiring) {
      let ticket = signal.ticket
      if !work() { signal.wait(since: ticket, atMostMilliseconds: 1_000) }
    }
    _ = work()
    let deadline = HostTime.now.advanced(byMilliseconds: PageFanout.goodbyeMilliseconds)
    for var audience in audiences.values {
      for _ in 0..<audience.members.end(by: deadline) { audience.stream.mount.left(audience.stream) }
    }
    audiences.removeAll()
    shown.withLock { $0.listeners = 0 }
  }

  /// Carries out the waiting work. Thread: fan-out, or a test's.
  /// - Returns: whether there was any.
  func work() -> Bool {
    let work = inbox.withLock { inbox in
      let work = inbox
      inbox.removeAll(keepingCapacity: true)
      return work
    }
    for item in work {
      switch item {
      case .join(let descriptor, let stream): take(descriptor, stream)
      case .page(let page, let stream): send(page, stream)
      }
    }
    return !work.isEmpty
  }

  private func take(_ descriptor: Int32, _ stream: OggStream) {
    let key = ObjectIdentifier(stream)
    audiences[key, default: Audience(stream: stream, members: PageAudience(stream.identity))].members.join(descriptor)
    shown.withLock { $0.listeners += 1 }
  }

  private func send(_ page: AudioPage, _ stream: OggStream) {
    let key = ObjectIdentifier(stream)
    // The listeners are admitted, but none is attached yet.
    guard audiences[key] != nil else { return }
    let before = audiences[key].map { ($0.members.sentBytes, $0.members.sentPages) } ?? (0, 0)
    let departures = audiences[key]?.members.send(page) ?? PageAudience.Departures()
    let after = audiences[key].map { ($0.members.sentBytes, $0.members.sentPages) } ?? before
    if audiences[key]?.members.count == 0 { audiences[key] = nil }
    shown.withLock { shown in
      shown.listeners -= departures.count
      shown.left += UInt64(departures.left)
      shown.stalled += UInt64(departures.stalled)
      shown.sentBytes += after.0 - before.0
      shown.sentPages += after.1 - before.1
    }
    for _ in 0..<departures.count { stream.mount.left(stream) }
  }
}
