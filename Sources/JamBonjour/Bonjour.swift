internal import JamCore
package import JamNet
internal import Synchronization

/// Announces the server on its networks, by Avahi or by a responder of our own: never by both, for
/// one program of a machine should answer by multicast DNS. Beside either it looks for controllers,
/// for which it only asks.
///
/// Thread: start and stop from one; the rest any.
package final class Bonjour: Sendable {
  private let announcement: BonjourAnnouncement
  private let way: BonjourWay
  private let listener: @Sendable (BonjourNews) -> Void
  private let announced = Mutex<String?>(nil)
  private let station = Mutex<MDNSStation?>(nil)
  private let passed = Mutex(MDNSCounts())
  private let avahi = Mutex<AvahiAnnouncer?>(nil)
  private let finder: ControllerFinder

  /// - Parameters:
  ///   - found: gets the controllers that announce themselves, whenever they change. It is called
  ///     on a thread of its own.
  ///   - tell: called on the threads that announce; it must not wait.
  package init(
    _ announcement: BonjourAnnouncement, way: BonjourWay,
    found: @escaping @Sendable ([FoundController]) -> Void = { _ in },
    tell: @escaping @Sendable (BonjourNews) -> Void
  ) {
    self.announcement = announcement
    self.way = way
    listener = tell
    finder = ControllerFinder(found: found)
  }

  /// Begins to announce, and returns at once.
  package func start() {
    guard way != .off else { return }
    do throws(NetError) { try finder.start() } catch { tell(.blind("\(error)")) }
    switch way {
    case .off: return
    case .own: startStation()
    case .auto, .avahi:
      let isAlone = way == .avahi
      let announcer = AvahiAnnouncer(
        announcement, tell: { [self] in tell($0) },
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
    // The announcer ends first: it starts stations. Both hold references to this object.
    let announcer = avahi.withLock { announcer in
      defer { announcer = nil }
      return announcer
    }
    announcer?.stop()
    stopStation()
    finder.stop()
  }

  /// The name under which the networks know the server now; nil where they do not.
  package var announcedName: String? { announced.withLock { $0 } }

  private func tell(_ news: BonjourNews) {
    switch news {
    case .announced(let name, _): announced.withLock { $0 = name }
    case .silent: announced.withLock { $0 = nil }
    case .blind: break
    }
    listener(news)
  }

  /// The counts of our own responder, since the start.
  package var counts: MDNSCounts {
    let now = station.withLock { $0?.counts } ?? MDNSCounts()
    return passed.withLock { $0 + now }
  }

  private func startStation() {
    station.withLock { station in
      guard station == nil else { return }
      let new = MDNSStation(
        [MDNSResponder(announcement)], told: { [self] in tell(.announced(name: $0, by: .own)) })
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
