internal import JamCore

/// The packets that wait for a turn on the room thread: all packets but hits, and the hits of
/// senders that already have a waiting packet. The order of each sender's packets therefore stays.
///
/// Each sender has a queue. The senders of a site take turns, and so do the sites. The time that a
/// packet takes is charged to its sender and its site, so a sender of costly packets gets fewer
/// turns. Sites that use little time are served first. A full queue accepts no more packets.
/// A machine without I/O. Thread: the room thread.
final class Backlog {
  private var sites: [Site] = []
  private var next = 0
  /// The microseconds for all heavy senders together. The limit leaves time for the encoders, which
  /// have a lower priority than the room thread.
  private var heavily: TokenBucket
  private(set) var packets = 0

  static let mostPackets = 16_384
  static let mostPacketsOfSite = 4_096
  static let mostPacketsOfSender = 2_048
  static let mostBytesOfSite = 4 << 20
  static let mostBytesOfSender = 1 << 20
  static let mostSendersOfSite = 256
  /// The smallest charge for one packet, in microseconds.
  static let leastMicroseconds = 2.0

  init(at now: HostTime) { heavily = TokenBucket(perSecond: 500_000, burst: 100_000, at: now) }

  var isEmpty: Bool { sites.isEmpty }

  /// The result of adding a packet.
  enum Outcome: Hashable {
    case waits
    /// The packet replaced an older value of the same control.
    case replaced
    /// The queue is full.
    case full
  }

  /// - Parameter kind: called only where a packet of the sender already waits.
  func add(
    _ packet: @autoclosure () -> PacketQueue.Packet, bytes: Int, of sender: Endpoint,
    kind: () -> PacketQueue.Kind
  ) -> Outcome {
    let site = sender.site
    guard packets < Backlog.mostPackets, site.packets < Backlog.mostPacketsOfSite,
      site.bytes + bytes <= Backlog.mostBytesOfSite, sender.queue.count < Backlog.mostPacketsOfSender,
      sender.queue.bytes + bytes <= Backlog.mostBytesOfSender,
      sender.isWaiting || site.waiting.count < Backlog.mostSendersOfSite
    else { return .full }
    let before = (sender.queue.count, sender.queue.bytes)
    let hasReplaced = sender.queue.append(packet(), kind())
    count(site, sender.queue.count - before.0, sender.queue.bytes - before.1)
    wake(sender)
    return hasReplaced ? .replaced : .waits
  }

  /// Gives the sender a turn for work that is not a packet.
  func wake(_ sender: Endpoint) {
    guard !sender.isWaiting else { return }
    sender.isWaiting = true
    if sender.site.waiting.isEmpty { sites.append(sender.site) }
    sender.site.waiting.append(sender)
  }

  /// The sender whose turn it is; nil where no sender has time left.
  func turn(at now: HostTime) -> Endpoint? {
    turn {
      $0.lightly.holds(at: now) && $0.allowance.holds(at: now)
    } sender: {
      $0.allowance.holds(at: now)
    }
      ?? (heavily.holds(at: now)
        ? turn {
          $0.allowance.holds(at: now)
        } sender: {
          $0.allowance.holds(at: now)
        } : nil)
  }

  private func turn(site: (Site) -> Bool, sender: (Endpoint) -> Bool) -> Endpoint? {
    for _ in sites.indices {
      next = next < sites.count ? next : 0
      let candidate = sites[next]
      next += 1
      guard site(candidate) else { continue }
      for _ in candidate.waiting.indices {
        candidate.next = candidate.next < candidate.waiting.count ? candidate.next : 0
        let endpoint = candidate.waiting[candidate.next]
        candidate.next += 1
        if sender(endpoint) { return endpoint }
      }
    }
    return nil
  }

  /// Removes and returns the sender's first packet.
  func take(from sender: Endpoint) -> PacketQueue.Packet? {
    guard let packet = sender.queue.popFirst() else { return nil }
    count(sender.site, -1, -packet.bytes.count)
    return packet
  }

  /// Charges the sender for so many microseconds of work. A sender without further work leaves the
  /// ring.
  func charge(_ microseconds: Double, to sender: Endpoint) {
    let cost = max(Backlog.leastMicroseconds, microseconds)
    let isLight = sender.site.lightly.isPositive
    sender.allowance.charge(cost)
    sender.site.allowance.charge(cost)
    sender.site.lightly.charge(cost)
    if !isLight { heavily.charge(cost) }
    if sender.queue.isEmpty && sender.underWay.isEmpty && !sender.isDumpDue { rest(sender) }
  }

  /// Drops all waiting packets and requests of a sender that is gone.
  func forget(_ sender: Endpoint) {
    count(sender.site, -sender.queue.count, -sender.queue.bytes)
    sender.queue.removeAll()
    sender.underWay.removeAll()
    sender.dump = nil
    rest(sender)
  }

  private func rest(_ sender: Endpoint) {
    guard sender.isWaiting else { return }
    sender.isWaiting = false
    let site = sender.site
    if let place = site.waiting.firstIndex(where: { $0 === sender }) {
      site.waiting.remove(at: place)
      if place < site.next { site.next -= 1 }
    }
    guard site.waiting.isEmpty, let place = sites.firstIndex(where: { $0 === site }) else { return }
    sites.remove(at: place)
    if place < next { next -= 1 }
  }

  private func count(_ site: Site, _ packets: Int, _ bytes: Int) {
    self.packets += packets
    site.packets += packets
    site.bytes += bytes
  }
}
