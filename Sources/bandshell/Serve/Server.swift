import JamBackend
import JamBonjour
import JamCommand
import JamCore
import JamDevice
import JamNet
import JamOSC
import JamRealtime
import JamRoom
import JamServer
import JamStore
import JamStream
import JamWeb
import JamWire
import NIOCore
import NIOPosix
import Synchronization

/// The whole server. This is the only place that creates the parts, connects them, and starts and
/// stops their threads.
///
/// Thread: open and close from one; the rest any.
final class Server: Sendable {
  let options: ServerOptions
  let log: any ServerLog
  let registry: RoomRegistry
  let thread = RoomThread()
  let workers: RenderWorkers
  let encoding: EncodeThread
  let media: MediaServer
  let pages = PageFanout()
  let osc: OSCServer
  let web: Mutex<WebServer?> = Mutex(nil)
  let bonjour: Mutex<Bonjour?> = Mutex(nil)
  let rooms: ServerRooms
  let kitStore: KitStore
  let store: RoomStore?
  let takes: ServerTakes?
  let library: ServerLibrary?
  let maintenance = MaintenanceThread()
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
  let opened = HostTime.now
  let clock = ServerClock()
  let oscHosts: HostList
  let webHosts: HostList
  /// Nil where the server has no TLS.
  let tls: ServerTLS?
  /// The limit on trying passwords, host words and tokens, by any way into the server.
  let guesses = GuessLimit<GuessSource>()
  private let speakers: ALSAOutput?
  private let midi: ServerMIDI?

  /// Starts the server: when this returns, everything accepts traffic.
  /// - Throws: `StartError`; nothing is left running then that matters to a process about to exit.
  init(options: ServerOptions, log: any ServerLog = NoLog()) async throws {
    self.options = options
    self.log = log
    oscHosts = HostList { options.osc.hosts }
    let webHosts = HostList { options.http.hosts }
    self.webHosts = webHosts
    tls = try ServerTLS(
      options.tls, data: options.dataFolder,
      names: { ServerTLS.names(hosts: webHosts.hosts(at: .now) + options.publicNames.all) }, log: log)
    let kits = try ServerStores.kits(in: options.kitFolders, and: options.dataFolder, log: log)
    self.kitStore = kits.store
    workers = RenderWorkers(origin: opened)
    encoding = EncodeThread()
    let sockets = try Server.mediaSockets(options.media)
    let started = NTPTime(bits: clock.timetag(at: opened).raw)
    media = MediaServer(
      sockets: sockets, clock: WallClock(ntp: started, at: opened),
      publicAddress: options.publicNames.address, loss: options.loss,
      name: "bandshell")
    store = options.dataFolder.map { RoomStore(in: $0.path, kitStore: kits.store, log: log) }
    let catalogue = options.dataFolder.flatMap { ServerStores.catalogue(in: $0, log: log) }
    let projects = catalogue.map { ServerProjects($0, kitStore: kits.store, log: log) }
    takes = Server.takes(options, catalogue, kits, maintenance, log)
    library = ServerStores.library(of: catalogue, kits.store, maintenance, log: log)
    let rooms = ServerRooms(
      options: options.ofRooms, kitStore: kits.store, firstKit: kits.first, thread: thread, workers: workers,
      encoding: encoding, pages: pages, input: Server.input(options, log), maintenance: maintenance,
      store: store, projects: projects, takes: takes, library: library, log: log)
    self.rooms = rooms
    let thread = thread
    projects?.whenGone { [weak rooms] name, project in
      guard let room = rooms?.room(name)?.room else { return }
      thread.submit { room.assumeIsolated { $0.projectGone(project) } }
    }
    takes?.whenTold { [weak rooms] name, news in
      guard let room = rooms?.room(name)?.room else { return }
      thread.submit { room.assumeIsolated { $0.take(news) } }
    }
    store?.whenChanged { [weak rooms] name, report in
      guard let room = rooms?.room(name)?.room else { return }
      thread.submit { room.assumeIsolated { $0.journalIs(report) } }
    }
    let make: @Sendable (PlayerName) throws(Refusal) -> Room = { (name) throws(Refusal) in try rooms.open(name).room }
    registry = RoomRegistry(main: options.rooms[0], make: options.opensRooms ? make : nil)
    // Rooms that players had opened are opened again as well.
    let others = options.opensRooms ? store?.openRooms ?? [] : []
    store?.prepare(options.rooms + others)
    for name in options.rooms + others where registry.room(name) == nil {
      do throws(Refusal) {
        registry.add(try rooms.open(name).room)
      } catch {
        throw StartError("room \(name) cannot be opened: \(error.words)", .unavailable)
      }
    }
    guard let main = rooms.room(options.rooms[0]) else {
      throw StartError("there is no room to play in: name one with --room", .unavailable)
    }
    do {
      osc = try await OSCServer(
        options.osc.addresses, registry: registry, thread: thread, group: group,
        queries: MultiThreadedEventLoopGroup(numberOfThreads: 1), clock: clock, guesses: guesses,
        log: log)
    } catch {
      throw StartError("\(error)", .unavailable)
    }
    let osc = osc
    rooms.whenOpened { osc.listen(to: $0) }
    maintenance.watch { osc.lookAtNetworks() }
    if let senders = options.dataFolder.map({ SenderFile(in: $0.path) }) {
      osc.resume(KeptSenders(senders.read()))
      maintenance.watch { if let known = osc.senders { senders.write(known.text) } }
    }
    if options.opensRooms {
      let registry = registry
      thread.add(VacancyWatch(from: opened) { rooms.closeVacant(in: registry, at: $0) })
    }
    let late = Mutex(LateBuffers())
    maintenance.watch { [weak rooms] in
      guard let rooms else { return }
      let counts = Dictionary(rooms.all.map { ($0.room.name, $0.slot.lateBuffers) }) { $1 }
      for event in late.withLock({ $0.look(counts) }) { log.write(event) }
    }
    let lights = Mutex(HearingWatch(from: opened))
    maintenance.watch { [weak rooms, media] in
      guard let rooms else { return }
      lights.withLock { rooms.lookAtHearing(&$0, media.statistics) }
    }
    maintenance.watch { [weak store] in store?.look() }
    speakers = try Server.speakers(options, main)
    midi = try Server.midi(options, main, log)
    let warning = startThreads()
    // The whole state of rooms that came back is on the disk before anybody can change them,
    // because writing it takes longer than a change may take.
    keepAll { $0.keepNow() }
    if let warning { log.write(.serverWarning, ["reason": .text(warning)]) }
    let names = HostNames(
      given: options.publicNames.hosts,
      own: [ServerTLS.machine, options.http.host ?? "", options.osc.host ?? ""])
    do {
      let server = try await WebServer.start(
        on: [options.http.webAddress], backend: self, group: group, limits: Server.webLimits, proxies: options.proxies,
        names: names, keys: tls?.keys, guesses: guesses)
      web.withLock { $0 = server }
      let door = TreeDoor(
        backend: self, proxies: options.proxies, names: names, keys: tls?.keys, guesses: guesses,
        beside: server)
      osc.handHTTP { channel in try door.install(on: channel) }
      let port = UInt16(clamping: server.port)
      let addresses = (try? options.http.addresses.map { $0.with(port: port) }) ?? []
      let wrongPort = osc.watch(webPortAt: addresses, log: log)
      maintenance.watch { wrongPort.look(at: .now) }
    } catch {
      // The threads must not outlive the objects that they use.
      await close()
      throw StartError("\(error)", .unavailable)
    }
    announce()
  }

  var httpPort: Int { web.withLock { $0?.port } ?? 0 }

  /// Ends everything, in the order in which the parts depend on each other.
  func close() async {
    // The goodbye comes first: nobody should find a server that is about to end.
    bonjour.withLock { $0 }?.stop()
    keepAll()
    osc.stop()
    if let server = web.withLock({ $0 }) { await server.stop() }
    speakers?.stop()
    midi?.stop()
    workers.stop()
    encoding.stop()
    media.stop()
    pages.stop()
    thread.stop()
    maintenance.close()
    takes?.close()
    library?.close()
    store?.end()
    // After this, the last blocks, names and kits are on the disk.
    kitStore.close()
    try? await group.shutdownGracefully()
    await osc.end()
  }

  /// Keeps the rooms as they are now, with the people in them. Waits for the room thread and then
  /// for the disk, at most a second for each.
  func keepAll() { keepAll { $0.endKeeping() } }

  private func keepAll(_ keep: @escaping @Sendable (isolated Room) -> Void) {
    guard let store else { return }
    let done = WakeSignal()
    let ticket = done.ticket
    let open = rooms.all.map(\.room)
    thread.submit {
      for room in open { room.assumeIsolated(keep) }
      done.raise()
    }
    done.wait(since: ticket, atMostMilliseconds: 1_000)
    store.flush()
  }

  /// Fewer connections than file descriptors, so that descriptors are left for scores, sounds and
  /// listeners.
  private static var webLimits: WebLimits {
    var limits = WebLimits.standard
    limits.connections = min(limits.connections, max(16, (OpenFiles.limit - StartProbe.descriptors) / 4 * 3))
    return limits
  }

  private func startThreads() -> String? {
    // The rooms start first, so that the engines find their clock before they render.
    store?.start()
    maintenance.start()
    thread.start()
    encoding.start()
    media.start()
    pages.start()
    return workers.start()
  }

  private static func takes(
    _ options: ServerOptions, _ catalogue: Catalogue?, _ kits: (store: KitStore, first: PlayableKit),
    _ maintenance: MaintenanceThread, _ log: any ServerLog
  ) -> ServerTakes? {
    guard let catalogue, let path = options.dataFolder?.path else { return nil }
    let takes = ServerTakes(
      in: DataFolder.takes(in: path), catalogue: catalogue, kitStore: kits.store, firstKit: kits.first,
      keeping: options.keep, maintenance: maintenance, log: log,
      workshop: .process(ExportProcess(kits: options.kitFolders, data: path)))
    takes.sweepMade(unlessOf: kits.store.sourcesText)
    kits.store.watch(for: takes) { [weak takes, store = kits.store] _ in takes?.sweepMade(unlessOf: store.sourcesText) }
    return takes
  }

  private static func input(_ options: ServerOptions, _ log: any ServerLog) -> ServerInput? {
    switch options.input {
    case "none"?: return nil
    case let named?:
      let input = ServerInput(device: named)
      // This is only a warning, because the device may be plugged in later.
      if let objection = input.objection { log.write(.serverWarning, ["reason": .text(objection)]) }
      return input
    case nil: return ALSADevices.canCapture ? ServerInput(device: "default") : nil
    }
  }

  private static func mediaSockets(_ listening: Listening) throws(StartError) -> [DatagramSocket] {
    do throws(NetError) {
      var sockets: [DatagramSocket] = []
      for address in try listening.addresses {
        let wanted = sockets.first.map { address.with(port: $0.localAddress.port) } ?? address
        sockets.append(try DatagramSocket(binding: wanted, receiveBufferBytes: 1 << 20, sendBufferBytes: 8 << 20))
      }
      return sockets
    } catch {
      throw StartError("cannot open the media port: \(error); choose another with --media HOST:PORT", .unavailable)
    }
  }

  /// The clock of the MIDI sequencer for `main`, where there is one.
  private static func midi(
    _ options: ServerOptions, _ main: ServerRoom, _ log: any ServerLog
  ) throws(StartError) -> ServerMIDI? {
    guard options.midi != "none", options.midi != nil || MIDIInput.isThere else { return nil }
    let midi = ServerMIDI(room: main.room)
    do throws(DeviceError) {
      try midi.start(from: options.midi)
    } catch {
      // A port that nobody asked for must not keep the server from playing.
      guard options.midi == nil else { throw StartError("\(error)", .unavailable) }
      log.write(.serverWarning, ["reason": "\(error)"])
      return nil
    }
    return midi
  }

  /// The loudspeaker device that plays the first room, `main`; nil where there is none.
  static func speakerDevice(_ options: ServerOptions) -> String? {
    switch options.alsa {
    case "none"?: nil
    case let named?: named
    case nil: ALSADevices.cards.isEmpty ? nil : "default"
    }
  }

  private static func speakers(_ options: ServerOptions, _ main: ServerRoom) throws(StartError) -> ALSAOutput? {
    guard let device = speakerDevice(options) else { return nil }
    let output = ALSAOutput(device: device, tape: main.parts.tape, wake: main.wake)
    let clickSwitch = SpeakerClick(output)
    let room = main.room
    room.thread.submit { room.assumeIsolated { $0.add(clickSwitch) } }
    guard options.alsa != nil else {
      output.startRetrying()
      return output
    }
    do throws(DeviceError) {
      try output.start()
    } catch {
      throw StartError("\(error)", .unavailable)
    }
    return output
  }
}
