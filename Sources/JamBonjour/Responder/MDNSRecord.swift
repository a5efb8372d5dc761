internal import JamCore
internal import JamNet

/// A record of ours on one link, and when it was and will be told.
struct MDNSRecord: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// That there is an instance of a type. Others have instances of the same type.
    case shared
    /// That there are instances of a type.
    case enumeration
    /// Where a service is, and its text.
    case service
    /// An address of this machine.
    case host
    /// That a name of ours has no other records than these.
    case absence

    /// Whether no other host may have records of the name.
    var isUnique: Bool { self != .shared && self != .enumeration }
  }

  let kind: Kind
  let record: DNSRecord
  /// The time when all of the link were told last.
  var told: HostTime?
  /// The time when all of the link get to know it next.
  var due: HostTime?
  /// The only asker of a record that is due. It may still say that it knows the record.
  var asker: SocketAddress?

  init(kind: Kind, record: DNSRecord) {
    self.kind = kind
    self.record = record
  }

  /// Whether the name is tried out before it is used, and defended.
  var isClaimed: Bool { kind == .service || kind == .host }

  /// Whether all of the link know the record for some more time.
  func isFresh(at now: HostTime) -> Bool {
    guard let told else { return false }
    return now.milliseconds(since: told) < Double(record.lifetime) * 250
  }

  /// Tells all of the link at `time`, or before it where that was planned.
  mutating func plan(at time: HostTime, spacing: Double) {
    let earliest = told?.advanced(byMilliseconds: spacing) ?? time
    let time = max(time, earliest)
    due = min(due ?? time, time)
  }
}
