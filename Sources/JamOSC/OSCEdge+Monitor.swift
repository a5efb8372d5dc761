internal import JamCore
internal import JamRealtime
internal import JamRoom
internal import JamWire

/// Messages that somebody watches. Nothing of this is called while nobody does.
extension OSCEdge {
  /// Carries out a plain hit, and tells those who watch of it.
  func carryOutWatched(_ hit: Command, from endpoint: Endpoint, at arrival: HostTime) {
    guard outbox.monitor.hasPlace(for: endpoint, at: arrival),
      let message = AddressTable.standard.message(for: hit)
    else { return carryOut(hit, from: endpoint, at: arrival) }
    outbox.monitor.begin(message, from: endpoint, at: arrival)
    outbox.monitor.understood(.command(hit))
    carryOut(hit, from: endpoint, at: arrival)
    outbox.endWatched()
  }

  /// Tells those who watch of a packet that is left out before it is read.
  func showRepeated(_ bytes: UnsafeRawBufferPointer, from endpoint: Endpoint, at now: HostTime) {
    show(bytes, from: endpoint, at: now) { [outbox] _ in
      outbox.monitor.ends(with: .ignored(code: OSCMonitor.repeated), of: endpoint)
    }
  }

  /// Tells those who watch of a packet with an unknown address of which its sender was just told.
  func showUnknown(_ bytes: UnsafeRawBufferPointer, from endpoint: Endpoint, at now: HostTime) {
    show(bytes, from: endpoint, at: now) { [self] message in
      outbox.monitor.refused(WireError.unknownAddress(message.address)) {
        nearNames.near(to: $0, at: now)
      }
    }
  }

  private func show(
    _ bytes: UnsafeRawBufferPointer, from endpoint: Endpoint, at now: HostTime,
    as outcome: (OSCMessage) -> Void
  ) {
    guard outbox.monitor.hasPlace(for: endpoint, at: now) else { return }
    let limit = endpoint.transport.isStream ? limits.framedPacketBytes : limits.datagramBytes
    // A packet that cannot be read has no message to show.
    guard (try? packet.decode(bytes, limit: limit)) != nil else { return }
    for element in packet.elements.prefix(OSCEdge.mostShown) {
      outbox.monitor.begin(element.message, from: endpoint, at: now)
      outcome(element.message)
      outbox.endWatched()
    }
  }

  /// Messages of one packet.
  private static let mostShown = 16
}
