internal import JamCore
internal import JamNet

/// The responder's state on one link.
struct MDNSLinkState: Sendable {
  enum Phase: Hashable, Sendable {
    /// Asks whether somebody has the names: `sent` questions so far, the next step at `next`.
    case probing(sent: Int, next: HostTime)
    /// Tells the records twice.
    case announcing(told: Int, next: HostTime)
    case settled
  }

  var shape: MDNSLinkShape
  var records: [MDNSRecord]
  var phase: Phase
  var credit: MDNSCredit
  var shares = MDNSShares()

  var isProbing: Bool {
    if case .probing = phase { return true }
    return false
  }

  var nextDue: HostTime? {
    // Without records there is nothing to say.
    guard !records.isEmpty else { return nil }
    switch phase {
    case .probing(_, let next): return next
    case .announcing(_, let next): return min(next, records.compactMap(\.due).min() ?? next)
    case .settled: return records.compactMap(\.due).min()
    }
  }

  /// The names that this link's host must own, each once.
  var claimedNames: [DNSName] {
    var names: [DNSName] = []
    for record in records where record.isClaimed && !names.contains(record.record.name) {
      names.append(record.record.name)
    }
    return names
  }
}

/// Bounds the answers to all single askers together; `MDNSShares` bounds those of each.
struct MDNSCredit: Hashable, Sendable {
  private var left = most
  private var filled: HostTime

  static let most = 30.0
  static let perSecond = 10.0

  init(at now: HostTime) { filled = now }

  /// False where too many answers were given in a short time.
  mutating func holds(at now: HostTime) -> Bool {
    left = min(
      MDNSCredit.most, left + max(0, now.milliseconds(since: filled)) / 1_000 * MDNSCredit.perSecond
    )
    filled = now
    return left >= 1
  }

  /// One answer is given.
  mutating func charge() { left = max(0, left - 1) }
}
