internal import JamCore
internal import JamWire

/// The remaining work of a sender's packets that were read. A bundle of thousands of messages, or a
/// pattern that matches a thousand addresses, is carried out in pieces, so that other senders need
/// not wait for all of it.
///
/// Thread: the room thread.
struct UnderWay {
  struct Piece {
    var element: OSCPacket.Element
    var arrival: HostTime
  }

  /// The commands of a pattern that were not carried out yet.
  struct Expansion {
    var piece: Piece
    var addressed: AddressedRequest
    var tag: HostTime?
    var commands: ArraySlice<Command>
  }

  private var pieces: ArraySlice<Piece> = []
  var expansion: Expansion?

  var isEmpty: Bool { pieces.isEmpty && expansion == nil }

  mutating func add(_ packet: NumberedPacket) {
    pieces += packet.elements.map { Piece(element: $0, arrival: packet.arrival) }
  }

  mutating func popFirst() -> Piece? { pieces.popFirst() }

  mutating func removeAll() { self = UnderWay() }
}
