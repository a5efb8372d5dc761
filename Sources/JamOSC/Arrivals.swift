internal import JamCore

/// The senders over UDP, in the order of their arrival. When all places are taken, a new sender
/// gets the place of the oldest sender without a name. Addresses can be forged, so a full table
/// must not keep a new sender out.
///
/// A sender that sent again since it was queued gets a second chance (the clock algorithm of page
/// caches).
/// Thread: the room thread.
struct Arrivals {
  private var queue: [Endpoint] = []
  private var head = 0

  private static let mostLooks = 16

  /// - Parameter known: the number of known senders. The queue may also hold senders that are gone;
  ///   they are dropped from time to time.
  mutating func add(_ endpoint: Endpoint, known: Int) {
    if queue.count > 2 * known + 1_024 {
      queue = queue[head...].filter { !$0.isForgotten }
      head = 0
    }
    queue.append(endpoint)
  }

  /// The sender that loses its place to a new one; nil where none of the first few senders may go.
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
