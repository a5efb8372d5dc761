internal import JamCore
internal import JamNet

/// Trying names out, defending them, and taking others.
extension MDNSResponder {
  mutating func probing(from now: HostTime) -> MDNSLinkState.Phase {
    // A host that claims all of our names makes them change, but slowly (RFC 6762 §8.1).
    let recent = conflicts.filter { now.milliseconds(since: $0) < 10_000 }
    let wait = recent.count >= 15 ? 5_000 : delay(0...250)
    return .probing(sent: 0, next: now.advanced(byMilliseconds: wait))
  }

  mutating func probe(_ index: Int) {
    let state = links[index]
    var message = DNSMessage(isResponse: false)
    // The answer goes to all: where two programs of one machine share the port, it finds this one.
    message.questions = state.claimedNames.map { DNSQuestion($0, .any) }
    message.authorities = state.records.filter(\.isClaimed).map { owned in
      var record = owned.record
      record.isUnique = false
      return record
    }
    outgoing.append(MDNSOutgoing(message, on: state.shape.link))
  }

  /// Another host's records.
  mutating func listen(to message: DNSMessage, _ index: Int, at now: HostTime) {
    for record in message.answers + message.additionals {
      if let ours = links[index].records.firstIndex(where: {
        $0.record.name == record.name && $0.record.data == record.data
      }) {
        // Somebody says goodbye to a record that is ours, too: it is told again.
        if record.lifetime == 0, !links[index].isProbing {
          plan(ours, index, at: now, delay(20...120))
        }
      } else if record.lifetime > 0, isForeign(record, index) {
        conflict(record.name, index, at: now)
        return
      }
    }
  }

  /// Whether `record` claims a name of ours. An address of this machine under the machine's name is
  /// told by another program, or comes from another interface.
  private func isForeign(_ record: DNSRecord, _ index: Int) -> Bool {
    guard links[index].records.contains(where: { $0.isClaimed && $0.record.name == record.name })
    else {
      return false
    }
    switch record.data {
    case .service, .text: return true
    case .address(let address): return !isOwn(address)
    default: return false
    }
  }

  func isOwn(_ address: SocketAddress) -> Bool {
    links.contains { $0.shape.interfaces.contains { $0.address.bytes == address.bytes } }
  }

  mutating func conflict(_ name: DNSName, _ index: Int, at now: HostTime) {
    counts.conflicts += 1
    conflicts = conflicts.suffix(14) + [now]
    // A name that is in use is tried out again first: the host with less right to it yields.
    guard links[index].isProbing else {
      links[index].phase = probing(from: now)
      return
    }
    names.rename(name)
    for index in links.indices {
      let shape = links[index].shape
      links[index].records = names.records(of: announcement.services(on: shape), on: shape)
      links[index].phase = probing(from: now)
    }
  }

  /// Two hosts try the same name out at the same time. The one whose records come later in order
  /// has it, and the other one waits. Source: RFC 6762 §8.2.
  mutating func yieldIfLater(_ message: DNSMessage, _ index: Int, at now: HostTime) {
    for name in links[index].claimedNames {
      let theirs = message.authorities.filter { record in
        if case .address(let address) = record.data, isOwn(address) { return false }
        return record.name == name
      }
      let ours = links[index].records.filter { $0.isClaimed && $0.record.name == name }.map(
        \.record)
      guard !theirs.isEmpty,
        MDNSResponder.ordered(ours).lexicographicallyPrecedes(MDNSResponder.ordered(theirs))
      else { continue }
      links[index].phase = .probing(sent: 0, next: now.advanced(byMilliseconds: 1_000))
      return
    }
  }

  /// Records as their types and bytes, in order. Each begins with a 1 in front of its type, which
  /// is above 0, so that a list that ends comes first.
  private static func ordered(_ records: [DNSRecord]) -> [UInt16] {
    let keys = records.map { [1, $0.type.rawValue] + $0.data.bytes.map { UInt16($0) + 2 } }
    return keys.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
  }
}
