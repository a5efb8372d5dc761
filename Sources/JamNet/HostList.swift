package import JamCore
internal import Synchronization

/// The addresses by which others reach a server, at most some seconds old. Networks come and go,
/// but listing them for every request would be too expensive.
///
/// Thread: any.
package final class HostList: Sendable {
  static let lifeMilliseconds = 5_000.0

  private struct Look {
    var hosts: [String]
    var taken: HostTime
  }

  private let look: @Sendable () -> [String]
  private let last = Mutex<Look?>(nil)

  /// - Parameter look: lists the addresses now.
  package init(_ look: @escaping @Sendable () -> [String]) { self.look = look }

  package func hosts(at now: HostTime) -> [String] {
    last.withLock { last in
      if let last, now.milliseconds(since: last.taken) < HostList.lifeMilliseconds { return last.hosts }
      let hosts = look()
      last = Look(hosts: hosts, taken: now)
      return hosts
    }
  }
}
