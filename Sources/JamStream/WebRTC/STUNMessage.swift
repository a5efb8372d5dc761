internal import COpenSSL
internal import JamNet

/// One STUN message, as far as ICE needs it.
///
/// - Source: RFC 8489 §5 and §14; RFC 8445 §16.1.
package struct STUNMessage {
  package enum Kind: UInt16 {
    case request = 0x0001
    case indication = 0x0011
    case success = 0x0101
    case failure = 0x0111
  }

  package enum Attribute {
    static let mappedAddress: UInt16 = 0x0001
    package static let username: UInt16 = 0x0006
    static let integrity: UInt16 = 0x0008
    static let errorCode: UInt16 = 0x0009
    static let unknown: UInt16 = 0x000a
    static let xorMappedAddress: UInt16 = 0x0020
    static let priority: UInt16 = 0x0024
    package static let useCandidate: UInt16 = 0x0025
    static let fingerprint: UInt16 = 0x8028
    static let iceControlled: UInt16 = 0x8029
    package static let iceControlling: UInt16 = 0x802a
  }

  let kind: Kind
  /// 12 bytes.
  let transaction: [UInt8]
  /// The attributes in front of the integrity. Attributes behind it are ignored.
  private(set) var attributes: [(type: UInt16, value: [UInt8])] = []
  private let bytes: [UInt8]
  /// The offset of the integrity attribute.
  private var integrityStart: Int?

  static let headerBytes = 20
  private static let cookie: UInt32 = 0x2112_a442
  private static let mostAttributes = 32

  /// - Returns: nil where `message` is no Binding message, its lengths do not add up, or its
  ///   fingerprint is wrong.
  package init?(_ message: UnsafeRawBufferPointer) {
    var reader = ByteReader(message)
    guard let type: UInt16 = reader.integer(), let kind = Kind(rawValue: type), let length: UInt16 = reader.integer(),
      length % 4 == 0, Int(length) == message.count - STUNMessage.headerBytes, let cookie: UInt32 = reader.integer(),
      cookie == STUNMessage.cookie, let transaction = reader.slice(12)
    else { return nil }
    self.kind = kind
    self.transaction = Array(transaction)
    bytes = Array(message)
    while reader.remaining > 0 {
      let start = reader.position
      guard attributes.count < STUNMessage.mostAttributes, let type: UInt16 = reader.integer(),
        let count: UInt16 = reader.integer(), let value = reader.slice(Int(count)),
        reader.skip((4 - Int(count) % 4) % 4)
      else { return nil }
      if type == Attribute.fingerprint {
        // The fingerprint is the last attribute, if it is there (RFC 8489 §14.7).
        guard count == 4, reader.remaining == 0,
          UInt32(bigEndianBytes: value) == STUNMessage.fingerprint(bytes[..<start])
        else { return nil }
      } else if integrityStart != nil {
        continue
      } else if type == Attribute.integrity {
        guard count == 20 else { return nil }
        integrityStart = start
      } else {
        attributes.append((type, Array(value)))
      }
    }
  }

  subscript(type: UInt16) -> [UInt8]? { attributes.first { $0.type == type }?.value }

  /// Attributes that we do not know, but would have to understand (RFC 8489 §14).
  package var unknownAttributes: [UInt16] {
    let known = [
      Attribute.mappedAddress, Attribute.username, Attribute.errorCode, Attribute.unknown, Attribute.xorMappedAddress,
      Attribute.priority, Attribute.useCandidate,
    ]
    return attributes.map(\.type).filter { $0 < 0x8000 && !known.contains($0) }
  }

  /// Whether the sender of the message knows `password`.
  /// - Source: RFC 8489 §14.5, short-term credentials.
  package func isProven(by password: String) -> Bool {
    guard let start = integrityStart else { return false }
    var covered = Array(bytes[..<start])
    STUNMessage.setLength(start - STUNMessage.headerBytes + 24, in: &covered)
    let expected = STUNMessage.integrity(of: covered, password)
    return zip(expected, bytes[(start + 4)...]).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }

  // MARK: Writing

  /// A message with its integrity and fingerprint.
  package static func write(
    _ kind: Kind, transaction: [UInt8], _ attributes: [(type: UInt16, value: [UInt8])], password: String?
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: kind.rawValue)
    bytes.append(bigEndian: 0 as UInt16)
    bytes.append(bigEndian: cookie)
    bytes += transaction
    for (type, value) in attributes { append(type, value, to: &bytes) }
    if let password {
      setLength(bytes.count - headerBytes + 24, in: &bytes)
      append(Attribute.integrity, integrity(of: bytes, password), to: &bytes)
    }
    setLength(bytes.count - headerBytes + 8, in: &bytes)
    var sum: [UInt8] = []
    sum.append(bigEndian: fingerprint(bytes[...]))
    append(Attribute.fingerprint, sum, to: &bytes)
    return bytes
  }

  /// - Source: RFC 8489 §14.2.
  static func xorAddress(_ address: SocketAddress, transaction: [UInt8]) -> [UInt8] {
    var mask: [UInt8] = []
    mask.append(bigEndian: cookie)
    mask += transaction
    var value: [UInt8] = [0, address.isIPv6 ? 2 : 1]
    value.append(bigEndian: address.port ^ UInt16(truncatingIfNeeded: cookie >> 16))
    return value + zip(address.bytes, mask).map { $0 ^ $1 }
  }

  static func error(_ code: Int, _ reason: String) -> [UInt8] {
    [0, 0, UInt8(code / 100), UInt8(code % 100)] + Array(reason.utf8)
  }

  private static func append(_ type: UInt16, _ value: [UInt8], to bytes: inout [UInt8]) {
    bytes.append(bigEndian: type)
    bytes.append(bigEndian: UInt16(value.count))
    bytes += value
    bytes += [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
  }

  private static func setLength(_ length: Int, in bytes: inout [UInt8]) {
    bytes[2] = UInt8(truncatingIfNeeded: length >> 8)
    bytes[3] = UInt8(truncatingIfNeeded: length)
  }

  private static func integrity(of bytes: [UInt8], _ password: String) -> [UInt8] {
    let key = Array(password.utf8)
    var count: UInt32 = 20
    return [UInt8](unsafeUninitializedCapacity: 20) { output, written in
      _ = HMAC(EVP_sha1(), key, Int32(key.count), bytes, bytes.count, output.baseAddress, &count)
      written = 20
    }
  }

  /// The CRC-32 of the bytes in front, masked (RFC 8489 §14.7).
  private static func fingerprint(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var sum = ~(0 as UInt32)
    for byte in bytes { sum = sum >> 8 ^ table[Int((sum ^ UInt32(byte)) & 0xff)] }
    return ~sum ^ 0x5354_554e
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
  }
}

extension UInt32 {
  init(bigEndianBytes bytes: UnsafeRawBufferPointer) { self = bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}
