internal import JamCore
internal import JamNet
internal import Synchronization

/// The networks that this machine is plugged into, as somebody saw them last. Whoever lists them
/// asks the kernel and looks into files: the room thread has no time for that, and only reads here.
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

  /// Looks for the first time. Thread: any that may wait.
  /// - Parameter list: asks the kernel, or is a test's own; nil where there is no answer.
  init(list: @escaping @Sendable () -> AttachedNetworks? = { try? AttachedNetworks.current() }) {
    self.list = list
    state = Mutex(
      State(networks: list() ?? AttachedNetworks(interfaces: []), nextLook: HostTime(nanoseconds: 0)))
  }

  /// Looks again, ten seconds after the last time. Thread: any that may wait.
  func look(at now: HostTime) {
    let isDue = state.withLock { state in
      guard state.nextLook <= now else { return false }
      state.nextLook = now.advanced(byMilliseconds: PluggedNetworks.everyMilliseconds)
      return true
    }
    guard isDue, let found = list() else { return }
    // What was known before is freed here, after the lock.
    let before = state.withLock { state in
      let before = state.networks
      state.networks = found
      return before
    }
    withExtendedLifetime(before) {}
  }

  /// True where `peer` is this machine, or on a network that it is plugged into.
  func contains(_ peer: SocketAddress) -> Bool { state.withLock { $0.networks.contains(peer) } }
}
