internal import JamCore
internal import JamNet
internal import JamWire
internal import Synchronization

/// Sends parcels. All texts of a parcel for one destination leave as one bundle, or as few as they
/// fit into; a single message leaves as a message. A connection that reads no bundles gets each
/// message alone.
///
/// Each text is encoded once, whatever the number of its destinations. Nothing here waits: sockets
/// and connections that take no more lose what they are sent, and nobody else does.
/// Thread: one at a time.
final class ParcelSender {
  private let sockets: [DatagramSocket]
  private var batches: [DatagramBatch]
  private let counters: OSCCounters

  /// The destinations of the parcel, each with its entries in their order.
  private var chains: [Chain] = []
  private var chainOf: [Transport: Int] = [:]
  /// The next entry of the same destination, by entry; −1 ends a chain.
  private var next: [Int] = []
  /// The pieces of each text that were made so far.
  private var made: [Made] = []
  private var pieces: [Piece] = []
  private var elements: [UInt8] = []
  /// The bundle that is being filled, with its header.
  private var packet: [UInt8] = ParcelSender.header
  private var messages = 0

  private struct Chain {
    let way: Transport
    let first: Int
    var last: Int
  }

  private struct Made {
    var first = -1
    var count = 0
  }

  /// Part of a text in `elements`: elements of a bundle, each with its size in front, or a whole
  /// packet that shares no bundle.
  private struct Piece {
    var offset: Int
    var length: Int
    var messages: Int
    var isPacket = false
  }

  /// A bundle of messages that are true now.
  private static let header = OSCPacket.encode([])
  /// The longest bundle that fits into a datagram on every network.
  static let mostBytes = 1_200

  init(sockets: [DatagramSocket], counters: OSCCounters) {
    self.sockets = sockets
    self.counters = counters
    batches = sockets.map { _ in DatagramBatch() }
  }

  /// Sends the parcel and empties it.
  func send(_ parcel: Parcel) {
    guard !parcel.isEmpty else { return parcel.removeAll() }
    sort(parcel)
    for chain in chains { send(chain, of: parcel) }
    for socket in sockets.indices where !batches[socket].isEmpty { flush(socket) }
    parcel.removeAll()
    chains.removeAll(keepingCapacity: true)
    chainOf.removeAll(keepingCapacity: true)
    made.removeAll(keepingCapacity: true)
    pieces.removeAll(keepingCapacity: true)
    elements.removeAll(keepingCapacity: true)
  }

  private func sort(_ parcel: Parcel) {
    next.removeAll(keepingCapacity: true)
    next.append(contentsOf: repeatElement(-1, count: parcel.entries.count))
    made.append(contentsOf: repeatElement(Made(), count: parcel.texts.count))
    for (index, entry) in parcel.entries.enumerated() {
      if let chain = chainOf[entry.way] {
        next[chains[chain].last] = index
        chains[chain].last = index
      } else {
        chainOf[entry.way] = chains.count
        chains.append(Chain(way: entry.way, first: index, last: index))
      }
    }
  }

  private func send(_ chain: Chain, of parcel: Parcel) {
    let connection: StreamConnection? =
      if case .stream(let connection) = chain.way { connection } else { nil }
    // A slow reader gets what it needs as long as it can, and misses the rest first.
    let isCrowded = connection?.isCrowded ?? false
    let readsBundles = connection?.readsBundles ?? true
    var index = chain.first
    while index >= 0 {
      let entry = parcel.entries[index]
      index = next[index]
      switch entry.deed {
      case .tell(let text, let goesAlone):
        guard !isCrowded || !parcel.texts[text].isDispensable else {
          counters.unsent.wrappingAdd(1, ordering: .relaxed)
          continue
        }
        if made[text].first < 0 { make(text, of: parcel) }
        for place in Range(from: made[text].first, to: made[text].first + made[text].count) {
          if readsBundles {
            add(pieces[place], goesAlone: goesAlone, by: chain.way)
          } else {
            addMessages(of: pieces[place], by: chain.way)
          }
        }
      case .close(let reason):
        finish(by: chain.way)
        connection?.flush()
        connection?.close(reason)
      }
    }
    finish(by: chain.way)
    connection?.flush()
  }

  private func add(_ piece: Piece, goesAlone: Bool, by way: Transport) {
    // The bounds are in order, because lengths are not negative.
    let content = elements[piece.offset..<(piece.offset + piece.length)]
    if piece.isPacket {
      finish(by: way)
      return hand(content, messages: piece.messages, by: way)
    }
    if goesAlone || packet.count + piece.length > ParcelSender.mostBytes { finish(by: way) }
    packet += content
    messages += piece.messages
    if goesAlone { finish(by: way) }
  }

  /// Sends each message of a piece alone. A bundle with a moment of its own is left out: its
  /// message says nothing without the moment.
  private func addMessages(of piece: Piece, by way: Transport) {
    guard !piece.isPacket else { return }
    var position = piece.offset
    while position + 4 <= piece.offset + piece.length {
      let size = elements.withUnsafeBytes {
        Int(UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
      }
      hand(elements[Range(from: position + 4, to: position + 4 + size)], messages: 1, by: way)
      position += 4 + size
    }
  }

  /// Sends the bundle, or the only message in it.
  private func finish(by way: Transport) {
    guard messages > 0 else { return }
    hand(
      messages == 1 ? packet[(ParcelSender.header.count + 4)...] : packet[...], messages: messages,
      by: way)
    packet.removeLast(packet.count - ParcelSender.header.count)
    messages = 0
  }

  private func hand(_ bytes: ArraySlice<UInt8>, messages: Int, by way: Transport) {
    switch way {
    case .datagram(let socket, let path):
      if !batches[socket].append(bytes, along: path) {
        flush(socket)
        _ = batches[socket].append(bytes, along: path)
      }
    case .stream(let connection):
      guard !connection.put(Array(bytes), messages: messages) else { return }
      counters.unsent.wrappingAdd(UInt64(messages), ordering: .relaxed)
    }
  }

  private func flush(_ socket: Int) {
    let lost = batches[socket].flush(through: sockets[socket])
    if lost > 0 { counters.unsent.wrappingAdd(UInt64(lost), ordering: .relaxed) }
  }

  // MARK: Texts

  private func make(_ text: Int, of parcel: Parcel) {
    made[text].first = pieces.count
    switch parcel.texts[text].content {
    case .packet(let offset, let length):
      // The bounds are in order, because lengths are not negative.
      make(parcel.bytes[offset..<(offset + length)])
    case .event(let event, let clock):
      let feedback = AddressTable.standard.feedback(for: event, clock: clock)
      if feedback.timetag != nil {
        keepWhole(feedback.encoded()[...], messages: feedback.messages.count)
      } else {
        make(feedback.messages)
      }
    }
    made[text].count = pieces.count - made[text].first
  }

  private func make(_ messages: [OSCMessage]) {
    var piece = Piece(offset: elements.count, length: 0, messages: 0)
    for message in messages {
      let bytes = message.encoded()
      let room = ParcelSender.mostBytes - ParcelSender.header.count
      if piece.messages > 0, piece.length + 4 + bytes.count > room {
        pieces.append(piece)
        piece = Piece(offset: elements.count, length: 0, messages: 0)
      }
      appendElement(bytes[...])
      piece.length = elements.count - piece.offset
      piece.messages += 1
    }
    if piece.messages > 0 { pieces.append(piece) }
  }

  /// A bundle of messages that are true now is taken apart, so that its messages share a bundle
  /// with others. Bundles in bundles would be too much for some programs.
  private func make(_ packet: ArraySlice<UInt8>) {
    guard packet.first == UInt8(ascii: "#") else {
      let offset = elements.count
      appendElement(packet)
      return pieces.append(Piece(offset: offset, length: elements.count - offset, messages: 1))
    }
    let messages = ParcelSender.messages(in: packet)
    guard packet.starts(with: ParcelSender.header) else {
      return keepWhole(packet, messages: messages)
    }
    guard messages > 0 else { return }
    let offset = elements.count
    elements += packet.dropFirst(ParcelSender.header.count)
    pieces.append(Piece(offset: offset, length: elements.count - offset, messages: messages))
  }

  private func keepWhole(_ packet: ArraySlice<UInt8>, messages: Int) {
    let offset = elements.count
    elements += packet
    pieces.append(
      Piece(offset: offset, length: elements.count - offset, messages: messages, isPacket: true))
  }

  private func appendElement(_ message: ArraySlice<UInt8>) {
    withUnsafeBytes(of: UInt32(message.count).bigEndian) { elements.append(contentsOf: $0) }
    elements += message
  }

  /// The number of elements of a bundle of this server.
  private static func messages(in bundle: ArraySlice<UInt8>) -> Int {
    bundle.withUnsafeBytes { bytes in
      var (count, position) = (0, header.count)
      while position + 4 <= bytes.count {
        position +=
          4 + Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
        count += 1
      }
      return count
    }
  }
}
