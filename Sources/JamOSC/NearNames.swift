internal import JamCore
internal import JamWire

/// Makes the text of an error about an unknown address. The text suggests the known address that is
/// nearest.
///
/// The search for that address is the only slow part of an error's text. The number of searches a
/// second is therefore limited, and their results are remembered. Beyond the limit the text has no
/// suggestion.
/// A machine without I/O. Thread: one at a time.
struct NearNames {
  private var found: [String: String?] = [:]
  private var allowed: TokenBucket?
  /// The number of searches so far.
  private(set) var searches: UInt64 = 0

  static let searchesPerSecond = 10.0
  static let searchesAtOnce = 8.0
  private static let mostRemembered = 256

  mutating func answer(_ error: WireError, at now: HostTime) -> SessionReply {
    .error(address: error.address, text: error.description { near(to: $0, at: now) }, error.code)
  }

  /// The known address that may have been meant. Nil where none is near, or where too many were
  /// asked for.
  mutating func near(to address: String, at now: HostTime) -> String? {
    if let known = found[address] { return known }
    var allowed =
      allowed ?? TokenBucket(perSecond: NearNames.searchesPerSecond, burst: NearNames.searchesAtOnce, at: now)
    let maySearch = allowed.take(at: now)
    self.allowed = allowed
    guard maySearch else { return nil }
    searches += 1
    let near = AddressTable.standard.nearest(to: address)
    if found.count >= NearNames.mostRemembered { found.removeAll(keepingCapacity: true) }
    found[String(address.prefix(128))] = .some(near)
    return near
  }
}
