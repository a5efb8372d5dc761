import Testing

@testable import JamWire

@Suite struct WebSocketTests {
  /// What came out, in order.
  enum Seen: Equatable {
    case message([UInt8]), text([UInt8]), ping([UInt8]), pong, close(UInt16?)
  }

  /// A frame as a client sends it.
  static func frame(
    _ opcode: UInt8, _ payload: [UInt8] = [], isLast: Bool = true, mask: [UInt8]? = [1, 2, 3, 4], announced: Int? = nil
  ) -> [UInt8] {
    var bytes = [opcode | (isLast ? 0x80 : 0)]
    let masked: UInt8 = mask == nil ? 0 : 0x80
    let count = announced ?? payload.count
    switch count {
    case ..<126: bytes.append(masked | UInt8(count))
    case ..<65_536: bytes += [masked | 126, UInt8(count >> 8), UInt8(count & 0xff)]
    default:
      bytes.append(masked | 127)
      for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
    }
    if let mask {
      bytes += mask
      bytes += payload.enumerated().map { $1 ^ mask[$0 & 3] }
    } else {
      bytes += payload
    }
    return bytes
  }

  static func decode(
    _ bytes: [UInt8], piece: Int = .max, limit: Int = 1_024, takesText: Bool = false
  ) -> (seen: [Seen], fault: WebSocketFault?, waiting: Int) {
    var decoder = WebSocketDecoder(limit: limit, takesText: takesText)
    var seen: [Seen] = []
    do {
      for start in stride(from: 0, to: bytes.count, by: min(piece, max(bytes.count, 1))) {
        let part = Array(bytes[start..<min(start + min(piece, bytes.count), bytes.count)])
        try part.withUnsafeBytes { bytes in
          try decoder.receive(bytes) { item in
            switch item {
            case .message(let bytes): seen.append(.message(Array(bytes)))
            case .text(let bytes): seen.append(.text(Array(bytes)))
            case .ping(let bytes): seen.append(.ping(Array(bytes)))
            case .pong: seen.append(.pong)
            case .close(let reason): seen.append(.close(reason?.code))
            }
          }
        }
      }
    } catch let fault as WebSocketFault {
      return (seen, fault, decoder.waitingBytes)
    } catch {
      preconditionFailure("\(error)")
    }
    return (seen, nil, decoder.waitingBytes)
  }

  @Test("the masked example of RFC 6455 5.7 as a binary message")
  func example() {
    let hello: [UInt8] = [0x82, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]
    #expect(Self.decode(hello).seen == [.message(Array("Hello".utf8))])
  }

  @Test("lengths of all three forms, whole and byte by byte", arguments: [0, 1, 125, 126, 127, 65_535, 65_536])
  func lengths(count: Int) {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for piece in [Int.max, 1, 7] {
      let result = Self.decode(Self.frame(2, payload), piece: piece, limit: 65_536)
      let isWhole = result.seen == [.message(payload)]
      #expect(isWhole)
      #expect(result.fault == nil)
      #expect(result.waiting == 0)
    }
  }

  @Test("fragments are put together, with a ping between them answered first")
  func fragments() {
    let bytes =
      Self.frame(2, [1, 2], isLast: false) + Self.frame(9, [7]) + Self.frame(0, [], isLast: false)
      + Self.frame(0, [3]) + Self.frame(10) + Self.frame(2, [4])
    for piece in [Int.max, 1, 3] {
      #expect(Self.decode(bytes, piece: piece).seen == [.ping([7]), .message([1, 2, 3]), .pong, .message([4])])
    }
  }

  @Test("text, unmasked frames, unknown opcodes, wrong sequences and bad control frames are faults of their own")
  func faults() {
    #expect(Self.decode(Self.frame(1, [65])).fault?.close == .unsupported)
    let wrong: [[UInt8]] = [
      Self.frame(2, [1], mask: nil), Self.frame(3), Self.frame(11), Self.frame(0, [1]),
      Self.frame(2, [1], isLast: false) + Self.frame(2, [1]), Self.frame(9, isLast: false),
      Self.frame(9, [UInt8](repeating: 0, count: 126)), Self.frame(8, [3]), Self.frame(8, [0x03, 0xed]),
      [0xc2, 0x80, 0, 0, 0, 0],
    ]
    for bytes in wrong { #expect(Self.decode(bytes).fault?.close == .protocolError) }
    // What was whole before the fault counts.
    #expect(Self.decode(Self.frame(2, [5]) + Self.frame(1)).seen == [.message([5])])
  }

  @Test("text is a message of its own kind where it is taken, also in fragments")
  func texts() {
    let bytes =
      Self.frame(1, [65], isLast: false) + Self.frame(9, [7]) + Self.frame(0, [66]) + Self.frame(2, [1])
      + Self.frame(1, [67])
    for piece in [Int.max, 1] {
      let seen = Self.decode(bytes, piece: piece, takesText: true).seen
      #expect(seen == [.ping([7]), .text([65, 66]), .message([1]), .text([67])])
    }
    let mixed = Self.frame(1, [65], isLast: false) + Self.frame(2, [1])
    #expect(Self.decode(mixed, takesText: true).fault?.close == .protocolError)
  }

  @Test("too long a message is refused by its head, in one frame or in fragments")
  func tooLong() {
    for count in [1_025, 65_535, 65_536, 1 << 40] {
      let head = Self.frame(2, announced: count).dropLast(4)
      #expect(Self.decode(Array(head)).fault == .tooLong(limit: 1_024))
    }
    #expect(Self.decode([0x82, 0xff] + [UInt8](repeating: 0xff, count: 8)).fault == .tooLong(limit: 1_024))
    let half = [UInt8](repeating: 0, count: 600)
    #expect(
      Self.decode(Self.frame(2, half, isLast: false) + Self.frame(0, half)).fault == .tooLong(limit: 1_024))
    #expect(
      Self.decode(Self.frame(2, half, isLast: false) + Self.frame(0, [UInt8](half.prefix(424)))).fault == nil)
  }

  @Test("a close tells its reason and ends everything")
  func close() {
    #expect(Self.decode(Self.frame(8) + Self.frame(2, [1])).seen == [.close(nil)])
    #expect(Self.decode(Self.frame(8, [0x03, 0xe9, 65]) + Self.frame(1)).seen == [.close(1_001)])
    #expect(Self.decode(Self.frame(8) + Self.frame(1)).fault == nil)
  }

  @Test("half of anything waits: a head, a payload, a message between two fragments")
  func waiting() {
    #expect(Self.decode([0x82]).waiting > 0)
    #expect(Self.decode(Array(Self.frame(2, [1, 2]).dropLast())).waiting > 0)
    #expect(Self.decode(Self.frame(2, [], isLast: false)).waiting > 0)
    #expect(Self.decode(Self.frame(2, [1])).waiting == 0)
  }

  @Test("a server's frames are unmasked, and a long reason is cut to what a control frame holds")
  func written() {
    #expect(Framing.webSocket.frame([1, 2]) == [0x82, 2, 1, 2])
    #expect(Array(Framing.webSocket.frame([UInt8](repeating: 0, count: 300)).prefix(4)) == [0x82, 126, 1, 44])
    #expect(
      Array(Framing.webSocket.frame([UInt8](repeating: 0, count: 65_536)).prefix(10)) == [
        0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0,
      ])
    #expect(WebSocketFrame.close(.normal) == [0x88, 2, 3, 0xe8])
    let long = WebSocketFrame.close(.policy, reason: String(repeating: "é", count: 100))
    #expect(long.count <= 127 && Int(long[1]) == long.count - 2)
  }
}
