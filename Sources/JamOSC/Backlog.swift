internal import JamCore

/// What waits for its turn of the room's thread: everything but hits, and the hits of senders for whom
/// something waits already, so that each sender's order stays.
///
/// Each sender has a queue; the senders of a site take turns, and so do the sites. What is carried out is
/// charged by the time that it took: what costs more comes less often. Whoever takes little is served first.
/// A queue that is full takes no more.
/// A machine without I/O. Thread: the room thread.
final class Backlog {
  private var sites: [Site] = []
  private var next = 0
  /// Microseconds for all heavy senders together: the encoders below the room's thread want to live, too.
  private var heavily: TokenBucket
  private(set) var packets = 0

  static let mostPackets = 16_384
  static let mostPacketsOfSite = 4_096
  static let mostPacketsOfSender = 2_048
  static let mostBytesOfSite = 4 << 20
  static let mostBytesOfSender = 1 << 20
  static let mostSendersOfSite = 256
  /// What carrying out one packet costs at least, in microseconds.
  static let leastMicroseconds = 2.0

  init(at now: HostTime) { heavily = TokenBucket(perSecond: 500_000, burst: 100_000, at: now) }

  var isEmpty: Bool { sites.isEmpty }

  /// What comes of a packet that is added.
  enum Outcome: Hashable {
    case waits
    /// It took the place of an older value of the same control.
    case replaced
    /// There is no place for it.
    case full
  }

  /// - Parameter kind: asked only where something of the sender waits already.
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

  /// The sender has something to do that is no packet.
  func wake(_ sender: Endpoint) {
    guard !sender.isWaiting else { return }
    sender.isWaiting = true
    if sender.site.waiting.isEmpty { sites.append(sender.site) }
    sender.site.waiting.append(sender)
  }

  /// Whose turn it is; nil where nobody may do more now.
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

  /// Takes the sender's first packet.
  func take(from sender: Endpoint) -> PacketQueue.Packet? {
    guard let packet = sender.queue.popFirst() else { return nil }
    count(sender.site, -1, -packet.bytes.count)
    return packet
  }

  /// What was done for the sender took so many microseconds. It stands in the ring no more where nothing waits.
  func charge(_ microseconds: Double, to sender: Endpoint) {
    let cost = max(Backlog.leastMicroseconds, microseconds)
    let isLight = sender.site.lightly.isPositive
    sender.allowance.charge(cost)
    sender.site.allowance.charge(cost)
    sender.site.lightly.charge(cost)
    if !isLight { heavily.charge(cost) }
    if sender.queue.isEmpty && sender.underWay.isEmpty && sender.dump == nil { rest(sender) }
  }

  /// The sender is gone, and what it asked for with it.
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
