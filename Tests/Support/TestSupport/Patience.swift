import Glibc

/// How long a test waits for what another thread does: what never comes fails, and does not hang.
///
/// No bound of a measurement: a minute is more than the slowest machine needs. Thread: any.
package struct Patience: Sendable {
  private let end: ContinuousClock.Instant

  package init() { end = .now + .seconds(60) }

  /// False a minute after the beginning.
  package var lasts: Bool { .now < end }
}

/// Waits until `condition` holds. False where it does not within a minute.
package func comesTrue(_ condition: () throws -> Bool) rethrows -> Bool {
  let patience = Patience()
  while try !condition() {
    guard patience.lasts else { return false }
    usleep(500)
  }
  return true
}
