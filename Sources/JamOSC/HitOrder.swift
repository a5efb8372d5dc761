internal import JamCore
internal import JamWire

/// Treats the messages of a numbered packet that arrives out of order. Hits do not wait for missing
/// packets before them. A release may therefore come after the next hit of its pad, and would end
/// that hit; such a release is dropped. A release is kept where its timetag, or the hit's timetag,
/// gives each its own time.
///
/// A machine without I/O. Thread: one at a time.
struct HitOrder {
  private struct PadKey: Hashable {
    var room: PlayerName?
    var player: PlayerName?
    var seat: Int?
    var pad: Pad

    init(_ addressed: AddressedRequest, _ pad: Pad) {
      room = addressed.room
      player = addressed.player
      seat = addressed.actingSeat
      self.pad = pad
    }
  }

  private struct Hit {
    var number: Int32
    /// When the hit sounds.
    var time: HostTime
  }

  private enum Kind {
    case hit(PadKey)
    case release(PadKey)
    case setting
  }

  /// The latest hits of each pad. Only hits that came while numbers were missing are stored.
  private var latest: [PadKey: [Hit]] = [:]
  /// More hits than a hand plays while numbers are missing. Beyond this number the oldest hits are
  /// forgotten.
  private static let mostHits = 32

  /// Forgets all hits, so that no release is dropped any more.
  mutating func forget() { latest.removeAll(keepingCapacity: false) }

  /// Divides a packet while earlier packets are missing.
  /// - Returns: the hits that can be carried out now, and the remaining messages. A hit behind a
  ///   setting in the same packet is not carried out now.
  mutating func part(_ packet: NumberedPacket, _ clock: TimetagClock, _ reader: inout CommandReader) -> (
    hits: NumberedPacket, rest: NumberedPacket
  ) {
    var (hits, rest) = (packet, packet)
    hits.elements = []
    rest.elements = []
    var releases: [PadKey: Int] = [:]
    let waited = packet.arrival.advanced(byMilliseconds: SequenceWindow<NumberedPacket>.patience)
    var isBehindSetting = false
    for element in packet.elements {
      let kind = HitOrder.kind(element.message, &reader)
      if case .hit(let pad) = kind, !isBehindSetting {
        let sounds = HitOrder.time(of: element, packet.arrival, clock)
        note(pad, packet.number, sounds)
        hits.elements.append(element)
        // The same packet has the release of the hit before. That release is dropped as well.
        if let place = releases[pad], HitOrder.ends(rest.elements[place], sounds, at: waited, clock) {
          releases[pad] = nil
          rest.elements.remove(at: place)
          for (other, at) in releases where at > place { releases[other] = at - 1 }
        }
        continue
      }
      if case .release(let pad) = kind { releases[pad] = rest.elements.count }
      if case .setting = kind { isBehindSetting = true }
      rest.elements.append(element)
    }
    return (hits, rest)
  }

  /// Chooses the messages of a packet that came after its place was given up. Its hits and releases
  /// are still carried out.
  /// - Returns: these messages, and the address of a dropped message with the number of dropped
  ///   messages.
  mutating func late(
    _ packet: NumberedPacket, at now: HostTime, _ clock: TimetagClock, _ reader: inout CommandReader
  ) -> (NumberedPacket, dropped: String?, count: Int) {
    var (late, dropped, count) = (packet, String?.none, 0)
    late.elements = packet.elements.filter {
      guard case .setting = HitOrder.kind($0.message, &reader) else { return true }
      dropped = dropped ?? $0.message.address
      count += 1
      return false
    }
    return (inOrder(late, hasGaps: true, at: now, clock, &reader), dropped, count)
  }

  /// Chooses the messages of a packet whose turn it is. A release that a newer hit overtook is
  /// dropped.
  /// - Parameter hasGaps: whether earlier numbers may still come.
  mutating func inOrder(
    _ packet: NumberedPacket, hasGaps: Bool, at now: HostTime, _ clock: TimetagClock, _ reader: inout CommandReader
  ) -> NumberedPacket {
    guard hasGaps || !latest.isEmpty, let number = packet.number else { return packet }
    var result = packet
    result.elements = packet.elements.filter { element in
      switch HitOrder.kind(element.message, &reader) {
      case .hit(let pad): note(pad, number, HitOrder.time(of: element, packet.arrival, clock))
      case .release(let pad):
        // Numbers wrap, so the signed difference is compared.
        let isOvertaken = latest[pad]?.contains {
          number &- $0.number < 0 && HitOrder.ends(element, $0.time, at: now, clock)
        }
        return isOvertaken != true
      case .setting: break
      }
      return true
    }
    return result
  }

  /// Whether a release that was sent before a hit would end that hit.
  /// - Parameters:
  ///   - sounds: when the hit sounds.
  ///   - now: the earliest moment at which the release is carried out.
  private static func ends(
    _ release: OSCPacket.Element, _ sounds: HostTime, at now: HostTime, _ clock: TimetagClock
  ) -> Bool {
    guard !release.timetag.isImmediate else { return now >= sounds }
    let tag = clock.time(of: release.timetag, near: now)
    return tag <= sounds && max(now, tag) >= sounds
  }

  private static func time(of hit: OSCPacket.Element, _ arrival: HostTime, _ clock: TimetagClock) -> HostTime {
    hit.timetag.isImmediate ? arrival : max(arrival, clock.time(of: hit.timetag, near: arrival))
  }

  private mutating func note(_ pad: PadKey, _ number: Int32?, _ time: HostTime) {
    guard let number else { return }
    latest[pad, default: []].append(Hit(number: number, time: time))
    if latest[pad, default: []].count > HitOrder.mostHits { latest[pad]?.removeFirst() }
  }

  private static func kind(_ message: OSCMessage, _ reader: inout CommandReader) -> Kind {
    // A pattern may match thousands of addresses.
    guard reader.reach(of: message.address) == nil, let addressed = try? reader.read(message),
      case .command(let command) = addressed.request
    else { return .setting }
    switch command {
    case .hit(let pad, _, _), .strike(let pad, _, _):
      return .hit(PadKey(addressed, pad))
    case .release(let pad): return .release(PadKey(addressed, pad))
    default: return .setting
    }
  }
}
