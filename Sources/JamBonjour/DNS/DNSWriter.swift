internal import JamNet

/// Writes the parts of one message. A name that was written before becomes a pointer to it, except
/// within SRV and NSEC records: plain resolvers may not expect one there.
///
/// - Source: RFC 1035 §4.1; RFC 2782; RFC 6762 §18.14.
struct DNSWriter {
  private(set) var bytes: [UInt8] = []
  private let compresses: Bool
  /// The places of names, and of their ends, by their bytes: the case of letters stays as it is.
  private var places: [[UInt8]: Int] = [:]

  /// - Parameter compresses: false writes each name in full.
  init(compresses: Bool) { self.compresses = compresses }

  mutating func write(_ value: UInt16) {
    bytes.append(UInt8(value >> 8))
    bytes.append(UInt8(value & 0xff))
  }

  mutating func write(_ value: UInt32) {
    write(UInt16(value >> 16))
    write(UInt16(truncatingIfNeeded: value))
  }

  /// - Parameter whole: writes the name in full.
  mutating func write(_ name: DNSName, whole: Bool = false) {
    var rest = name
    while !rest.bytes.isEmpty {
      if compresses, !whole {
        if let place = places[rest.bytes] {
          write(UInt16(truncatingIfNeeded: 0xc000 | place))
          return
        }
        if bytes.count < 0x4000 { places[rest.bytes] = bytes.count }
      }
      bytes += rest.bytes.prefix(1 + Int(rest.bytes[0]))
      rest = rest.parent
    }
    bytes.append(0)
  }

  mutating func write(_ question: DNSQuestion) {
    write(question.name)
    write(question.type.rawValue)
    write(UInt16(1) | (question.wantsUnicast ? 0x8000 : 0))
  }

  mutating func write(_ record: DNSRecord) {
    write(record.name)
    write(record.type.rawValue)
    write(UInt16(1) | (record.isUnique ? 0x8000 : 0))
    write(record.lifetime)
    let place = bytes.count
    write(UInt16(0))
    write(record.data)
    let count = bytes.count - place - 2
    bytes[place] = UInt8(truncatingIfNeeded: count >> 8)
    bytes[place + 1] = UInt8(truncatingIfNeeded: count)
  }

  mutating func write(_ data: DNSData) {
    switch data {
    case .address(let address): bytes += address.bytes
    case .pointer(let name): write(name)
    case .text(let text): bytes += text.bytes
    case .service(let service):
      write(service.priority)
      write(service.weight)
      write(service.port)
      write(service.host, whole: true)
    case .types(let next, let types):
      write(next, whole: true)
      write(types)
    case .other(_, let content): bytes += content
    }
  }

  /// The bits of an NSEC record, for the types below 256.
  private mutating func write(_ types: [DNSType]) {
    var bits = [UInt8](repeating: 0, count: 32)
    for type in types where type.rawValue < 256 {
      bits[Int(type.rawValue / 8)] |= 0x80 >> UInt8(type.rawValue % 8)
    }
    while bits.last == 0 { bits.removeLast() }
    guard !bits.isEmpty else { return }
    bytes += [0, UInt8(bits.count)] + bits
  }
}
