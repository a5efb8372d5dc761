package import JamNet
internal import JamRealtime
internal import Synchronization

/// The sockets of multicast DNS and their thread, shared by a responder and whoever else speaks it
/// here.
///
/// Thread: start and stop from one; the rest any.
package final class MDNSStation: Sendable {
  private let inside: MDNSStationLoop
  private let thread = RealtimeThread(name: "bandshell-mdns")
  private let isRunning = Mutex(false)

  /// - Parameters:
  ///   - machines: the parts that speak. Each gets every message.
  ///   - onlyAsks: whether none of them answers. The station then takes no datagram from the
  ///     program that answers for this machine, and speaks IPv4 alone.
  ///   - told: called on the station's thread when all links know the server under a new name.
  package init(
    _ machines: [any MDNSMachine], onlyAsks: Bool = false,
    told: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    inside = MDNSStationLoop(machines, onlyAsks: onlyAsks, told: told)
  }

  /// Opens the sockets and starts the thread.
  /// - Throws: `NetError`, where the port can be had for neither family, or the process has too
  ///   many open files.
  package func start() throws(NetError) {
    try inside.open()
    switch thread.launch(niceness: 5, { [inside] in inside.run() }) {
    case .running: isRunning.withLock { $0 = true }
    case .refused(let code): throw .cannotBind(.anyIPv4(port: MDNSSource.port), code: code)
    }
  }

  /// Says goodbye, and ends the thread.
  package func stop() {
    let wasRunning = isRunning.withLock { running in
      defer { running = false }
      return running
    }
    guard wasRunning else { return }
    inside.stop()
    thread.join()
  }

  /// Counts of messages that came, and of those that were dropped. Thread: any.
  package var counts: MDNSCounts { inside.counts.withLock { $0 } }
}
