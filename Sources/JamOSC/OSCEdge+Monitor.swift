internal import JamCore
internal import JamRealtime
internal import JamRoom
internal import JamWire

/// Messages that somebody watches. While nobody does, these functions do no more than ask.
extension OSCEdge {
  /// Does the work on a message. Those who watch are told of its outcome.
  @inline(__always) func watched(
    _ message: OSCMessage, from endpoint: Endpoint, at arrival: HostTime, _ work: () -> Void
  ) {
    guard feedback.isWatched else { return work() }
    outbox.monitor.begin(message, from: endpoint, at: arrival)
    work()
    outbox.endWatched()
  }

  /// Notes what becomes of the message under way.
  @inline(__always) func show(_ outcome: (OSCMonitor) -> Void) {
    if feedback.isWatched { outcome(outbox.monitor) }
  }

  /// Carries out a plain hit, and tells those who watch of it.
  /// The caller asks whether anybody watches: it is on the short way of every hit.
  func carryOutWatched(_ hit: Command, from endpoint: Endpoint, at arrival: HostTime) {
    guard outbox.monitor.hasPlace(for: endpoint, at: arrival),
      let message = AddressTable.standard.message(for: hit)
    else { return carryOut(hit, from: endpoint, at: arrival) }
    watched(message, from: endpoint, at: arrival) {
      show { $0.understood(.command(hit)) }
      carryOut(hit, from: endpoint, at: arrival)
    }
  }

  /// Tells those who watch of a packet that is left out before it is read.
  func showRepeated(_ bytes: UnsafeRawBufferPointer, from endpoint: Endpoint, at now: HostTime) {
    show(bytes, from: endpoint, at: now) { monitor, _ in monitor.ignored(OSCMonitor.repeated) }
  }

  /// Tells those who watch of a packet with an unknown address of which its sender was just told.
  func showUnknown(_ bytes: UnsafeRawBufferPointer, from endpoint: Endpoint, at now: HostTime) {
    show(bytes, from: endpoint, at: now) { monitor, message in
      monitor.refused(WireError.unknownAddress(message.address)) {
        nearNames.near(to: $0, at: now)
      }
    }
  }

  private func show(
    _ bytes: UnsafeRawBufferPointer, from endpoint: Endpoint, at now: HostTime,
    as outcome: (OSCMonitor, OSCMessage) -> Void
  ) {
    guard feedback.isWatched, outbox.monitor.hasPlace(for: endpoint, at: now) else { return }
    let limit = endpoint.transport.isStream ? limits.framedPacketBytes : limits.datagramBytes
    // A packet that cannot be read has no message to show.
    guard (try? packet.decode(bytes, limit: limit)) != nil else { return }
    for element in packet.elements.prefix(OSCEdge.mostShown) {
      watched(element.message, from: endpoint, at: now) { outcome(outbox.monitor, element.message) }
    }
  }

  /// Messages of one packet.
  private static let mostShown = 16
}
