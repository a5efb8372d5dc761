extension OSCMessage {
  /// Reads one message. Every size in the message is checked before its use.
  /// - Parameter bytes: exactly the message; their number is a multiple of 4.
  /// - Throws: `OSCError`.
  /// - Source: OSC 1.0, "OSC Messages".
  init(bytes: UnsafeRawBufferPointer) throws(OSCError) {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count % 4 == 0 else { throw .unaligned(bytes: bytes.count, address: OSCMessage.readableAddress(bytes)) }
    guard OSCMessage.begins(bytes) else { throw .notOSC }
    let (address, addressEnd) = try OSCMessage.address(bytes)
    self.init(address)
    // Some senders omit the type tags of a message without arguments.
    guard addressEnd < bytes.count else { return }
    guard bytes[addressEnd] == UInt8(ascii: ",") else {
      guard let argument = OSCMessage.untagged(bytes, from: addressEnd) else { throw .missingComma(address: address) }
      arguments.append(argument)
      return
    }
    guard let typesEnd = OSCMessage.zero(in: bytes, from: addressEnd) else {
      throw .unterminatedTypes(address: address)
    }
    let count = typesEnd - addressEnd - 1
    var reader = ArgumentReader(bytes: bytes, position: OSCMessage.padded(typesEnd + 1))
    if count > 0 {
      arguments.reserveCapacity(count)
      var depth = 0
      for i in addressEnd + 1..<typesEnd {
        // An array's elements count as arguments of the message: no address wants an array.
        switch bytes[i] {
        case UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "]") where depth > 0: depth -= 1
        default: arguments.append(try reader.read(bytes[i], of: address))
        }
      }
      guard depth == 0 else { throw .unknownType("[", address: address) }
    }
    guard reader.position == bytes.count else { throw .wrongLength(address: address) }
  }

  /// Whether an address may begin here. An address without its slash, such as `pad/1`, is accepted,
  /// because people type it.
  private static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch bytes[0] {
    case UInt8(ascii: "/"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: false
    }
  }

  /// The single argument of a message without type tags. Four bytes are a float or an int.
  ///
  /// The value decides between the two. Small ints that are read as floats are close to zero or not
  /// numbers, because they have no exponent; the floats that people send have one.
  /// - Source: OSC 1.0, "OSC Type Tag String": older implementations omit it.
  private static func untagged(_ bytes: UnsafeRawBufferPointer, from start: Int) -> OSCArgument? {
    guard bytes.count - start == 4 else { return nil }
    let word = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
    let float = Float(bitPattern: word)
    return untaggedFloats.contains(float.magnitude) ? .float(float) : .int32(Int32(bitPattern: word))
  }

  private static let untaggedFloats: ClosedRange<Float> = 1e-9...1e9

  /// The address of a truncated packet; empty where it has none.
  private static func readableAddress(_ bytes: UnsafeRawBufferPointer) -> String {
    guard begins(bytes), let (text, _) = try? address(bytes) else { return "" }
    return text
  }

  /// OSC 1.0 only allows ASCII in addresses. UTF-8 is accepted as well, for the names of players
  /// and rooms.
  private static func address(_ bytes: UnsafeRawBufferPointer) throws(OSCError) -> (text: String, end: Int) {
    var i = 0
    while i < bytes.count {
      let byte = bytes[i]
      if byte == 0 {
        let body = UnsafeRawBufferPointer(rebasing: bytes[..<i])
        guard let text = String(validating: body, as: UTF8.self) else { throw .addressUnprintable }
        return (bytes[0] == UInt8(ascii: "/") ? text : "/" + text, padded(i + 1))
      }
      guard byte > 0x20, byte != 0x7f else { throw .addressUnprintable }
      i += 1
    }
    throw .unterminatedAddress
  }

  fileprivate static func padded(_ size: Int) -> Int { (size + 3) & ~3 }

  fileprivate static func zero(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var i = start
    while i < bytes.count {
      if bytes[i] == 0 { return i }
      i += 1
    }
    return nil
  }
}

/// Reads the arguments at the end of a message, one by one.
private struct ArgumentReader {
  let bytes: UnsafeRawBufferPointer
  var position: Int

  mutating func read(_ type: UInt8, of address: String) throws(OSCError) -> OSCArgument {
    switch type {
    case UInt8(ascii: "f"): return .float(Float(bitPattern: try word(address)))
    case UInt8(ascii: "i"): return .int32(Int32(bitPattern: try word(address)))
    case UInt8(ascii: "T"): return .true
    case UInt8(ascii: "F"): return .false
    case UInt8(ascii: "N"): return .nil
    case UInt8(ascii: "I"): return .infinitum
    case UInt8(ascii: "s"): return .string(try text(address))
    case UInt8(ascii: "S"): return .symbol(try text(address))
    case UInt8(ascii: "d"): return .double(Double(bitPattern: try longWord(address)))
    case UInt8(ascii: "h"): return .int64(Int64(bitPattern: try longWord(address)))
    case UInt8(ascii: "t"): return .timetag(OSCTimetag(raw: try longWord(address)))
    case UInt8(ascii: "c"): return .character(UInt8(truncatingIfNeeded: try word(address)))
    case UInt8(ascii: "m"): return .midi(try word(address))
    case UInt8(ascii: "b"): return .blob(try blob(address))
    default: throw .unknownType(Character(Unicode.Scalar(type)), address: address)
    }
  }

  private mutating func word(_ address: String) throws(OSCError) -> UInt32 {
    guard bytes.count - position >= 4 else { throw .truncatedArguments(address: address) }
    defer { position += 4 }
    return UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self))
  }

  private mutating func longWord(_ address: String) throws(OSCError) -> UInt64 {
    guard bytes.count - position >= 8 else { throw .truncatedArguments(address: address) }
    defer { position += 8 }
    return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  private mutating func text(_ address: String) throws(OSCError) -> String {
    guard let end = OSCMessage.zero(in: bytes, from: position) else { throw .truncatedArguments(address: address) }
    // The bounds are in order, because the search began at `position`.
    let body = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
    guard let text = String(validating: body, as: UTF8.self) else { throw .textNotUTF8(address: address) }
    // The whole packet is a multiple of 4, so the padding lies within it.
    position = OSCMessage.padded(end + 1)
    return text
  }

  private mutating func blob(_ address: String) throws(OSCError) -> [UInt8] {
    let size = Int(try word(address))
    guard size <= bytes.count - position else { throw .truncatedArguments(address: address) }
    defer { position += OSCMessage.padded(size) }
    // The bounds are in order, because a size is at least 0.
    return Array(bytes[position..<position + size])
  }
}
