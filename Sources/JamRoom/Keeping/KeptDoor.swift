internal import JamCore

/// The door as the journal keeps it.
struct KeptDoor: Kept, Equatable {
  var isClosed = false
  /// The names of those who wait.
  var waiting: [PlayerName] = []
  /// The tokens of those who were in and left.
  var known: [String] = []

  init() {}

  init(_ roster: Roster) {
    isClosed = roster.door.isClosed
    waiting = roster.people.filter { roster.door.waits($0.id) }.map(\.name)
    known = roster.known.tokens
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
