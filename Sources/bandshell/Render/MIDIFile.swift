/// A Standard MIDI File, format 1: tracks of events at ticks.
///
/// - Source: Standard MIDI Files 1.0 (MIDI Manufacturers Association, RP-001).
struct MIDIFile {
  /// Ticks per quarter note.
  static let division = 960

  struct Track {
    fileprivate var events: [(tick: Int, order: Int, bytes: [UInt8])] = []

    init(name: String) { meta(0x03, Array(name.utf8), at: 0) }

    /// - Parameter order: among events of the same tick; note-offs come before note-ons.
    mutating func append(_ bytes: [UInt8], at tick: Int, order: Int = 1) { events.append((tick, order, bytes)) }

    mutating func meta(_ type: UInt8, _ data: [UInt8], at tick: Int) {
      append([0xff, type] + MIDIFile.quantity(data.count) + data, at: tick, order: 0)
    }

    /// Microseconds per quarter note, 1…16,777,215.
    mutating func tempo(_ microseconds: Int, at tick: Int) {
      let value = min(max(microseconds, 1), 0xff_ffff)
      meta(0x51, [UInt8(value >> 16), UInt8(value >> 8 & 0xff), UInt8(value & 0xff)], at: tick)
    }

    mutating func signature(beatsPerBar: Int, beatUnit: Int, at tick: Int) {
      // The unit as a power of two; a metronome click each 24 MIDI clocks, eight 32nds in a quarter note.
      meta(0x58, [UInt8(beatsPerBar), UInt8(beatUnit.trailingZeroBitCount), 24, 8], at: tick)
    }

    fileprivate var bytes: [UInt8] {
      let sorted = events.enumerated().sorted { a, b in
        (a.element.tick, a.element.order, a.offset) < (b.element.tick, b.element.order, b.offset)
      }
      var body: [UInt8] = []
      var last = 0
      for (_, event) in sorted {
        body += MIDIFile.quantity(event.tick - last) + event.bytes
        last = event.tick
      }
      body += [0, 0xff, 0x2f, 0]
      return Array("MTrk".utf8) + MIDIFile.bigEndian(body.count, bytes: 4) + body
    }
  }

  var tracks: [Track] = []

  var bytes: [UInt8] {
    Array("MThd".utf8) + MIDIFile.bigEndian(6, bytes: 4) + MIDIFile.bigEndian(1, bytes: 2)
      + MIDIFile.bigEndian(tracks.count, bytes: 2) + MIDIFile.bigEndian(MIDIFile.division, bytes: 2)
      + tracks.flatMap(\.bytes)
  }

  private static func bigEndian(_ value: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// A variable-length quantity: seven bits to a byte, all but the last with the top bit set.
  private static func quantity(_ value: Int) -> [UInt8] {
    var bytes = [UInt8(value & 0x7f)]
    var rest = value >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }
}
