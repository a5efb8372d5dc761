import ArgumentParser
import CProcess
import Glibc
import JamBackend
import JamBonjour
import JamCommand
import JamCore
import JamDoctor
import JamKit
import JamNet
import JamRealtime
import JamRoom
import JamServer
import JamStream
import JamWeb

/// `bandshell serve`.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Run a jam server until Ctrl-C.",
    discussion: """
      When everything accepts traffic, one line goes to standard output: `ready osc=8000 http=8088 media=8089`. \
      Standard error then
      shows the page's address, and the OSC host and port for every address that others can reach.
      """)

  @OptionGroup var places: PortOptions

  @Option(
    name: .customLong("public"),
    help: ArgumentHelp(
      """
      A name that leads to this machine, as jam.example.org, or the address that others know it by, \
      behind NAT; repeat it for more names. Beside these the page answers addresses, names of local \
      networks (.local, .lan, …), this machine's own name, and those of the certificate and of the \
      proxies of --behind.
      """,
      valueName: "name|address"))
  var publicNames: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      How controllers and browsers of the network find the server by themselves (Bonjour): by \
      Avahi where it runs and else by a responder of its own, by one of them alone, or not at all.
      """,
      valueName: "auto|avahi|own|off"))
  var mdns = BonjourWay.auto

  @Option(
    help: ArgumentHelp(
      "A folder of kits; repeat it for more. Without it: BANDSHELL_KITS, then Kits here or beside the program.",
      valueName: "dir"))
  var kits: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Where rooms are kept, so that they come back after any end, with the score of everything that is played and the \
      sounds, blocks and kits that people bring along; `none` keeps nothing. Without it: $XDG_STATE_HOME/bandshell, \
      else ~/.local/state/bandshell; as root /var/lib/bandshell.
      """,
      valueName: "dir"))
  var data: String?

  @Option(
    help: ArgumentHelp(
      """
      How long takes are kept that nobody has starred: days, what all of them may have together, both as 30d,10GiB, \
      or all.
      """,
      valueName: "rule"))
  var keep = KeepRule.standard

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
      """
      Whose MIDI clock the tempo follows: a client of the ALSA sequencer, or none. Without it: a port to connect to, \
      bandshell:clock, where there is a sequencer.
      """,
      valueName: "client"))
  var midi: String?

  @Option(help: ArgumentHelp("A room beside main; repeat it for more.", valueName: "name"))
  var room: [String] = []

  @Flag(help: "Whoever says /hello with a new room's name opens it.")
  var openRooms = false

  @Option(
    help: ArgumentHelp(
      """
      The word that lets players and listeners in. Better by --password-file or BANDSHELL_PASSWORD: a command line is \
      seen by others on this machine.
      """,
      valueName: "word"))
  var password: String?

  @Option(help: ArgumentHelp("A file with that word on its first line.", valueName: "file"))
  var passwordFile: String?

  @Option(
    help: ArgumentHelp(
      """
      The word that makes a player a host; also by BANDSHELL_HOST_WORD. Without it: a new one each time, printed at \
      the start.
      """,
      valueName: "word"))
  var hostWord: String?

  @Option(help: ArgumentHelp("A file with that word on its first line.", valueName: "file"))
  var hostWordFile: String?

  @Option(
    help: ArgumentHelp(
      """
      TLS on the page's port, beside plain HTTP: auto makes an authority and a certificate of its own, kept in \
      --data, or a file in PEM: the certificate and whoever vouches for it.
      """,
      valueName: "auto|file"))
  var tls: String?

  @Option(help: ArgumentHelp("The certificate's key in PEM, where it is not in the same file.", valueName: "file"))
  var tlsKey: String?

  @Option(
    help: ArgumentHelp(
      "A reverse proxy in front of the page that is believed about its visitors' addresses; repeat it for more.",
      valueName: "address[/prefix]"))
  var behind: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      The header in which the proxies of --behind name their visitors: x-forwarded-for, which is the default, or \
      forwarded. They have to write it themselves; the other one is never read.
      """,
      valueName: "name"))
  var behindHeader: TrustedProxies.Header?

  @Option(
    help: ArgumentHelp(
      """
      Open the page in a browser of this machine as a host: auto (where somebody at a desktop starts the server), yes \
      or no.
      """,
      valueName: "when"))
  var open = OpenWish.auto

  @Option(help: ArgumentHelp("The tempo that rooms begin with, \(Tempo.range.wholeWords).", valueName: "n"))
  var bpm = 120.0

  @Option(help: ArgumentHelp("How lines of the log look: text, or one JSON object each.", valueName: "text|json"))
  var log = LogFormat.text

  @Option(
    help: ArgumentHelp("What the log holds: this and what matters more.", valueName: "level"))
  var logLevel = LogLevelOption.info

  @Option(
    help: ArgumentHelp(
      "Loses so many percent of WebRTC's datagrams on purpose: while a listener connects, and afterwards.",
      valueName: "percent,percent", visibility: .hidden))
  var lose: String?

  @Flag(help: ArgumentHelp("Its end gets stuck on purpose.", visibility: .hidden))
  var hangAtEnd = false

  mutating func validate() throws {
    // Checked here, because an error that `run` throws is shown with the usage of another command.
    guard Tempo(beatsPerMinute: bpm) != nil else {
      throw ValidationError("--bpm \(bpm) is out of range: \(Tempo.range.wholeWords)")
    }
    for name in room where PlayerName(name) == nil {
      throw ValidationError("--room “\(name)” is no name: 1–\(Limits.standard.nameCharacters) characters")
    }
    _ = try PublicNames(publicNames)
    _ = try loss()
    if password == "" { throw ValidationError("--password needs a word; leave it out to let anybody in") }
    if hostWord == "" { throw ValidationError("--host-word needs a word; leave it out for a new one each time") }
    if tls == "" { throw ValidationError("--tls needs auto or a file; leave it out to speak no TLS") }
    if tlsKey != nil, tls == nil || tls == "auto" {
      throw ValidationError("--tls-key names the key of a certificate: name that with --tls FILE")
    }
    guard behindHeader == nil || !behind.isEmpty else {
      throw ValidationError(
        "--behind-header names a header of proxies, and no proxy is named: add --behind with its address")
    }
    for text in behind where AddressRange(text) == nil {
      throw ValidationError("--behind \(text) is no address: write it in numbers, as 127.0.0.1, 10.0.0.0/8 or ::1")
    }
    // The words replace the options, so that the rest of the code does not have to know where they
    // came from.
    password = try SecretWord.given(
      password, file: passwordFile, option: "--password", variable: "BANDSHELL_PASSWORD")
    hostWord = try SecretWord.given(
      hostWord, file: hostWordFile, option: "--host-word", variable: "BANDSHELL_HOST_WORD", isSpoken: true)
    passwordFile = nil
    hostWordFile = nil
  }

  func run() async throws {
    ArgumentVeil.cover(["--password", "--host-word"])
    // Only the user of the server may read the files that it writes: scores, sounds, kits and
    // blocks.
    umask(0o077)
    Heap.mapLargeBlocks()
    let log = LogWriter(format: self.log, level: logLevel.level, descriptor: STDERR_FILENO)
    do {
      try StartProbe.check()
      let signals = try TerminationSignals()
      // Where SWIFT_BACKTRACE is set, somebody wants the runtime's own backtrace.
      if getenv("SWIFT_BACKTRACE") == nil { jam_install_last_words(STDERR_FILENO, self.log == .json ? 1 : 0) }
      log.start()
      let options = try options()
      let server = try await Server(options: options, log: log)
      log.write(options.logEvent)
      if let warning = options.dataWarning { log.write(.serverWarning, ["reason": .text(warning)]) }
      for warning in options.renamedRooms { log.write(.serverWarning, ["reason": .text(warning)]) }
      if let warning = options.weakWords { log.write(.serverWarning, ["reason": .text(warning)]) }
      for room in options.rooms { log.write(.roomOpened, ["room": LogValue(room)]) }
      let announcement = Announcement(server)
      announcement.print(to: log)
      if open.isWanted, let problem = announcement.openPage() { log.write(.serverWarning, ["reason": .text(problem)]) }
      signals.wait()
      log.write(.serverStopping)
      // Everything waits for the room thread, so blocking it makes the end get stuck.
      if hangAtEnd { server.thread.submit { while true { sleep(1_000) } } }
      ClosingBound.begin {
        server.store?.flush()
        server.maintenance.saveAll(atMostMilliseconds: 1_000)
      }
      await server.close()
      log.write(.serverStopped)
      log.close()
    } catch let problem as StartError {
      // Closing the log first writes the events that led to the problem.
      log.close()
      tell(problem)
      throw problem.exitCode
    }
  }

  private func tell(_ problem: StartError) {
    switch log {
    case .text: Console.error(problem.text)
    case .json:
      let event = LogEvent(
        .serverFailed, ["reason": .text(problem.text), "code": LogValue(problem.exitCode.rawValue)])
      Console.line(LogFormat.json.line(event, at: LogStamp.now))
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

  private func options() throws -> ServerOptions {
    let data = try DataFolder.chosen(data)
    let ports = try places.ports()
    return ServerOptions(
      osc: ports.osc, http: ports.http, media: ports.media,
      publicNames: try PublicNames(publicNames), mdns: mdns, loss: try loss(),
      kitFolders: kits.isEmpty ? KitSearch.defaultFolders() : kits, dataFolder: data.folder, dataWarning: data.warning,
      keep: keep, alsa: alsa, input: input, midi: midi,
      rooms: ServerOptions.rooms(room), renamedRooms: ServerOptions.renamed(room), opensRooms: openRooms,
      password: password, hostWord: hostWord ?? Words.random(), isHostWordGiven: hostWord != nil,
      tls: TLSWish(tls, key: tlsKey),
      proxies: TrustedProxies(behind.compactMap(AddressRange.init), header: behindHeader ?? .xForwardedFor),
      tempo: Tempo(clamping: bpm))
  }
}

/// Whether the page is opened in a browser at the start.
enum OpenWish: String, ExpressibleByArgument, CaseIterable {
  case auto, yes, no

  var isWanted: Bool {
    switch self {
    case .auto: Desktop.isThere && Desktop.canOpen
    case .yes: true
    case .no: false
    }
  }
}
