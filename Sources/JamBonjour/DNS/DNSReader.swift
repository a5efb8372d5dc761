internal import JamCore
internal import JamNet

/// Reads the parts of one message. No bytes make it trap, and the work for each part is bounded.
///
/// - Source: RFC 1035 §4.1.
struct DNSReader {
  private let bytes: UnsafeRawBufferPointer
  private(set) var position = 0
  /// The end of what may be read, the message's or a record's.
  private var end: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    end = bytes.count
  }

  var remaining: Int { end - position }

  mutating func byte() throws(DNSError) -> UInt8 {
    guard position < end else { throw .endsEarly }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func short() throws(DNSError) -> UInt16 { UInt16(try byte()) << 8 | UInt16(try byte()) }

  mutating func long() throws(DNSError) -> UInt32 {
    UInt32(try short()) << 16 | UInt32(try short())
  }

  mutating func bytes(_ count: Int) throws(DNSError) -> [UInt8] {
    guard count >= 0, count <= remaining else { throw .endsEarly }
    defer { position += count }
    return Array(bytes[Range(from: position, to: position + count)])
  }

  /// A name, whose end may lie at an earlier place of the message.
  mutating func name() throws(DNSError) -> DNSName {
    var name: [UInt8] = []
    var at = position
    /// A pointer leads in front of everything that was read of this name, so no name is a circle.
    var earliest = position
    var limit = end
    var afterPointer: Int?
    while true {
      guard at < limit else { throw .endsEarly }
      let length = Int(bytes[at])
      at += 1
      if length == 0 { break }
      switch length & 0xc0 {
      case 0:
        guard at + length <= limit else { throw .endsEarly }
        guard name.count + length + 1 < DNSName.mostBytes else { throw .nameTooLong }
        name.append(UInt8(length))
        name += bytes[Range(from: at, to: at + length)]
        at += length
      case 0xc0:
        guard at < limit else { throw .endsEarly }
        let target = (length & 0x3f) << 8 | Int(bytes[at])
        guard target < earliest else { throw .malformedName }
        if afterPointer == nil { afterPointer = at + 1 }
        limit = bytes.count
        earliest = target
        at = target
      default: throw .malformedName
      }
    }
    position = afterPointer ?? at
    return DNSName(bytes: name)
  }

  mutating func question() throws(DNSError) -> DNSQuestion {
    let name = try name()
    let type = DNSType(rawValue: try short())
    return DNSQuestion(name, type, wantsUnicast: try short() & 0x8000 != 0)
  }

  mutating func record() throws(DNSError) -> DNSRecord {
    let name = try name()
    let type = DNSType(rawValue: try short())
    let isUnique = try short() & 0x8000 != 0
    let lifetime = try long()
    let count = Int(try short())
    guard count <= remaining else { throw .endsEarly }
    let messageEnd = end
    end = position + count
    let data = try data(type)
    guard position == end else { throw .malformedData }
    end = messageEnd
    return DNSRecord(name, data, lifetime: lifetime, isUnique: isUnique)
  }

  private mutating func data(_ type: DNSType) throws(DNSError) -> DNSData {
    switch type {
    case .a where remaining == 4:
      return .address(.ipv4(try byte(), try byte(), try byte(), try byte()))
    case .aaaa where remaining == 16: return .address(.ipv6(try bytes(16)))
    case .a, .aaaa: throw .malformedData
    case .pointer: return .pointer(try name())
    case .service:
      return .service(
        DNSService(priority: try short(), weight: try short(), port: try short(), host: try name()))
    case .text:
      var strings: [[UInt8]] = []
      while remaining > 0 { strings.append(try bytes(Int(try byte()))) }
      return .text(DNSText(strings: strings.filter { !$0.isEmpty }))
    case .nsec: return .types(next: try name(), try types())
    default: return .other(type, try bytes(remaining))
    }
  }

  /// The bits of an NSEC record. Types of 256 and above do not occur in mDNS, and are left out.
  private mutating func types() throws(DNSError) -> [DNSType] {
    var types: Set<UInt16> = []
    while remaining > 0 {
      let window = try byte()
      let bits = try bytes(Int(try byte()))
      guard bits.count <= 32 else { throw .malformedData }
      for (index, byte) in bits.enumerated() where window == 0 {
        for bit in 0..<8 where byte & 0x80 >> UInt8(bit) != 0 {
          types.insert(UInt16(index * 8 + bit))
        }
      }
    }
    return types.sorted().map(DNSType.init)
  }
}
