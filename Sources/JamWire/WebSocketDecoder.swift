public import JamCore

/// Finds the messages in the bytes of a WebSocket client. A machine without I/O; each connection
/// has one.
///
/// A frame is refused from its head, before its payload comes, so that at most one message of the
/// limit's length is stored. After a fault or a close the stream is over, and all further bytes are
/// ignored.
/// - Source: RFC 6455 §5.
/// Thread: one at a time.
public struct WebSocketDecoder: Sendable {
  /// An item of the stream. Its bytes are valid only during the call that passes them on.
  public enum Item {
    /// A binary message, joined from its fragments.
    case message(UnsafeRawBufferPointer)
    /// Likewise a message of text. The bytes may be no UTF-8: the reader of the text says so.
    case text(UnsafeRawBufferPointer)
    case ping(UnsafeRawBufferPointer)
    case pong
    /// Nil where the peer gave no reason.
    case close(WebSocketClose?)
  }

  private let limit: Int
  private var head: [UInt8] = []
  private var frame: Frame?
  private var message: [UInt8] = []
  private var isFragmented = false
  /// Whether text is taken; otherwise it is a fault.
  private let takesText: Bool
  /// Whether the unfinished message is text.
  private var isText = false
  private var control: [UInt8] = []
  private var isOver = false

  private struct Frame {
    var opcode: UInt8
    var isLast: Bool
    var mask: (UInt8, UInt8, UInt8, UInt8)
    var length: Int
    var received = 0
    var isControl: Bool { opcode >= 8 }
  }

  /// - Parameter takesText: whether text is taken; otherwise it is a fault.
  public init(limit: Int = Limits.standard.framedPacketBytes, takesText: Bool = false) {
    self.limit = limit
    self.takesText = takesText
  }

  /// The stored bytes of an unfinished message. The number is also above 0 between two fragments.
  public var waitingBytes: Int { isOver ? 0 : head.count + message.count + control.count + (isFragmented ? 1 : 0) }

  /// Reads the bytes that have come, and passes on everything that is complete.
  /// - Throws: `WebSocketFault`, after the items before the fault were passed on.
  public mutating func receive(
    _ bytes: UnsafeRawBufferPointer, _ body: (Item) -> Void
  ) throws(WebSocketFault) {
    var rest = bytes[...]
    do throws(WebSocketFault) {
      while !isOver, !rest.isEmpty {
        if frame == nil {
          head.append(rest.removeFirst())
          frame = try readHead()
          if frame?.length != 0 { continue }
        }
        try take(&rest, body)
      }
    } catch {
      end()
      throw error
    }
  }

  private mutating func end() {
    isOver = true
    message = []
    control = []
  }

  /// - Returns: nil where the head is not complete yet.
  private mutating func readHead() throws(WebSocketFault) -> Frame? {
    guard head.count >= 2 else { return nil }
    let opcode = head[0] & 0x0f
    let isLast = head[0] & 0x80 != 0
    let short = Int(head[1] & 0x7f)
    if head.count == 2 { try judge(opcode, isLast: isLast, length: short) }
    let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
    guard head.count == 2 + lengthBytes + 4 else {
      if lengthBytes > 0, head.count == 2 + lengthBytes { _ = try length(short, opcode) }
      return nil
    }
    let mask = head.suffix(4)
    let first = mask.startIndex
    return Frame(
      opcode: opcode, isLast: isLast, mask: (mask[first], mask[first + 1], mask[first + 2], mask[first + 3]),
      length: try length(short, opcode))
  }

  /// Checks a frame by its first two bytes.
  private func judge(_ opcode: UInt8, isLast: Bool, length: Int) throws(WebSocketFault) {
    guard head[0] & 0x70 == 0 else { throw .malformed("a frame uses an extension that was not agreed on") }
    guard head[1] & 0x80 != 0 else { throw .malformed("a client masks its frames (RFC 6455 section 5.3)") }
    switch opcode {
    case 0: guard isFragmented else { throw .malformed("a continuation continues nothing") }
    case 1 where !takesText: throw .text
    case 1, 2:
      guard !isFragmented else {
        throw .malformed("a message began before the one ahead of it ended")
      }
    case 8, 9, 10:
      guard isLast, length <= 125 else { throw .malformed("a control frame is one frame of 125 bytes at most") }
    default: throw .malformed("opcode \(opcode) is unknown")
    }
  }

  private func length(_ short: Int, _ opcode: UInt8) throws(WebSocketFault) -> Int {
    guard short >= 126 else {
      guard opcode >= 8 || message.count + short <= limit else { throw .tooLong(limit: limit) }
      return short
    }
    let bytes = head[2..<(short == 126 ? 4 : 10)]
    let length = bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    guard length <= UInt64(limit - message.count) else { throw .tooLong(limit: limit) }
    return Int(length)
  }

  private mutating func take(
    _ rest: inout Slice<UnsafeRawBufferPointer>, _ body: (Item) -> Void
  ) throws(WebSocketFault) {
    guard var frame else { return }
    let piece = rest.prefix(frame.length - frame.received)
    rest = rest.dropFirst(piece.count)
    for byte in piece {
      let key =
        switch frame.received & 3 {
        case 0: frame.mask.0
        case 1: frame.mask.1
        case 2: frame.mask.2
        default: frame.mask.3
        }
      if frame.isControl { control.append(byte ^ key) } else { message.append(byte ^ key) }
      frame.received += 1
    }
    guard frame.received == frame.length else {
      self.frame = frame
      return
    }
    self.frame = nil
    head.removeAll(keepingCapacity: true)
    try finish(frame, body)
  }

  private mutating func finish(_ frame: Frame, _ body: (Item) -> Void) throws(WebSocketFault) {
    switch frame.opcode {
    case 8:
      guard control.count != 1 else { throw .malformed("a close without a reason is empty") }
      let code = control.count < 2 ? nil : UInt16(control[0]) << 8 | UInt16(control[1])
      if let code, !WebSocketClose(code: code).mayBeSent {
        throw .malformed("\(code) is no reason that a peer may give for closing")
      }
      end()
      body(.close(code.map(WebSocketClose.init(code:))))
    case 9:
      control.withUnsafeBytes { body(.ping($0)) }
      control.removeAll(keepingCapacity: true)
    case 10:
      control.removeAll(keepingCapacity: true)
      body(.pong)
    default:
      // A continuation is of the kind of its first frame.
      if frame.opcode != 0 { isText = frame.opcode == 1 }
      isFragmented = !frame.isLast
      guard frame.isLast else { return }
      message.withUnsafeBytes { body(isText ? .text($0) : .message($0)) }
      message.removeAll(keepingCapacity: message.capacity <= 4_096)
    }
  }
}

/// Why a WebSocket's bytes cannot be read any further.
public enum WebSocketFault: Error, Hashable, CustomStringConvertible {
  /// The message is text, but OSC is binary.
  case text
  case tooLong(limit: Int)
  case malformed(String)

  public var description: String {
    switch self {
    case .text: "OSC is binary: send each packet as one binary message"
    case .tooLong(let limit): "a packet has \(limit) bytes at most"
    case .malformed(let what): what
    }
  }

  /// The reason that the peer is told.
  public var close: WebSocketClose {
    switch self {
    case .text: .unsupported
    case .tooLong: .tooLong
    case .malformed: .protocolError
    }
  }
}
