internal import JamCore
internal import JamWire

/// The messages that the room thread tells in one turn: texts, and the destinations of each, in
/// order.
///
/// A text is held once for all its destinations. Events are held as they are: `ParcelSender` encodes
/// them, so that the room thread need not. The memory is kept from turn to turn, and the size is
/// limited.
/// Thread: one at a time.
final class Parcel {
  struct Text {
    enum Content {
      /// An encoded packet, by its place in `bytes`.
      case packet(offset: Int, length: Int)
      /// `clock` gives the moment of a beat that is told ahead.
      case event(Event, clock: ServerClock)
    }

    var content: Content
    /// Whether a later message replaces it, so that a slow reader may miss it.
    var isDispensable: Bool
  }

  /// One thing to do for one destination.
  struct Entry {
    enum Deed {
      /// Sends a text. One that goes alone shares no bundle with others.
      case tell(Int, goesAlone: Bool)
      /// Ends the connection, after everything before it was sent.
      case close(WebSocketClose)
    }

    var deed: Deed
    var way: Transport
  }

  let number: Int32
  // Unchecked exclusivity: one thread at a time, and none of the users calls back.
  @exclusivity(unchecked) private(set) var bytes: [UInt8] = []
  @exclusivity(unchecked) private(set) var texts: [Text] = []
  @exclusivity(unchecked) private(set) var entries: [Entry] = []
  @exclusivity(unchecked) private var weight = 0

  /// About so many bytes of memory. A turn of a full room with 64 subscribers needs a tenth.
  static let mostWeight = 4 << 20
  private static let weightOfText = 128
  private static let weightOfEntry = 96

  /// - Parameter number: the parcel's place among those that go to and fro between two threads.
  init(number: Int32 = 0) { self.number = number }

  var isEmpty: Bool { entries.isEmpty }

  /// Whether dispensable texts are not taken any more. The rest of the memory stays for the others.
  var isCrowded: Bool { weight > Parcel.mostWeight / 2 }

  /// - Returns: the text's number for `add`; nil where there is no room for it.
  func write(_ packet: [UInt8], isDispensable: Bool = false) -> Int? {
    guard makesRoom(for: packet.count, isDispensable: isDispensable) else { return nil }
    texts.append(
      Text(
        content: .packet(offset: bytes.count, length: packet.count), isDispensable: isDispensable))
    bytes += packet
    return texts.count - 1
  }

  /// Likewise for an event, or for several (`.together`).
  func write(_ event: Event, clock: ServerClock, isDispensable: Bool = false) -> Int? {
    let parts = if case .together(let events) = event { events.count } else { 0 }
    guard makesRoom(for: parts * Parcel.weightOfText, isDispensable: isDispensable) else {
      return nil
    }
    texts.append(Text(content: .event(event, clock: clock), isDispensable: isDispensable))
    return texts.count - 1
  }

  private func makesRoom(for size: Int, isDispensable: Bool) -> Bool {
    guard weight <= (isDispensable ? Parcel.mostWeight / 2 : Parcel.mostWeight) else {
      return false
    }
    weight += size + Parcel.weightOfText
    return true
  }

  /// - Returns: false where there is no room for it.
  func add(_ deed: Entry.Deed, to way: Transport) -> Bool {
    guard weight <= Parcel.mostWeight else { return false }
    weight += Parcel.weightOfEntry
    entries.append(Entry(deed: deed, way: way))
    return true
  }

  func removeAll() {
    guard weight > 0 else { return }
    bytes.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    weight = 0
  }
}
