import Glibc
import JamBackend
import JamBonjour
import JamCommand
import JamCore
import JamNet
import JamRoom
import JamServer
import JamStream
import JamWeb

/// The options of a server.
struct ServerOptions: Sendable {
  static let mainRoom = "main"

  var osc: Listening
  var http: Listening
  var media: Listening
  var publicNames = PublicNames()
  /// How the networks are told of the server.
  var mdns = BonjourWay.off
  /// Loses WebRTC's datagrams on purpose.
  var loss: DatagramLoss?
  var kitFolders: [String]
  var dataFolder: DataFolder?
  /// A warning where there is no data folder, although nobody asked for none.
  var dataWarning: String?
  /// How long takes are kept that nobody has starred.
  var keep = KeepRule.standard
  /// nil: the default device where there is one; `none`: no loudspeakers.
  var alsa: String?
  /// nil: the default device where there is one that records; `none`: no input.
  var input: String?
  /// nil: a port of the ALSA sequencer where there is one; `none`: no port; otherwise the client to
  /// listen to at once.
  var midi: String?
  /// The first is `main`.
  var rooms: [PlayerName]
  /// A sentence for each room that has another name than was typed.
  var renamedRooms: [String] = []
  var opensRooms: Bool
  var password: String?
  var hostWord: String
  /// The operator has chosen the host word, and so knows it.
  var isHostWordGiven: Bool
  var tls = TLSWish.none
  /// The proxies that may name the client of a request.
  var proxies: TrustedProxies
  var tempo: Tempo
}

extension ServerOptions {
  /// `main` and the rooms of `--room`, each once.
  static func rooms(_ typed: [String]) -> [PlayerName] {
    ([mainRoom] + typed).compactMap { PlayerName($0) }.reduce(into: []) { rooms, name in
      if !rooms.contains(name) { rooms.append(name) }
    }
  }

  /// A sentence for each name that cannot be typed in addresses, with the name that it became.
  static func renamed(_ typed: [String]) -> [String] {
    typed.compactMap { text in
      guard let name = PlayerName(text), name.text != text else { return nil }
      return
        "--room “\(text)” is served as “\(name)”: an address has no spaces and no / # * , ? [ ] { }"
    }
  }

  var ofRooms: RoomOptions {
    RoomOptions(
      rooms: rooms, tempo: tempo, password: password, hostWord: hostWord,
      hasSpeakers: Server.speakerDevice(self) != nil)
  }

  /// A warning about given words that are too short: strangers who guess can lock out the people
  /// who know them. Nil where all words are strong.
  var weakWords: String? {
    let isWeakPassword = password.map(Secrets.isStrong) == false
    let isWeakHostWord = isHostWordGiven && !Secrets.isStrong(Secrets.spoken(hostWord))
    let words = [isWeakPassword ? "the password" : nil, isWeakHostWord ? "the host word" : nil].compactMap { $0 }
    guard !words.isEmpty else { return nil }
    return
      """
      \(words.joined(separator: " and ")) \(words.count == 1 ? "has" : "have") less than \(Secrets.strongBytes) \
      bytes: whoever shares an address with somebody who \
      guesses waits with it, and may be refused; give a longer word
      """
  }

  /// The first event of a log: how the server was started, without its words.
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
