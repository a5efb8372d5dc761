package import JamCore

/// The settings with which every room of a server begins.
package struct RoomOptions: Sendable {
  /// The rooms that stay open as long as the server runs; the first is `main`.
  var rooms: [PlayerName]
  var tempo: Tempo
  var password: String?
  var hostWord: String
  /// Whether the machine's loudspeakers play `main`.
  var hasSpeakers: Bool

  package init(rooms: [PlayerName], tempo: Tempo, password: String?, hostWord: String, hasSpeakers: Bool) {
    self.rooms = rooms
    self.tempo = tempo
    self.password = password
    self.hostWord = hostWord
    self.hasSpeakers = hasSpeakers
  }
}
