import ArgumentParser
import JamCore
import JamKit
import JamNet
import JamStream

/// `bandshell serve`.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Run a jam server until Ctrl-C.",
    discussion: """
      When everything accepts traffic, one line goes to standard output: `ready osc=8000 http=8088 media=8089`. Standard error then
      shows the page's address, and the OSC host and port for every address that others can reach.
      """)

  @Option(help: ArgumentHelp("OSC over UDP and TCP. Port 0 takes a free one.", valueName: "host:port"))
  var osc = "*:8000"

  @Option(help: ArgumentHelp("The page and the streams.", valueName: "host:port"))
  var http = "*:8088"

  @Option(help: ArgumentHelp("RTP, over UDP.", valueName: "host:port"))
  var media = "*:8089"

  @Option(
    name: .customLong("public"),
    help: ArgumentHelp("The address that others know this machine by, behind NAT.", valueName: "address"))
  var publicAddress: String?

  @Option(
    help: ArgumentHelp(
      "A folder of kits; repeat it for more. Without it: BANDSHELL_KITS, then Kits here or beside the program.",
      valueName: "dir"))
  var kits: [String] = []

  @Option(
    help: ArgumentHelp(
      "Keeps the score of everything that is played, one file per room and start, and the sounds and kits that people bring along.",
      valueName: "dir"))
  var data: String?

  @Option(
    help: ArgumentHelp(
      "The loudspeakers: an ALSA device, or none. Without it: the default device where there is one.",
      valueName: "device"))
  var alsa: String?

  @Option(
    help: ArgumentHelp(
      "What /sample/record records from: an ALSA device, or none. Without it: the default device where there is one.",
      valueName: "device"))
  var input: String?

  @Option(
    help: ArgumentHelp(
      "Whose MIDI clock the tempo follows: a client of the ALSA sequencer, or none. Without it: a port to connect to, bandshell:clock, where there is a sequencer.",
      valueName: "client"))
  var midi: String?

  @Option(help: ArgumentHelp("A room beside main; repeat it for more.", valueName: "name"))
  var room: [String] = []

  @Flag(help: "Whoever says /hello with a new room's name opens it.")
  var openRooms = false

  @Option(help: ArgumentHelp("The word that lets players and listeners in.", valueName: "word"))
  var password: String?

  @Option(
    help: ArgumentHelp(
      "The word that makes a player a host. Without it: a new one each time, printed at the start.", valueName: "word"))
  var hostWord: String?

  @Option(help: ArgumentHelp("The tempo that rooms begin with, 20…300.", valueName: "n"))
  var bpm = 120.0

  @Option(
    help: ArgumentHelp(
      "Loses so many percent of WebRTC's datagrams on purpose: while a listener connects, and afterwards.",
      valueName: "percent,percent", visibility: .hidden))
  var lose: String?

  mutating func validate() throws {
    // Here, because what `run` throws is told with the usage of another command.
    for (text, option) in [(osc, "--osc"), (http, "--http"), (media, "--media")] {
      _ = try Listening(text, option: option)
    }
    guard Tempo(beatsPerMinute: bpm) != nil else { throw ValidationError("--bpm \(bpm) is out of range: 20…300") }
    for name in room where PlayerName(name) == nil {
      throw ValidationError("--room “\(name)” is no name: 1–\(Limits.standard.nameCharacters) characters")
    }
    if let publicAddress, SocketAddress(host: publicAddress) == nil {
      throw ValidationError(
        "--public \(publicAddress) is no address: write it in numbers, as 203.0.113.7 or 2001:db8::7")
    }
    _ = try loss()
    if password == "" { throw ValidationError("--password needs a word; leave it out to let anybody in") }
    if hostWord == "" { throw ValidationError("--host-word needs a word; leave it out for a new one each time") }
  }

  func run() async throws {
    let signals = TerminationSignals()
    do {
      let house = try await House(options: options())
      Announcement(house).print()
      signals.wait()
      await house.close()
    } catch let problem as HouseError {
      Console.error(problem.text)
      throw problem.exitCode
    }
  }

  private func loss() throws -> DatagramLoss? {
    guard let lose else { return nil }
    let shares = lose.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard shares.count == 2, let connecting = shares[0], let playing = shares[1],
      (0...100).contains(connecting), (0...100).contains(playing)
    else { throw ValidationError("--lose \(lose): write two numbers of 0…100, as 30,5") }
    return DatagramLoss(connecting: connecting / 100, playing: playing / 100)
  }

  private func options() throws -> HouseOptions {
    HouseOptions(
      osc: try Listening(osc, option: "--osc"), http: try Listening(http, option: "--http"),
      media: try Listening(media, option: "--media"), publicAddress: publicAddress, loss: try loss(),
      kitFolders: kits.isEmpty ? KitSearch.defaultFolders() : kits, dataFolder: try data.map(DataFolder.init),
      alsa: alsa, input: input, midi: midi,
      rooms: ([HouseOptions.mainRoom] + room).compactMap { PlayerName($0) }, opensRooms: openRooms, password: password,
      hostWord: hostWord ?? Words.random(), tempo: Tempo(clamping: bpm))
  }
}
