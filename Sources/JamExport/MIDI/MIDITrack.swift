/// A track of a Standard MIDI File: events at ticks, in any order until `bytes`.
struct MIDITrack {
  /// Events of one tick come in this order.
  enum Order: Int {
    case meta, noteOff, control, noteOn
  }

  private var events: [(tick: Int, order: Order, bytes: [UInt8])] = []

  /// Four bytes of seven bits: the longest time between two events.
  static let longestDelta = 0x0fff_ffff

  mutating func append(_ bytes: [UInt8], at tick: Int, _ order: Order) { events.append((tick, order, bytes)) }

  /// - Parameter type: below 128.
  mutating func meta(_ type: UInt8, _ data: [UInt8], at tick: Int) {
    append([0xff, type] + MIDITrack.quantity(data.count) + data, at: tick, .meta)
  }

  mutating func text(_ type: UInt8, _ text: String, at tick: Int) {
    meta(type, Array(PlainText.line(text).utf8), at: tick)
  }

  /// The whole chunk. The track ends at `endTick`, or at its last event if that is later.
  func bytes(endTick: Int) -> [UInt8] {
    let sorted = events.enumerated().sorted { a, b in
      (a.element.tick, a.element.order.rawValue, a.offset) < (b.element.tick, b.element.order.rawValue, b.offset)
    }
    var body: [UInt8] = []
    var last = 0
    for (_, event) in sorted {
      MIDITrack.advance(to: event.tick, from: &last, in: &body)
      body += event.bytes
    }
    MIDITrack.advance(to: max(endTick, last), from: &last, in: &body)
    body += [0xff, 0x2f, 0]
    var chunk = Array("MTrk".utf8)
    chunk.appendBig(UInt32(clamping: body.count))
    return chunk + body
  }

  /// Writes the time since the last event. A silence of hours is divided by empty texts.
  private static func advance(to tick: Int, from last: inout Int, in body: inout [UInt8]) {
    while tick - last > longestDelta {
      body += quantity(longestDelta) + [0xff, 0x01, 0]
      last += longestDelta
    }
    body += quantity(tick - last)
    last = tick
  }

  /// A variable-length quantity: seven bits to a byte, all but the last with the top bit set.
  static func quantity(_ value: Int) -> [UInt8] {
    var bytes = [UInt8(value & 0x7f)]
    var rest = value >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }
}
