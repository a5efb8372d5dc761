internal import JamCore
internal import JamWire
internal import Synchronization

/// Numbered packets (`/seq`): they are carried out now, wait for earlier packets, or came too late.
extension OSCEdge {
  /// Places a numbered packet in its sender's sequence.
  /// - Returns: the packets to carry out now: parts of this packet, and packets that waited for it.
  func order(
    _ packet: NumberedPacket, _ number: Int32, _ digest: Int, from endpoint: Endpoint, at now: HostTime
  ) -> [NumberedPacket] {
    let begins = packet.elements.contains { $0.message.address == "/hello" }
    switch endpoint.sequence.place(of: number, digest: digest, beginsAnew: begins, at: now) {
    case .due: return inOrder([packet] + endpoint.sequence.releaseInOrder(), of: endpoint, at: now)
    case .restart(let waiting):
      let last = inOrder(waiting, of: endpoint, at: now)
      endpoint.hitOrder.forget()
      return last + [packet]
    case .early where endpoint.transport.isStream:
      // A stream keeps its order, so a missing packet was never sent.
      let ready = endpoint.sequence.hold(packet, number: number, at: now)
      return inOrder(ready + giveUp(endpoint), of: endpoint, at: now)
    case .early:
      let (hits, rest) = endpoint.hitOrder.part(packet, tagClock(of: endpoint), &reader)
      let ready = hits.elements.isEmpty ? [] : [hits]
      let losses = endpoint.sequence.losses
      let others = endpoint.sequence.hold(rest, number: number, at: now)
      counters.lost.wrappingAdd(endpoint.sequence.losses - losses, ordering: .relaxed)
      return ready + inOrder(others, of: endpoint, at: now)
    case .late(let milliseconds):
      let (late, dropped, count) = endpoint.hitOrder.late(packet, at: now, tagClock(of: endpoint), &reader)
      if let dropped {
        counters.late.wrappingAdd(UInt64(count), ordering: .relaxed)
        let refusal = Refusal.outOfOrder(
          milliseconds: Int(saturating: milliseconds.rounded()), most: Int(SequenceWindow<NumberedPacket>.patience))
        outbox.refuse(endpoint, SessionReply(refusal, address: dropped), at: now)
      }
      return late.elements.isEmpty ? [] : [late]
    case .repeated:
      counters.repeated.wrappingAdd(1, ordering: .relaxed)
      return []
    }
  }

  /// Returns packets whose turn it is, without the releases that a newer hit of their pad has
  /// overtaken.
  func inOrder(_ packets: [NumberedPacket], of endpoint: Endpoint, at now: HostTime) -> [NumberedPacket] {
    let hasGaps = endpoint.sequence.hasGaps(at: now)
    let clock = tagClock(of: endpoint)
    let ready = packets.map { endpoint.hitOrder.inOrder($0, hasGaps: hasGaps, at: now, clock, &reader) }
    if !hasGaps, endpoint.sequence.deadline == nil { endpoint.hitOrder.forget() }
    return ready.filter { !$0.elements.isEmpty }
  }

  func giveUp(_ endpoint: Endpoint) -> [NumberedPacket] {
    let losses = endpoint.sequence.losses
    defer { counters.lost.wrappingAdd(endpoint.sequence.losses - losses, ordering: .relaxed) }
    return endpoint.sequence.giveUp()
  }

  /// Ends the sequence, because the sender starts to count again or sends no more. Waiting packets
  /// wait no longer.
  func endCount(of endpoint: Endpoint) {
    for packet in inOrder(giveUp(endpoint), of: endpoint, at: time()) { endpoint.underWay.add(packet) }
    endpoint.sequence = SequenceWindow()
    endpoint.hitOrder.forget()
    waitingForOrder.remove(endpoint.origin)
  }
}
