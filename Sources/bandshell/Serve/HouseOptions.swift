import JamCore
import JamStream

/// What a house is opened with.
struct HouseOptions: Sendable {
  static let mainRoom = "main"

  var osc: Listening
  var http: Listening
  var media: Listening
  var publicAddress: String?
  /// Loses WebRTC's datagrams on purpose.
  var loss: DatagramLoss?
  var kitFolders: [String]
  var dataFolder: DataFolder?
  /// nil: the default device where there is one; `none`: no loudspeakers.
  var alsa: String?
  /// nil: the default device where there is one that records; `none`: no input.
  var input: String?
  /// nil: a port of the ALSA sequencer where there is one; `none`: no port; else whom it hears from at once.
  var midi: String?
  /// The first is `main`.
  var rooms: [PlayerName]
  var opensRooms: Bool
  var password: String?
  var hostWord: String
  var tempo: Tempo
}
