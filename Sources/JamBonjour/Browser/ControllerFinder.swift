internal import JamCore
package import JamNet

/// Finds controllers for as long as it runs, beside whatever announces this server.
///
/// It only asks, and hears what is sent to everybody. So it works beside Avahi and beside a
/// responder of our own, and neither loses a datagram to it.
/// Thread: start and stop from one.
package final class ControllerFinder: Sendable {
  private let station: MDNSStation

  /// - Parameter found: called on a thread of its own whenever the controllers change.
  package init(found: @escaping @Sendable ([FoundController]) -> Void) {
    station = MDNSStation([ControllerBrowser(tell: found)], onlyAsks: true)
  }

  /// - Throws: `NetError`, where another program has the port alone.
  package func start() throws(NetError) { try station.start() }

  package func stop() { station.stop() }
}
