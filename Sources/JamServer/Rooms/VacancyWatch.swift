package import JamCore
import JamRealtime
import JamRoom

/// Closes the rooms that nobody is in, once a second.
///
/// Thread: the room thread.
package final class VacancyWatch: RoomThreadClient {
  private(set) var deadline: HostTime
  private let close: (HostTime) -> Void
  private static let everyMilliseconds = 1_000.0

  package init(from now: HostTime, _ close: @escaping (HostTime) -> Void) {
    deadline = now
    self.close = close
  }

  func turn(at now: HostTime) {
    deadline = now.advanced(byMilliseconds: VacancyWatch.everyMilliseconds)
    close(now)
  }
}
