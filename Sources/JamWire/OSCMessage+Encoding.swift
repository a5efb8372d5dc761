extension OSCMessage {
  /// The message as one OSC packet.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64)
    append(to: &bytes)
    return bytes
  }

  /// Appends the message as OSC bytes. An address or text is cut at a zero byte.
  /// - Source: OSC 1.0, "OSC Messages".
  func append(to bytes: inout [UInt8]) {
    bytes.appendText(address)
    bytes.append(UInt8(ascii: ","))
    var length = 1
    for argument in arguments {
      bytes.append(argument.tag)
      length += 1
    }
    bytes.pad(after: length)
    for argument in arguments { argument.append(to: &bytes) }
  }
}

extension OSCArgument {
  fileprivate func append(to bytes: inout [UInt8]) {
    switch self {
    case .int32(let value): bytes.appendWord(UInt32(bitPattern: value))
    case .float(let value): bytes.appendWord(value.bitPattern)
    case .int64(let value): bytes.appendLongWord(UInt64(bitPattern: value))
    case .double(let value): bytes.appendLongWord(value.bitPattern)
    case .timetag(let tag): bytes.appendLongWord(tag.raw)
    case .string(let text), .symbol(let text): bytes.appendText(text)
    case .character(let value): bytes.appendWord(UInt32(value))
    case .midi(let value): bytes.appendWord(value)
    case .blob(let data):
      bytes.appendWord(UInt32(data.count))
      bytes.append(contentsOf: data)
      bytes.append(contentsOf: repeatElement(0, count: -data.count & 3))
    case .true, .false, .nil, .infinitum: break
    }
  }
}

extension [UInt8] {
  mutating func appendWord(_ value: UInt32) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  mutating func appendLongWord(_ value: UInt64) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends the text, a zero, and zeros up to a multiple of 4.
  fileprivate mutating func appendText(_ text: String) {
    var length = 0
    for byte in text.utf8 {
      if byte == 0 { break }
      append(byte)
      length += 1
    }
    pad(after: length)
  }

  /// Appends 1 to 4 zeros after `length` bytes.
  fileprivate mutating func pad(after length: Int) {
    for _ in 0..<(4 - length & 3) { append(0) }
  }
}
