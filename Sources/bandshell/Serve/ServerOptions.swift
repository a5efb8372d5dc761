import Glibc
import JamCommand
import JamCore
import JamRoom
import JamServer
import JamStream
import JamWeb

/// What a server is started with.
struct ServerOptions: Sendable {
  static let mainRoom = "main"

  var osc: Listening
  var http: Listening
  var media: Listening
  var publicAddress: String?
  /// Loses WebRTC's datagrams on purpose.
  var loss: DatagramLoss?
  var kitFolders: [String]
  var dataFolder: DataFolder?
  /// What to tell where there is none and none was refused.
  var dataWarning: String?
  /// How long takes are kept that nobody has starred.
  var keep = KeepRule.standard
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
  /// Whoever runs the server chose it, and so knows it.
  var isHostWordGiven: Bool
  var tls = TLSWish.none
  /// Who is believed about whom they ask for.
  var proxies: TrustedProxies
  var tempo: Tempo
}

extension ServerOptions {
  var ofRooms: RoomOptions {
    RoomOptions(
      rooms: rooms, tempo: tempo, password: password, hostWord: hostWord,
      hasSpeakers: Server.speakerDevice(self) != nil)
  }

  /// What to tell of given words that a guesser can lock out; nil where all of them are strong.
  var weakWords: String? {
    let isWeakPassword = password.map(Secrets.isStrong) == false
    let isWeakHostWord = isHostWordGiven && !Secrets.isStrong(Secrets.spoken(hostWord))
    let words = [isWeakPassword ? "the password" : nil, isWeakHostWord ? "the host word" : nil].compactMap { $0 }
    guard !words.isEmpty else { return nil }
    return
      "\(words.joined(separator: " and ")) \(words.count == 1 ? "has" : "have") less than \(Secrets.strongBytes) bytes: whoever shares an address with somebody who "
      + "guesses waits with it, and may be refused; give a longer word"
  }

  /// What a log begins with: how the server was started, without its words.
  var logEvent: LogEvent {
    LogEvent(
      .serverStarted,
      [
        "version": .text(Version.text), "osc": .text(osc.text), "http": .text(http.text),
        "media": .text(media.text), "rooms": .text(rooms.map(\.text).joined(separator: ",")),
        "open-rooms": .flag(opensRooms), "password": .flag(password != nil), "data": .text(dataFolder?.path ?? ""),
        "kits": .text(kitFolders.joined(separator: ",")), "process": LogValue(getpid()),
      ])
  }
}
