import JamCore
import JamWire

extension OSCPacket {
  init(_ bytes: [UInt8], limit: Int = Limits.standard.datagramBytes) throws(OSCError) {
    self.init()
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(OSCError) in
        var packet = OSCPacket()
        try packet.decode(raw, limit: limit)
        return packet
      }
    }
    self = try result.get()
  }
}

/// What one message asks for.
func request(_ address: String, _ arguments: OSCArgument...) throws -> Request? {
  var reader = CommandReader()
  return try reader.read(OSCMessage(address, arguments))?.request
}

func addressed(_ address: String, _ arguments: OSCArgument...) throws -> AddressedRequest? {
  var reader = CommandReader()
  return try reader.read(OSCMessage(address, arguments))
}

/// The text of the error that the message gets.
func complaint(_ address: String, _ arguments: OSCArgument...) -> String {
  var reader = CommandReader()
  do {
    _ = try reader.read(OSCMessage(address, arguments))
    return "none"
  } catch {
    return error.description
  }
}
