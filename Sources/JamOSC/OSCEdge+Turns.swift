internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire
internal import Synchronization

/// Chooses the sender of the next turn. Hits go first, and all other packets wait until the sockets
/// were looked at.
extension OSCEdge {
  /// How long the waiting packets are worked off before the thread looks at the sockets again. A
  /// hit that arrives meanwhile waits no longer than this. The constant delay leaves a hit 56
  /// frames, 1.2 ms, for all ways between threads.
  private static let sliceNanoseconds: Int64 = 500_000
  /// The same while hits may wait in the sockets.
  private static let shortSliceNanoseconds: Int64 = 100_000
  /// How soon senders are tried again that have used up their time.
  private static let againMilliseconds = 1.0
  /// The charge for one hit, and for each subscriber that is told of it.
  private static let hitMicroseconds = 4.0
  private static let toldMicroseconds = 1.0

  /// Whether the sender's hits still go first.
  func mayHit(_ endpoint: Endpoint, at now: HostTime) -> Bool {
    // Nearly always time is left, and then the time since the last check need not be added.
    (endpoint.allowance.isPositive || endpoint.allowance.holds(at: now))
      && (endpoint.site.allowance.isPositive || endpoint.site.allowance.holds(at: now))
  }

  func charge(hits: Int, to endpoint: Endpoint) {
    let cost = Double(hits) * (OSCEdge.hitMicroseconds + Double(feedback.count) * OSCEdge.toldMicroseconds)
    endpoint.allowance.charge(cost)
    endpoint.site.allowance.charge(cost)
  }

  /// Stores a packet until its turn comes.
  func wait(_ bytes: UnsafeRawBufferPointer, from endpoint: Endpoint, at now: HostTime) {
    let outcome = backlog.add(
      PacketQueue.Packet(bytes: Array(bytes), arrival: now, isHit: HitScan.hits(bytes) > 0), bytes: bytes.count,
      of: endpoint,
      kind: {
        // Most queues are empty, and an empty queue has no value to replace.
        if endpoint.queue.isEmpty { return .barrier }
        endpoint.site.allowance.charge(Backlog.leastMicroseconds)
        return controls.kind(of: bytes, replaces: endpoint.queue.holdsValue, &reader)
      })
    nextWork = HostTime(nanoseconds: 0)
    switch outcome {
    case .waits: break
    case .replaced:
      counters.replaced.wrappingAdd(1, ordering: .relaxed)
      show { $0.leaveOut(of: endpoint) }
    case .full: drop(1, "/", .time, of: endpoint, at: now)
    }
  }

  /// Gives the endpoint a turn for work that is not in its queue.
  func wakeUp(_ endpoint: Endpoint) {
    backlog.wake(endpoint)
    nextWork = HostTime(nanoseconds: 0)
  }

  /// Sends all facts that the player can read, in pieces. The commands that the player sends
  /// meanwhile are carried out between the pieces, and answered after them.
  /// - Parameter player: nil sends the facts that are nobody's own.
  func dump(_ room: Room, for player: PlayerID?, to endpoint: Endpoint) {
    endpoint.shown = [:]
    endpoint.dump = RoomDump(
      of: room, for: player, withSeats: origins.isMixer(endpoint.origin),
      shares: feedback.shares(of: endpoint),
      before: endpoint.dump?.answers ?? [])
    wakeUp(endpoint)
  }

  /// Sends the seats alone, in pieces.
  func dumpSeats(of room: Room, to endpoint: Endpoint) {
    endpoint.dump = RoomDump(ofSeatsIn: room, shares: feedback.shares(of: endpoint))
    wakeUp(endpoint)
  }

  /// Sends a list in pieces. Behind a state that waits to be paid for, one list waits.
  func dump(_ events: [Event], to endpoint: Endpoint) {
    // Asked before: it reads the answer that `add` changes, and Swift ends the process for that.
    let most = endpoint.isDumpDue ? RoomDump.mostListed : 1
    switch endpoint.dump?.add(events, most: most) {
    case nil: endpoint.dump = RoomDump(of: events)
    case true?: break
    case false?:
      counters.unsent.wrappingAdd(UInt64(clamping: events.count), ordering: .relaxed)
      return
    }
    wakeUp(endpoint)
  }

  /// A list of more events than this is sent in pieces.
  static let longList = 16

  private func tellPiece(to endpoint: Endpoint) {
    switch endpoint.dump?.step(clock: clock) {
    case .packet(let bytes, let messages)?: outbox.deliver(endpoint, bytes, messages: messages)
    case .goesOn?: break
    case .over?, nil: endpoint.dump = nil
    }
    guard endpoint.dump != nil, !endpoint.isDumpDue else { return }
    for answer in endpoint.dump?.takeAnswers() ?? [] {
      outbox.deliver(endpoint, answer.bytes, messages: answer.messages)
    }
    // Its cookie would pay for the rest.
    outbox.ask(endpoint)
  }

  /// Carries out waiting work for a slice of time, each sender in its turn.
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
      if endpoint.isDumpDue, endpoint.underWay.isEmpty,
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
