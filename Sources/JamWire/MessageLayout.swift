/// Where a message's parts lie, after every size in it was checked against its end.
struct MessageLayout {
  let address: String
  let argumentCount: Int

  init(_ bytes: UnsafeRawBufferPointer) throws(OSCError) {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count % 4 == 0 else { throw .unaligned(bytes: bytes.count) }
    guard bytes[0] == UInt8(ascii: "/") else { throw .notOSC }
    guard let end = MessageLayout.zero(in: bytes, from: 0) else { throw .unterminatedAddress }
    for byte in bytes[..<end] where byte <= 0x20 || byte >= 0x7f { throw .addressNotASCII }
    address = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[..<end]), as: UTF8.self)
    let types = MessageLayout.padded(end + 1)
    // Some senders leave the type tags out where there are no arguments.
    guard types < bytes.count else {
      argumentCount = 0
      return
    }
    guard bytes[types] == UInt8(ascii: ",") else { throw .missingComma(address: address) }
    guard let typesEnd = MessageLayout.zero(in: bytes, from: types) else { throw .unterminatedTypes(address: address) }
    var position = MessageLayout.padded(typesEnd + 1)
    for type in bytes[(types + 1)..<typesEnd] {
      switch type {
      case UInt8(ascii: "T"), UInt8(ascii: "F"), UInt8(ascii: "N"), UInt8(ascii: "I"): break
      case UInt8(ascii: "i"), UInt8(ascii: "f"), UInt8(ascii: "c"), UInt8(ascii: "m"): position += 4
      case UInt8(ascii: "h"), UInt8(ascii: "d"), UInt8(ascii: "t"): position += 8
      case UInt8(ascii: "s"), UInt8(ascii: "S"):
        guard position < bytes.count, let zero = MessageLayout.zero(in: bytes, from: position) else {
          throw .truncatedArguments(address: address)
        }
        position = MessageLayout.padded(zero + 1)
      case UInt8(ascii: "b"):
        guard position + 4 <= bytes.count else { throw .truncatedArguments(address: address) }
        let size = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
        guard size <= bytes.count else { throw .truncatedArguments(address: address) }
        position = MessageLayout.padded(position + 4 + size)
      default:
        throw .unknownType(Character(Unicode.Scalar(type)), address: address)
      }
      guard position <= bytes.count else { throw .truncatedArguments(address: address) }
    }
    // liblo refuses trailing bytes too; said here, so that the reason is told.
    guard position == bytes.count else { throw .truncatedArguments(address: address) }
    argumentCount = typesEnd - types - 1
  }

  static func padded(_ size: Int) -> Int { (size + 3) & ~3 }

  private static func zero(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var i = start
    while i < bytes.count {
      if bytes[i] == 0 { return i }
      i += 1
    }
    return nil
  }
}
