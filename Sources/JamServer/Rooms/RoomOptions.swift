package import JamCore

/// What every room of a server begins with.
package struct RoomOptions: Sendable {
  /// Those that are open from the start to the end; the first is `main`.
  var rooms: [PlayerName]
  var tempo: Tempo
  var password: String?
  var hostWord: String
  /// Whether `main` is heard on the machine's loudspeakers.
  var hasSpeakers: Bool

  package init(rooms: [PlayerName], tempo: Tempo, password: String?, hostWord: String, hasSpeakers: Bool) {
    self.rooms = rooms
    self.tempo = tempo
    self.password = password
    self.hostWord = hostWord
    self.hasSpeakers = hasSpeakers
  }
}
