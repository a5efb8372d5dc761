internal import JamRoom

/// Finds the endpoint of an origin: answers to a command go there.
///
/// Thread: the room thread.
final class OriginIndex {
  private var endpoints: [Origin: Endpoint] = [:]
  private var last: UInt64 = 0
  /// The mixers: endpoints that asked for seats.
  private var mixers: Set<Origin> = []
  /// The mixers that subscribed to seats.
  private var desks: Set<Origin> = []

  /// An origin that no endpoint had before.
  func next() -> Origin {
    last += 1
    return Origin(number: last)
  }

  /// Nil where the endpoint is gone.
  subscript(_ origin: Origin) -> Endpoint? {
    get { endpoints[origin] }
    set {
      endpoints[origin] = newValue
      if newValue == nil { removeMixer(origin) }
    }
  }

  func isMixer(_ origin: Origin) -> Bool { mixers.contains(origin) }

  /// - Returns: whether the endpoint was no mixer before.
  func addMixer(_ origin: Origin) -> Bool { mixers.insert(origin).inserted }

  func removeMixer(_ origin: Origin) {
    mixers.remove(origin)
    desks.remove(origin)
  }

  /// Whether the endpoint subscribed to seats. A mere use of their addresses is not enough.
  func isDesk(_ origin: Origin) -> Bool { desks.contains(origin) }

  func addDesk(_ origin: Origin) {
    mixers.insert(origin)
    desks.insert(origin)
  }

  var all: some Collection<Endpoint> { endpoints.values }
}
