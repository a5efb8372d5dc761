internal import CLiblo
internal import Glibc

extension OSCMessage {
  /// Reads one message. Its sizes are checked before liblo sees it.
  /// - Parameter bytes: exactly the message: a multiple of 4.
  /// - Throws: `OSCError`.
  init(bytes: UnsafeRawBufferPointer) throws(OSCError) {
    let layout = try MessageLayout(bytes)
    guard layout.argumentCount > 0 else {
      self.init(layout.address)
      return
    }
    var result: Int32 = 0
    // liblo copies the bytes before it touches them.
    let data = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
    guard let message = lo_message_deserialise(data, bytes.count, &result) else {
      throw .truncatedArguments(address: layout.address)
    }
    defer { lo_message_free(message) }
    let count = Int(lo_message_get_argc(message))
    guard let types = lo_message_get_types(message), let values = lo_message_get_argv(message), count > 0 else {
      throw .truncatedArguments(address: layout.address)
    }
    var arguments: [OSCArgument] = []
    arguments.reserveCapacity(count)
    for i in 0..<count {
      guard let argument = OSCArgument(type: UInt8(bitPattern: types[i]), value: UnsafeRawPointer(values[i])) else {
        throw .textNotUTF8(address: layout.address)
      }
      arguments.append(argument)
    }
    self.init(layout.address, arguments)
  }

  /// Appends the message as OSC bytes. An address or text with a zero byte ends there.
  func append(to bytes: inout [UInt8]) {
    guard let message = lo_message_new() else { preconditionFailure("no memory for a message") }
    defer { lo_message_free(message) }
    for argument in arguments { argument.add(to: message) }
    let size = lo_message_length(message, address)
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: size))
    bytes.withUnsafeMutableBytes { raw in
      _ = lo_message_serialise(message, address, raw.baseAddress! + start, nil)
    }
  }

  /// The message as one OSC packet.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }
}

extension OSCArgument {
  /// One argument as liblo keeps it, in the machine's byte order and aligned to 4.
  fileprivate init?(type: UInt8, value: UnsafeRawPointer?) {
    switch type {
    case UInt8(ascii: "T"): self = .true
    case UInt8(ascii: "F"): self = .false
    case UInt8(ascii: "N"): self = .nil
    case UInt8(ascii: "I"): self = .infinitum
    default:
      guard let value else { return nil }
      switch type {
      case UInt8(ascii: "i"): self = .int32(value.loadUnaligned(as: Int32.self))
      case UInt8(ascii: "f"): self = .float(value.loadUnaligned(as: Float.self))
      case UInt8(ascii: "h"): self = .int64(value.loadUnaligned(as: Int64.self))
      case UInt8(ascii: "d"): self = .double(value.loadUnaligned(as: Double.self))
      case UInt8(ascii: "c"): self = .character(UInt8(truncatingIfNeeded: value.loadUnaligned(as: Int32.self)))
      case UInt8(ascii: "m"): self = .midi(UInt32(bigEndian: value.loadUnaligned(as: UInt32.self)))
      case UInt8(ascii: "t"):
        let tag = value.loadUnaligned(as: lo_timetag.self)
        self = .timetag(OSCTimetag(raw: UInt64(tag.sec) << 32 | UInt64(tag.frac)))
      case UInt8(ascii: "b"):
        let size = Int(value.loadUnaligned(as: Int32.self))
        self = .blob(Array(UnsafeRawBufferPointer(start: value + 4, count: max(0, size))))
      case UInt8(ascii: "s"), UInt8(ascii: "S"):
        guard let text = String(validatingCString: value.assumingMemoryBound(to: CChar.self)) else { return nil }
        self = type == UInt8(ascii: "s") ? .string(text) : .symbol(text)
      default: return nil
      }
    }
  }

  fileprivate func add(to message: lo_message) {
    switch self {
    case .int32(let value): lo_message_add_int32(message, value)
    case .int64(let value): lo_message_add_int64(message, value)
    case .float(let value): lo_message_add_float(message, value)
    case .double(let value): lo_message_add_double(message, value)
    case .string(let text): lo_message_add_string(message, text)
    case .symbol(let text): lo_message_add_symbol(message, text)
    case .character(let value): lo_message_add_char(message, CChar(bitPattern: value))
    case .true: lo_message_add_true(message)
    case .false: lo_message_add_false(message)
    case .nil: lo_message_add_nil(message)
    case .infinitum: lo_message_add_infinitum(message)
    case .timetag(let tag):
      lo_message_add_timetag(
        message,
        lo_timetag(sec: UInt32(truncatingIfNeeded: tag.raw >> 32), frac: UInt32(truncatingIfNeeded: tag.raw)))
    case .midi(let value):
      withUnsafeBytes(of: value.bigEndian) { raw in
        var bytes = Array(raw)
        lo_message_add_midi(message, &bytes)
      }
    case .blob(let bytes):
      let blob = lo_blob_new(Int32(bytes.count), bytes)
      lo_message_add_blob(message, blob)
      lo_blob_free(blob)
    }
  }
}
