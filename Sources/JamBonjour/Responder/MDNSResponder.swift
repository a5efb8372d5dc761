package import JamCore
internal import JamNet

/// Announces services by multicast DNS: tries the names out, tells them, answers questions, defends
/// the names or takes others, and says goodbye.
///
/// Thread: one at a time.
/// - Source: RFC 6762 (multicast DNS), RFC 6763 (services).
package struct MDNSResponder: MDNSMachine {
  let announcement: BonjourAnnouncement
  var names: MDNSNames
  var links: [MDNSLinkState] = []
  private var random: any RandomNumberGenerator & Sendable
  var outgoing: [MDNSOutgoing] = []
  var conflicts: [HostTime] = []
  private var isClosed = false
  package internal(set) var counts = MDNSCounts()

  static let probeMilliseconds = 250.0
  static let probes = 3
  static let announcements = 2
  /// The shortest time between two multicasts of a record. Source: RFC 6762 §6.
  static let spacingMilliseconds = 1_000.0
  /// The most bytes of a message of several records: it fits into one packet of every network.
  static let mostBytes = 1_400
  /// The most bytes of an answer to a plain resolver. Source: RFC 1035 §4.2.1.
  static let mostPlainBytes = 512

  /// - Parameter random: for the delays that keep hosts from speaking all at once.
  package init(
    _ announcement: BonjourAnnouncement,
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.announcement = announcement
    self.random = random
    names = MDNSNames(announcement)
  }

  package var announcedName: String? {
    let told = links.filter { !$0.records.isEmpty }
    return told.isEmpty || told.contains(where: \.isProbing) ? nil : names.label
  }

  package var nextDue: HostTime? { isClosed ? nil : links.compactMap(\.nextDue).min() }

  package mutating func takeOutgoing() -> [MDNSOutgoing] {
    defer { outgoing = [] }
    return outgoing
  }

  package mutating func use(_ shapes: [MDNSLinkShape], at now: HostTime) {
    guard !isClosed else { return }
    links = shapes.map { shape in
      let records = names.records(of: announcement.services(on: shape), on: shape)
      guard var known = links.first(where: { $0.shape.link == shape.link }) else {
        return MDNSLinkState(
          shape: shape, records: records, phase: probing(from: now), credit: MDNSCredit(at: now))
      }
      guard known.shape != shape else { return known }
      // The names are ours already. Only addresses are new.
      let isNew = known.records.isEmpty || known.isProbing
      known.shape = shape
      known.records = records
      known.phase = isNew ? probing(from: now) : .announcing(told: 0, next: now)
      return known
    }
  }

  package mutating func advance(to now: HostTime) {
    guard !isClosed else { return }
    for index in links.indices where !links[index].records.isEmpty {
      switch links[index].phase {
      case .probing(let sent, let next) where now >= next:
        if sent < MDNSResponder.probes {
          probe(index)
          let after = now.advanced(byMilliseconds: MDNSResponder.probeMilliseconds)
          links[index].phase = .probing(sent: sent + 1, next: after)
        } else {
          announce(index, told: 0, at: now)
        }
      case .announcing(let told, let next) where now >= next: announce(index, told: told, at: now)
      default: break
      }
      if !links[index].isProbing { tellDue(index, at: now) }
    }
  }

  package mutating func close(at now: HostTime) {
    guard !isClosed else { return }
    for state in links where !state.isProbing {
      // Addresses stay true, and other hosts may still have services of the types.
      let gone = state.records.filter { $0.kind == .shared || $0.kind == .service }.map { owned in
        var record = owned.record
        record.lifetime = 0
        return record
      }
      send(gone, on: state.shape.link)
    }
    isClosed = true
  }

  package mutating func receive(_ message: DNSMessage, from source: MDNSSource, at now: HostTime) {
    guard !isClosed else { return }
    guard let index = links.firstIndex(where: { $0.shape.link == source.link }) else { return }
    guard links[index].shape.isNeighbour(source.peer) else {
      counts.strangers += 1
      return
    }
    if message.isResponse {
      // A response from another port is no multicast DNS (RFC 6762 §6).
      if source.peer.port == MDNSSource.port { listen(to: message, index, at: now) }
    } else {
      answer(message, from: source, index, at: now)
    }
    advance(to: now)
  }

  /// A delay by chance, in milliseconds.
  mutating func delay(_ range: ClosedRange<Int>) -> Double {
    Double(Int.random(in: range, using: &random))
  }
}
