internal import JamCore

/// Senders over UDP in the order in which they came: where all places are taken, a newcomer gets the place of
/// whoever came first and has no name. Addresses can be forged, so a table that is full must keep nobody out.
///
/// Who was heard again meanwhile has a second chance (the clock algorithm of page caches).
/// Thread: the room thread.
struct Arrivals {
  private var queue: [Endpoint] = []
  private var head = 0

  private static let mostLooks = 16

  /// - Parameter known: how many senders are known; what is queued beside them is gone, and is dropped in time.
  mutating func add(_ endpoint: Endpoint, known: Int) {
    if queue.count > 2 * known + 1_024 {
      queue = queue[head...].filter { !$0.isForgotten }
      head = 0
    }
    queue.append(endpoint)
  }

  /// Whose place is free for another; nil where none of the first few may go.
  mutating func popOldest() -> Endpoint? {
    var spare: Endpoint?
    var looks = 0
    while head < queue.count, looks < Arrivals.mostLooks {
      let endpoint = queue[head]
      head += 1
      if endpoint.isForgotten { continue }
      looks += 1
      let mayGo = !endpoint.isNamed && !endpoint.isWaiting
      if mayGo && endpoint.lastHeard == endpoint.queuedAt { return endpoint }
      if mayGo && spare == nil { spare = endpoint }
      endpoint.queuedAt = endpoint.lastHeard
      queue.append(endpoint)
    }
    return spare
  }
}
