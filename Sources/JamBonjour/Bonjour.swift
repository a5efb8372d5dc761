internal import JamCore
internal import JamNet
internal import Synchronization

/// Announces the server on its networks, by Avahi or by a responder of our own: never by both, for
/// one program of a machine should speak multicast DNS.
///
/// Thread: start and stop from one; the rest any.
package final class Bonjour: Sendable {
  private let announcement: BonjourAnnouncement
  private let way: BonjourWay
  private let tell: @Sendable (BonjourNews) -> Void
  private let station = Mutex<MDNSStation?>(nil)
  private let passed = Mutex(MDNSCounts())
  private let avahi = Mutex<AvahiAnnouncer?>(nil)

  /// - Parameter tell: called on the threads that announce; it must not wait.
  package init(
    _ announcement: BonjourAnnouncement, way: BonjourWay, tell: @escaping @Sendable (BonjourNews) -> Void
  ) {
    self.announcement = announcement
    self.way = way
    self.tell = tell
  }

  /// Begins to announce, and returns at once.
  package func start() {
    switch way {
    case .off: return
    case .own: startStation()
    case .auto, .avahi:
      let isAlone = way == .avahi
      let announcer = AvahiAnnouncer(
        announcement, tell: tell,
        presence: { [self] isThere in
          if isThere {
            stopStation()
          } else if isAlone {
            tell(.silent("Avahi does not answer"))
          } else {
            startStation()
          }
        })
      avahi.withLock { $0 = announcer }
      announcer.start()
    }
  }

  /// Says goodbye, and ends.
  package func stop() {
    // The announcer ends first: it starts stations.
    avahi.withLock { $0 }?.stop()
    stopStation()
  }

  /// What came to our own responder, and what was dropped of it.
  package var counts: MDNSCounts {
    let now = station.withLock { $0?.counts } ?? MDNSCounts()
    return passed.withLock { $0 + now }
  }

  private func startStation() {
    station.withLock { station in
      guard station == nil else { return }
      let new = MDNSStation([MDNSResponder(announcement)], told: { [tell] in tell(.announced(name: $0, by: .own)) })
      do throws(NetError) {
        try new.start()
        station = new
      } catch {
        tell(.silent("\(error)"))
      }
    }
  }

  private func stopStation() {
    let old = station.withLock { station in
      defer { station = nil }
      return station
    }
    guard let old else { return }
    old.stop()
    passed.withLock { $0 = $0 + old.counts }
  }
}
