internal import JamCore
internal import JamNet

/// The listeners of one RTP stream, and how long each may have it: a machine without I/O.
///
/// A lease lasts 30 s from the request, from its repetition, or from a receiver report about our
/// stream. A report must name our stream's random number. Only the listener has seen that number,
/// so no stranger can keep a stream pointed at somebody.
struct LeaseTable {
  /// The port where a listener takes RTCP: RFC 3550 says the next port, RFC 5761 the same one. The
  /// source of the listener's own reports shows which.
  enum ReportPort {
    case unknown, same, next
  }

  struct Lease {
    var expires: HostTime
    var nextReport: HostTime
    /// Reports left to send at the short interval.
    var earlyReports: UInt8
    var reportPort: ReportPort = .unknown
    var reception: (report: Reception, received: HostTime)?
  }

  static let seconds = 30
  private static let milliseconds = Double(seconds) * 1_000
  /// A new listener gets reports each second at first, so that it soon knows the server's clock.
  private static let earlyReportMilliseconds = 1_000.0
  private static let reportMilliseconds = 5_000.0
  private static let earlyReportCount: UInt8 = 5

  /// The destinations of packets; the same order as `leases`.
  private(set) var paths: [NetworkPath] = []
  private(set) var leases: [Lease] = []
  private var places: [SocketAddress: Int] = [:]

  var count: Int { paths.count }

  /// Gives or renews a lease.
  /// - Returns: whether the lease is new.
  mutating func grant(_ path: NetworkPath, at now: HostTime) -> Bool {
    let expires = now.advanced(byMilliseconds: LeaseTable.milliseconds)
    if let i = places[path.peer] {
      paths[i] = path
      leases[i].expires = expires
      return false
    }
    places[path.peer] = paths.count
    paths.append(path)
    leases.append(Lease(expires: expires, nextReport: now, earlyReports: LeaseTable.earlyReportCount))
    return true
  }

  /// Renews a lease because of a receiver report that names our stream.
  mutating func renew(_ listener: SocketAddress, from port: ReportPort, reception: Reception, at now: HostTime) {
    guard let i = places[listener] else { return }
    leases[i].expires = now.advanced(byMilliseconds: LeaseTable.milliseconds)
    leases[i].reportPort = port
    leases[i].reception = (reception, now)
  }

  /// - Returns: false where there was no such lease.
  @discardableResult
  mutating func remove(_ listener: SocketAddress) -> Bool {
    guard let i = places.removeValue(forKey: listener) else { return false }
    let last = paths.count - 1
    paths.swapAt(i, last)
    leases.swapAt(i, last)
    paths.removeLast()
    leases.removeLast()
    if i < last { places[paths[i].peer] = i }
    return true
  }

  /// Takes out the leases that are over.
  mutating func expire(at now: HostTime) -> [Ended] {
    // Nearly always no lease is over, so this looks before it allocates.
    guard leases.contains(where: { $0.expires <= now }) else { return [] }
    let over = leases.indices.filter { leases[$0].expires <= now }
    let ended = over.map { Ended(path: paths[$0], reportPort: leases[$0].reportPort) }
    for entry in ended { remove(entry.path.peer) }
    return ended
  }

  /// A lease that is over.
  struct Ended {
    var path: NetworkPath
    var reportPort: ReportPort

    /// The paths of the goodbye.
    var reportPaths: [NetworkPath] { LeaseTable.reportPaths(path, reportPort) }
  }

  /// The paths of sender reports that are due now, for at most `limit` listeners. The rest waits
  /// for the next call.
  mutating func reportsDue(at now: HostTime, limit: Int) -> [NetworkPath] {
    var due: [NetworkPath] = []
    var taken = 0
    for i in leases.indices where leases[i].nextReport <= now {
      guard taken < limit else { break }
      taken += 1
      due += LeaseTable.reportPaths(paths[i], leases[i].reportPort)
      let isEarly = leases[i].earlyReports > 0
      if isEarly { leases[i].earlyReports -= 1 }
      leases[i].nextReport = now.advanced(
        byMilliseconds: isEarly ? LeaseTable.earlyReportMilliseconds : LeaseTable.reportMilliseconds)
    }
    return due
  }

  static func reportPaths(_ path: NetworkPath, _ port: ReportPort) -> [NetworkPath] {
    // The next port exists, because port 65535 gets no lease.
    let next = NetworkPath(peer: path.peer.with(port: path.peer.port &+ 1), local: path.local)
    return switch port {
    case .unknown: [path, next]
    case .same: [path]
    case .next: [next]
    }
  }
}
