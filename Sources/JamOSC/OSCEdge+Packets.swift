internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire
internal import Synchronization

/// Packets as they come: hits are carried out at once, and all others wait for their turn.
extension OSCEdge {
  func received(_ datagram: Datagram, on socket: Int) {
    let now = datagram.arrival
    counters.packets.wrappingAdd(1, ordering: .relaxed)
    guard let endpoint = table.endpoint(at: datagram.path, datagram.bytes, socket: socket, now: now) else { return }
    if endpoint.isResumed { isHeardAgain(endpoint, at: now) }
    if !endpoint.proof.isProven { unproven(endpoint, sent: datagram.bytes.count, at: now) }
    if !feedback.portsOfHosts.isEmpty && endpoint.answerPort == nil {
      endpoint.portOfHost = feedback.portsOfHosts[endpoint.host]
    }
    guard !datagram.isTruncated else {
      let error = OSCError.tooLong(bytes: datagram.bytes.count + 1, limit: limits.datagramBytes)
      outbox.refuse(endpoint, SessionReply(error), at: now)
      return
    }
    received(datagram.bytes, from: endpoint, at: now)
  }

  func received(_ bytes: [UInt8], from connection: StreamConnection, at now: HostTime) {
    counters.packets.wrappingAdd(1, ordering: .relaxed)
    guard let endpoint = table.endpoint(of: connection) else { return }
    bytes.withUnsafeBytes { received($0, from: endpoint, at: now) }
  }

  /// Hits are carried out at once, all other packets in their turn.
  private func received(_ bytes: UnsafeRawBufferPointer, from endpoint: Endpoint, at now: HostTime) {
    endpoint.lastHeard = now
    endpoint.site.lastHeard = now
    guard endpoint.messages.take(at: now) else {
      return drop(1, "/", .messages, of: endpoint, at: now)
    }
    if !endpoint.isNamed && !endpoint.isNumbered && endpoint.doubleSends.isRepetition(bytes, at: now) {
      counters.repeated.wrappingAdd(1, ordering: .relaxed)
      return showRepeated(bytes, from: endpoint, at: now)
    }
    if endpoint.queue.isEmpty, endpoint.underWay.isEmpty, mayHit(endpoint, at: now) {
      if let hit = PlainHit.command(bytes) {
        charge(hits: 1, to: endpoint)
        counters.messages.wrappingAdd(1, ordering: .relaxed)
        guard !feedback.isWatched else { return carryOutWatched(hit, from: endpoint, at: now) }
        return carryOut(hit, from: endpoint, at: now)
      }
      let hits = HitScan.hits(bytes)
      if hits > 0 {
        charge(hits: 3 * hits, to: endpoint)
        // The packet may release earlier packets that are not hits. Those take their turn.
        guard open(bytes, from: endpoint, at: now) < 2 else { return wakeUp(endpoint) }
        while carryOutPiece(of: endpoint) {}
        return
      }
    }
    if endpoint.habits.unknown.contain(bytes, at: now) {
      outbox.refuseAgain(endpoint, at: now)
      showUnknown(bytes, from: endpoint, at: now)
      return heard(from: endpoint, at: now)
    }
    wait(bytes, from: endpoint, at: now)
  }

  /// Reads a packet. Its messages are carried out piece by piece.
  /// - Returns: the number of packets that are ready: none while the packet waits for earlier ones,
  ///   and several if others waited for it.
  @discardableResult
  func open(_ bytes: UnsafeRawBufferPointer, from endpoint: Endpoint, at now: HostTime) -> Int {
    let limit = endpoint.transport.isStream ? limits.framedPacketBytes : limits.datagramBytes
    do throws(OSCError) {
      try packet.decode(bytes, limit: limit)
    } catch {
      outbox.refuse(endpoint, SessionReply(error), at: now)
      return 0
    }
    for refusal in packet.refusals { outbox.refuse(endpoint, SessionReply(refusal), at: now) }
    // A bundle may hold thousands of messages. Each message counts; the packet has already paid for
    // the first one.
    guard packet.elements.count < 2 || endpoint.messages.take(Double(packet.elements.count - 1), at: now) else {
      drop(packet.elements.count, "#bundle", .messages, of: endpoint, at: now)
      return 0
    }
    guard let number = packet.sequence else {
      // A sender that says `/hello` has restarted, and so has its count.
      if endpoint.isNumbered, packet.elements.contains(where: { $0.message.address == "/hello" }) {
        endCount(of: endpoint)
      }
      endpoint.underWay.add(NumberedPacket(elements: packet.elements, arrival: now))
      return 1
    }
    endpoint.isNumbered = true
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    let ready = order(
      NumberedPacket(elements: packet.elements, arrival: now, number: number), number, hasher.finalize(),
      from: endpoint,
      at: now)
    if endpoint.sequence.deadline != nil { waitingForOrder.insert(endpoint.origin) }
    for packet in ready { endpoint.underWay.add(packet) }
    return ready.count
  }

  /// Carries out the next piece of the packets that were read: a message, or one of a pattern's
  /// commands.
  /// - Returns: whether there was a piece.
  func carryOutPiece(of endpoint: Endpoint) -> Bool {
    if let command = endpoint.underWay.expansion?.commands.popFirst(), let expansion = endpoint.underWay.expansion {
      if expansion.commands.isEmpty { endpoint.underWay.expansion = nil }
      carryOut(
        command, expansion.addressed, expansion.piece.element.message.address, from: endpoint,
        at: expansion.piece.arrival, tag: expansion.tag, heard: expansion.piece.element.heard)
      return true
    }
    guard let piece = endpoint.underWay.popFirst() else { return false }
    watched(piece.element.message, from: endpoint, at: piece.arrival) {
      act(on: piece, from: endpoint)
    }
    return true
  }

  private func act(on piece: UnderWay.Piece, from endpoint: Endpoint) {
    let (element, arrival) = (piece.element, piece.arrival)
    counters.messages.wrappingAdd(1, ordering: .relaxed)
    if let reach = reader.reach(of: element.message.address), reach.count > 1,
      !mayExpand(element.message.address, to: reach.count, in: reach.room, from: endpoint, at: arrival)
    {
      return
    }
    do throws(WireError) {
      guard let addressed = try read(element.message, from: endpoint) else {
        return show { $0.ignored(OSCMonitor.release) }
      }
      show { $0.understood(addressed.request) }
      let tag =
        element.timetag.isImmediate ? nil : tagClock(of: endpoint).time(of: element.timetag, near: arrival)
      switch addressed.request {
      case .session(let request): settle(request, element.message, from: endpoint, at: arrival)
      case .command(let command):
        carryOut(
          command, addressed, element.message.address, from: endpoint, at: arrival, tag: tag, heard: element.heard)
      case .commands(let commands):
        endpoint.underWay.expansion = UnderWay.Expansion(
          piece: piece, addressed: addressed, tag: tag, commands: commands[...])
      }
    } catch {
      heard(from: endpoint, at: arrival)
      if case .unknownAddress(let address) = error, OSCEdge.isTouch(address) {
        counters.touches.wrappingAdd(1, ordering: .relaxed)
        return show { $0.ignored(OSCMonitor.touch) }
      }
      show { $0.refused(error) { nearNames.near(to: $0, at: arrival) } }
      if case .unknownAddress(let address) = error { endpoint.habits.unknown.note(address, at: arrival) }
      outbox.refuse(endpoint, nearNames.answer(error, at: arrival), at: arrival)
    }
  }

  /// Reads a message. Numbers of MIDI become the values of their fader.
  private func read(
    _ message: OSCMessage, from endpoint: Endpoint
  ) throws(WireError) -> AddressedRequest? {
    let known = endpoint.habits.faders.value(of: message)
    do throws(WireError) {
      return try reader.read(known ?? message)
    } catch {
      guard case .outOfRange = error, known == nil,
        let value = endpoint.habits.faders.learn(from: message, reader)
      else { throw error }
      let request = try reader.read(value)
      let notice = SessionReply.midiFader(address: message.address).message
      outbox.answer(endpoint, notice)
      show { $0.noticed(notice, of: endpoint) }
      return request
    }
  }

  /// Whether an unknown address tells that a finger touches a control of its own, as `/1/fader1/z`.
  /// TouchOSC sends such messages beside the control's values, and nobody expects an answer.
  private static func isTouch(_ address: String) -> Bool { address.hasSuffix("/z") }

  /// Whether a pattern may become a command for each match. It may not have more matches than its
  /// sender may send, and its sender must be admitted to the room.
  private func mayExpand(
    _ address: String, to count: Int, in room: PlayerName?, from endpoint: Endpoint, at arrival: HostTime
  ) -> Bool {
    guard endpoint.matches.take(Double(count), at: time()) else {
      drop(count, address, .matches, of: endpoint, at: arrival)
      return false
    }
    do throws(Refusal) {
      _ = try membership(of: endpoint, in: room, at: arrival)
      return true
    } catch {
      outbox.refuse(endpoint, SessionReply(error, address: address), at: arrival)
      return false
    }
  }
}
