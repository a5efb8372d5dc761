internal import JamCore

/// The room's door: whether it is closed, and who waits at it.
///
/// A newcomer at the door plays to its own cue alone. Everybody who was let in once is known by its
/// token, here or gone. Bits and a short list: each hit asks for one bit.
struct Door: Equatable, Sendable {
  var isClosed = false
  /// Bit i is place i.
  private var waiting: UInt64 = 0
  /// The tokens of people who were in the room's music and left, the latest last.
  private(set) var known: [String] = []

  private static let mostKnown = 64

  init() {}

  /// As it was kept.
  init(isClosed: Bool, known: [String]) {
    self.isClosed = isClosed
    self.known = known.suffix(Door.mostKnown)
  }

  /// Whether the player of that place waits at the door.
  @inline(__always) func waits(_ id: PlayerID) -> Bool { waiting &>> UInt64(id.index) & 1 == 1 }

  var isAnybodyWaiting: Bool { waiting != 0 }

  mutating func stop(_ id: PlayerID) { waiting |= 1 &<< UInt64(id.index) }

  mutating func letIn(_ id: PlayerID) { waiting &= ~(1 &<< UInt64(id.index)) }

  /// Somebody who was in leaves.
  mutating func remember(_ token: String) {
    known.removeAll { $0 == token }
    if known.count >= Door.mostKnown { known.removeFirst() }
    known.append(token)
  }

  /// A host puts somebody out: it waits again when it comes back.
  mutating func forget(_ token: String) { known.removeAll { $0 == token } }

  func knows(_ visitor: Visitor) -> Bool {
    guard let token = visitor.token else { return false }
    return known.contains { Secrets.equal(token, $0) }
  }
}

/// The door as the journal keeps it.
struct KeptDoor: Kept, Equatable {
  var isClosed = false
  /// The names of those who wait.
  var waiting: [PlayerName] = []
  var known: [String] = []

  init() {}

  init(_ roster: Roster) {
    isClosed = roster.door.isClosed
    waiting = roster.people.filter { roster.door.waits($0.id) }.map(\.name)
    known = roster.door.known
  }

  func keep(in writer: inout KeptWriter) {
    writer.put(isClosed)
    writer.put(waiting)
    writer.put(known)
  }

  init(from reader: inout KeptReader) throws(KeptError) {
    isClosed = try reader.take()
    waiting = try reader.take()
    known = try reader.take()
  }
}
