internal import JamCore
internal import JamNet
internal import Synchronization

/// The networks to which this machine is attached, as they were listed last. Listing asks the
/// kernel and reads files. The room thread has no time for that, and only reads the stored list.
///
/// Thread: any.
final class PluggedNetworks: Sendable {
  private struct State {
    var networks: AttachedNetworks
    var nextLook: HostTime
  }

  private let state: Mutex<State>
  private let list: @Sendable () -> AttachedNetworks?

  private static let everyMilliseconds = 10_000.0

  /// Lists the networks for the first time.
  /// Thread: any thread that may wait.
  /// - Parameter list: asks the kernel, or is a test's substitute; nil means that there was no
  ///   answer.
  init(list: @escaping @Sendable () -> AttachedNetworks? = { try? AttachedNetworks.current() }) {
    self.list = list
    state = Mutex(
      State(networks: list() ?? AttachedNetworks(interfaces: []), nextLook: HostTime(nanoseconds: 0)))
  }

  /// Lists the networks again, if the last time was ten seconds ago.
  /// Thread: any thread that may wait.
  func look(at now: HostTime) {
    let isDue = state.withLock { state in
      guard state.nextLook <= now else { return false }
      state.nextLook = now.advanced(byMilliseconds: PluggedNetworks.everyMilliseconds)
      return true
    }
    guard isDue, let found = list() else { return }
    // The old list is freed here, outside the lock.
    let before = state.withLock { state in
      let before = state.networks
      state.networks = found
      return before
    }
    withExtendedLifetime(before) {}
  }

  /// Whether `peer` is this machine, or on a network to which this machine is attached.
  func contains(_ peer: SocketAddress) -> Bool { state.withLock { $0.networks.contains(peer) } }

  /// Whether `peer` is one of this machine's own addresses.
  func isThisMachine(_ peer: SocketAddress) -> Bool {
    state.withLock { $0.networks.isThisMachine(peer) }
  }
}
