internal import JamCore
internal import JamWire

/// A piece of a journal's file: its length, its check sum, and an OSC bundle. The bundle's first
/// message tells the kind of the frame.
enum JournalFrame: Equatable {
  /// The first frame of a file.
  case header(version: Int, room: String)
  /// A part of the whole state, and whether it is the last part.
  case whole([KeptItem], isLast: Bool)
  /// A change, and whether everything before it was already synced when it was written.
  case change(KeptChange, isBehindSync: Bool)

  /// Whether everything before this frame was already synced when it was written.
  var isBehindSync: Bool {
    if case .change(_, true) = self { true } else { false }
  }

  /// The version that this program writes.
  static let version = 1
  /// The bytes in front of each frame's bundle: the length and the check sum, both big-endian.
  static let headBytes = 8
  private static let syncMark = "/synced"
  /// Each payload begins with it.
  private static let mark = Array("#bundle\0".utf8)
  /// The longest bundle that is written. A greater length is damage.
  static let mostBytes = 64 << 20

  func encoded() -> [UInt8] {
    let payload = OSCPacket.encode(messages)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(JournalFrame.headBytes + payload.count)
    for word in [UInt32(payload.count), CRC32.of(payload)] {
      withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }
    bytes.append(contentsOf: payload)
    return bytes
  }

  private var messages: [OSCMessage] {
    switch self {
    case .header(let version, let room):
      [OSCMessage("/journal", .int32(Int32(clamping: version)), .string(room))]
    case .whole(let items, let isLast):
      [OSCMessage("/whole", isLast ? .true : .false)] + items.map { OSCMessage($0) }
    case .change(let change, let isBehindSync):
      // An older program takes the mark for a row that it does not know.
      [OSCMessage("/change")] + (isBehindSync ? [OSCMessage(JournalFrame.syncMark)] : [])
        + change.gone.map { OSCMessage("/gone", .string($0)) } + change.items.map { OSCMessage($0) }
    }
  }

  /// Reads the frame at the beginning of `bytes`.
  /// - Returns: nil where there is no complete, undamaged frame.
  static func read(_ bytes: ArraySlice<UInt8>) -> (frame: JournalFrame, count: Int)? {
    guard bytes.count >= headBytes else { return nil }
    let length = word(bytes)
    guard length > 0, length <= mostBytes, bytes.count - headBytes >= length else { return nil }
    let payload = bytes.dropFirst(headBytes).prefix(length)
    guard Int(CRC32.of(payload)) == word(bytes.dropFirst(4)) else { return nil }
    var packet = OSCPacket()
    let isRead = payload.withUnsafeBytes { bytes in (try? packet.decode(bytes, limit: mostBytes)) != nil }
    guard isRead, packet.refusals.isEmpty, let frame = JournalFrame(packet.elements.map(\.message)) else { return nil }
    return (frame, headBytes + length)
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> Int { bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } }

  /// Whether `bytes` are the beginning of a frame whose end was never written, because its process
  /// was killed meanwhile.
  static func isCut(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= headBytes else { return true }
    let length = word(bytes)
    let payload = bytes.dropFirst(headBytes)
    return length <= mostBytes && payload.count < length
      && payload.prefix(mark.count).elementsEqual(mark.prefix(payload.count))
  }

  /// Looks for the next complete, undamaged frame.
  /// - Returns: the index of its first byte.
  static func next(in bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= headBytes + mark.count else { return nil }
    // The bounds are in order: the guard has checked the number of bytes.
    return (bytes.startIndex...bytes.endIndex - headBytes - mark.count).first { place in
      bytes[place + headBytes] == mark[0]
        && bytes[(place + headBytes)...].starts(with: mark) && read(bytes[place...]) != nil
    }
  }

  private init?(_ messages: [OSCMessage]) {
    guard let first = messages.first else { return nil }
    switch (first.address, first.arguments.first) {
    case ("/journal", .int32(let version)):
      guard case .string(let room)? = first.arguments.last else { return nil }
      self = .header(version: Int(version), room: room)
    case ("/whole", let isLast?): self = .whole(messages.dropFirst().map { KeptItem($0) }, isLast: isLast == .true)
    case ("/change", nil):
      var change = KeptChange()
      let isBehindSync = messages.dropFirst().first?.address == JournalFrame.syncMark
      for message in messages.dropFirst(isBehindSync ? 2 : 1) {
        if message.address == "/gone", case .string(let name)? = message.arguments.first {
          change.gone.append(name)
        } else {
          change.items.append(KeptItem(message))
        }
      }
      self = .change(change, isBehindSync: isBehindSync)
    default: return nil
    }
  }
}

extension OSCMessage {
  fileprivate init(_ item: KeptItem) {
    self.init(
      "/\(item.name)",
      item.values.map { value in
        switch value {
        case .integer(let number): .int64(number)
        case .number(let number): .float(number)
        case .flag(let isOn): isOn ? .true : .false
        // A zero byte ends a string in OSC, so zeros are left out.
        case .text(let text): .string(text.contains("\0") ? String(text.filter { $0 != "\0" }) : text)
        }
      })
  }
}

extension KeptItem {
  fileprivate init(_ message: OSCMessage) {
    self.init(
      String(message.address.dropFirst()),
      message.arguments.compactMap { argument in
        switch argument {
        case .int64(let number): .integer(number)
        case .float(let number): .number(number)
        case .true: .flag(true)
        case .false: .flag(false)
        case .string(let text): .text(text)
        default: nil
        }
      })
  }
}
