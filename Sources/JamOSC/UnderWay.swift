internal import JamCore
internal import JamWire

/// What is left to do of a sender's packets that were read: a bundle of thousands of messages, or a
/// pattern that matches a thousand addresses, is carried out in pieces, so that nobody waits for all of it.
///
/// Thread: the room thread.
struct UnderWay {
  struct Piece {
    var element: OSCPacket.Element
    var arrival: HostTime
  }

  /// What a pattern came to, as far as it was not carried out yet.
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
