internal import JamCore
internal import JamWire

/// What a numbered packet that is out of order does, message by message. Hits do not wait for what is missing before them. So a release
/// may come behind the next hit of its pad: it is left out, for it would end that hit.
///
/// A machine without I/O. Thread: one at a time.
struct HitOrder {
  private struct PadKey: Hashable {
    var room: PlayerName?
    var player: PlayerName?
    var pad: Pad
  }

  private enum Kind {
    case hit(PadKey)
    case release(PadKey)
    case setting
  }

  /// By pad, the number of its newest hit; only of hits while numbers are missing.
  private var newest: [PadKey: Int32] = [:]

  /// No release is left out any more.
  mutating func forget() { newest.removeAll(keepingCapacity: false) }

  /// Parts a packet that others are missing before.
  /// - Returns: its hits, but for those that a setting of the same packet stands before; and what is left.
  mutating func part(_ packet: NumberedPacket, _ reader: inout CommandReader) -> (
    hits: NumberedPacket, rest: NumberedPacket
  ) {
    var (hits, rest) = (packet, packet)
    hits.elements = []
    rest.elements = []
    var releases: [PadKey: Int] = [:]
    var isBehindSetting = false
    for element in packet.elements {
      let kind = HitOrder.kind(element.message, &reader)
      if case .hit(let pad) = kind, !isBehindSetting {
        note(pad, packet.number)
        hits.elements.append(element)
        // Its own packet's release of the hit before.
        if let place = releases.removeValue(forKey: pad) {
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

  /// What is to be done of a packet that was given up and came after all: its hits and releases.
  /// - Returns: that, and the address of a message that is to be dropped.
  mutating func late(_ packet: NumberedPacket, _ reader: inout CommandReader) -> (
    NumberedPacket, dropped: String?, count: Int
  ) {
    var (late, dropped, count) = (packet, String?.none, 0)
    late.elements = packet.elements.filter {
      guard case .setting = HitOrder.kind($0.message, &reader) else { return true }
      dropped = dropped ?? $0.message.address
      count += 1
      return false
    }
    return (inOrder(late, hasGaps: true, &reader), dropped, count)
  }

  /// What is to be done of a packet whose turn it is.
  /// - Parameter hasGaps: whether earlier numbers may still come.
  mutating func inOrder(_ packet: NumberedPacket, hasGaps: Bool, _ reader: inout CommandReader) -> NumberedPacket {
    guard hasGaps || !newest.isEmpty, packet.number != nil else { return packet }
    var result = packet
    result.elements = packet.elements.filter {
      switch HitOrder.kind($0.message, &reader) {
      case .hit(let pad): note(pad, packet.number)
      case .release(let pad): return !isOvertaken(pad, packet.number)
      case .setting: break
      }
      return true
    }
    return result
  }

  private mutating func note(_ pad: PadKey, _ number: Int32?) {
    guard let number, newest[pad].map({ number &- $0 > 0 }) ?? true else { return }
    newest[pad] = number
  }

  private func isOvertaken(_ pad: PadKey, _ number: Int32?) -> Bool {
    guard let number, let newest = newest[pad] else { return false }
    return number &- newest < 0
  }

  private static func kind(_ message: OSCMessage, _ reader: inout CommandReader) -> Kind {
    // A pattern may come to thousands.
    guard reader.reach(of: message.address) == nil, let addressed = try? reader.read(message),
      case .command(let command) = addressed.request
    else { return .setting }
    switch command {
    case .hit(let pad, _), .strike(let pad, _):
      return .hit(PadKey(room: addressed.room, player: addressed.player, pad: pad))
    case .release(let pad): return .release(PadKey(room: addressed.room, player: addressed.player, pad: pad))
    default: return .setting
    }
  }
}
