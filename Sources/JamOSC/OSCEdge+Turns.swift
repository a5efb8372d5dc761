internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire
internal import Synchronization

/// Whose turn it is: hits go first, and everything else waits until the sockets were looked at.
extension OSCEdge {
  /// How long the backlog is worked off before the sockets are looked at again: a hit that comes meanwhile
  /// waits no longer, and has two milliseconds and a half.
  private static let sliceNanoseconds: Int64 = 500_000
  /// The same where hits may wait in the sockets.
  private static let shortSliceNanoseconds: Int64 = 100_000
  /// How soon senders are asked again that have used up what they may take.
  private static let againMilliseconds = 1.0
  /// What one hit is charged with, and what telling it to one subscriber adds.
  private static let hitMicroseconds = 4.0
  private static let toldMicroseconds = 1.0

  func site(of peer: SocketAddress, at now: HostTime) -> Site {
    let site = sites[peer.site] ?? Site(peer.site, at: now)
    sites[peer.site] = site
    site.senders += 1
    return site
  }

  /// The endpoint is known no more.
  func leaves(_ endpoint: Endpoint) {
    backlog.forget(endpoint)
    endpoint.memberships = []
    endpoint.site.senders -= 1
  }

  /// Who comes back at once has no new share.
  func forgetSites(at now: HostTime) {
    let gone = sites.values.filter { $0.senders == 0 && now.milliseconds(since: $0.lastHeard) > 5_000 }
    for site in gone.prefix(OSCEdge.mostForgotten) { forget(site) }
  }

  /// Only where none of its senders is known.
  func forget(_ site: Site) {
    sites[site.address] = nil
    site.end()
  }

  /// Whether the sender's hits go first still.
  func mayHit(_ endpoint: Endpoint, at now: HostTime) -> Bool {
    // Almost always something is left, and what has come in since need not be worked out.
    (endpoint.allowance.isPositive || endpoint.allowance.holds(at: now))
      && (endpoint.site.allowance.isPositive || endpoint.site.allowance.holds(at: now))
  }

  func charge(hits: Int, to endpoint: Endpoint) {
    let cost = Double(hits) * (OSCEdge.hitMicroseconds + Double(subscribers.count) * OSCEdge.toldMicroseconds)
    endpoint.allowance.charge(cost)
    endpoint.site.allowance.charge(cost)
  }

  /// Keeps a packet until its turn comes.
  func wait(_ bytes: UnsafeRawBufferPointer, from endpoint: Endpoint, at now: HostTime) {
    let outcome = backlog.add(
      PacketQueue.Packet(bytes: Array(bytes), arrival: now, isHit: HitScan.hits(bytes) > 0), bytes: bytes.count,
      of: endpoint,
      kind: {
        // Nothing would be replaced in an empty queue, and most are.
        if endpoint.queue.isEmpty { return .barrier }
        endpoint.site.allowance.charge(Backlog.leastMicroseconds)
        return controls.kind(of: bytes, replaces: endpoint.queue.holdsValue, &reader)
      })
    nextWork = HostTime(nanoseconds: 0)
    switch outcome {
    case .waits: break
    case .replaced: counters.replaced.wrappingAdd(1, ordering: .relaxed)
    case .full: drop(1, "/", .time, of: endpoint, at: now)
    }
  }

  /// The endpoint has something to do beside the packets in its queue.
  func wakeUp(_ endpoint: Endpoint) {
    backlog.wake(endpoint)
    nextWork = HostTime(nanoseconds: 0)
  }

  /// The player of the membership is told all that it can read, in pieces. What it sends meanwhile is carried out
  /// in between, and answered behind it.
  func dump(_ membership: Membership, to endpoint: Endpoint) {
    endpoint.shown = [:]
    endpoint.dump = RoomDump(of: membership, before: endpoint.dump?.answers ?? [])
    wakeUp(endpoint)
  }

  /// The same with a list.
  func dump(_ events: [Event], to endpoint: Endpoint) {
    if endpoint.dump?.add(events) == nil { endpoint.dump = RoomDump(of: events) }
    wakeUp(endpoint)
  }

  /// A list of more events than this is told in pieces.
  static let longList = 16

  private func tellPiece(to endpoint: Endpoint) {
    switch endpoint.dump?.step(clock: clock) {
    case .packet(let bytes, let messages)?: outbox.deliver(endpoint, bytes, messages: messages)
    case .goesOn?: break
    case .over?, nil: endpoint.dump = nil
    }
  }

  /// Carries out what waits, each sender in its turn, for a slice of time.
  func workOff(at now: HostTime) {
    guard nextWork != nil else { return }
    let began = time()
    let slice = isBehind ? OSCEdge.shortSliceNanoseconds : OSCEdge.sliceNanoseconds
    isBehind = false
    let end = began.advanced(byNanoseconds: slice)
    var spent = work()
    var present = began
    nextWork = HostTime(nanoseconds: 0)
    repeat {
      guard let endpoint = backlog.turn(at: present) else {
        nextWork = backlog.isEmpty ? nil : present.advanced(byMilliseconds: OSCEdge.againMilliseconds)
        break
      }
      var cell: WorkTally.Cell?
      if endpoint.dump != nil, endpoint.underWay.isEmpty,
        endpoint.queue.isEmpty || !endpoint.wasTold && !endpoint.queue.beginsWithHit
      {
        endpoint.wasTold = true
        cell = counters.work.dumps
        tellPiece(to: endpoint)
      } else if carryOutPiece(of: endpoint) {
        cell = counters.work.pieces
      } else if let packet = backlog.take(from: endpoint) {
        endpoint.wasTold = false
        cell = counters.work.cell(of: packet.bytes)
        packet.bytes.withUnsafeBytes { _ = open($0, from: endpoint, at: packet.arrival) }
        _ = carryOutPiece(of: endpoint)
      }
      let after = work()
      cell?.note(after - spent)
      backlog.charge(Double(after - spent) / 1_000, to: endpoint)
      spent = after
      if endpoint.isClosed, endpoint.queue.isEmpty, endpoint.underWay.isEmpty,
        case .stream(let connection) = endpoint.transport
      {
        closed(connection)
      }
      present = time()
    } while present < end
    counters.waiting.store(backlog.packets, ordering: .relaxed)
  }
}
