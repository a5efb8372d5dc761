internal import JamCore

/// A player's recent addresses, and those of them that may have been forged each time.
///
/// A kick or a listener's role goes by address, too. By a forged address, a forger could have hosts
/// put out its true owner. So an address that was never proven counts against unproven visitors
/// only.
struct Whereabouts: Equatable, Sendable {
  init() {}

  private(set) var addresses: [SourceAddress] = []
  /// Those of `addresses` that were never seen proven.
  private var unproven: Set<SourceAddress> = []

  /// A phone that moves between networks has a few.
  private static let mostAddresses = 8

  mutating func note(_ visitor: Visitor) {
    guard let address = visitor.address else { return }
    let isNew = !addresses.contains(address)
    if isNew {
      if addresses.count >= Whereabouts.mostAddresses { unproven.remove(addresses.removeFirst()) }
      addresses.append(address)
    }
    if visitor.presence > .unproven {
      unproven.remove(address)
    } else if isNew {
      unproven.insert(address)
    }
  }

  /// Whether what a host said of somebody from here holds for the visitor by its address.
  func covers(_ visitor: Visitor) -> Bool {
    guard let address = visitor.address, addresses.contains(address) else { return false }
    return visitor.presence == .unproven || !unproven.contains(address)
  }

  /// Whether one of the addresses is among these.
  func isAt(_ texts: [String]) -> Bool { addresses.contains { texts.contains($0.text) } }

  func overlaps(_ other: Whereabouts) -> Bool { addresses.contains(where: other.addresses.contains) }
}

extension Whereabouts: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(addresses.count)
    for address in addresses {
      writer.put(address.text)
      writer.put(address.isCounted)
      writer.put(unproven.contains(address))
    }
  }

  init(from reader: inout KeptReader) throws(KeptError) {
    for _ in 0..<min(max(0, try reader.take(Int.self)), Whereabouts.mostAddresses) {
      let address = SourceAddress(try reader.take(), isCounted: try reader.take())
      addresses.append(address)
      if try reader.take(Bool.self) { unproven.insert(address) }
    }
  }
}
