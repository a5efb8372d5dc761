internal import JamRoom

/// Finds the endpoint of an origin: answers to a command go there.
///
/// Thread: the room thread.
final class OriginIndex {
  private var endpoints: [Origin: Endpoint] = [:]
  private var last: UInt64 = 0

  /// An origin that no endpoint had before.
  func next() -> Origin {
    last += 1
    return Origin(number: last)
  }

  /// Nil where the endpoint is gone.
  subscript(_ origin: Origin) -> Endpoint? {
    get { endpoints[origin] }
    set { endpoints[origin] = newValue }
  }

  var all: some Collection<Endpoint> { endpoints.values }
}
