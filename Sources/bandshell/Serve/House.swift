import Dispatch
import JamCore
import JamDevice
import JamKit
import JamNet
import JamOSC
import JamRealtime
import JamRoom
import JamStream
import JamWeb
import JamWire
import NIOCore
import NIOPosix
import Synchronization

/// The whole server: the one place that makes the parts, ties them together, and starts and stops their threads.
///
/// Thread: open and close from one; the rest any.
final class House: Sendable {
  let options: HouseOptions
  let lobby: Lobby
  let thread = RoomThread()
  let workers: RenderWorkers
  let encoding: EncodeThread
  let media: MediaServer
  let pages = PageFanout()
  let osc: OSCServer
  let web: Mutex<WebServer?> = Mutex(nil)
  let rooms: HouseRooms
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
  let opened = HostTime.now
  let clock = ServerClock()
  let oscHosts: HostList
  private let speakers: ALSAOutput?
  private let midi: HouseMIDI?

  /// Opens the house: when this returns, everything accepts traffic.
  /// - Throws: `HouseError`, with nothing left running that would matter to a process about to exit.
  init(options: HouseOptions) async throws {
    self.options = options
    oscHosts = HostList { Announcement.hosts(of: options.osc) }
    let shelf = try House.kits(options)
    workers = RenderWorkers(origin: opened)
    encoding = EncodeThread()
    let sockets = try House.mediaSockets(options.media)
    let started = NTPTime(bits: clock.timetag(at: opened).raw)
    media = MediaServer(
      sockets: sockets, clock: WallClock(ntp: started, at: opened),
      publicAddress: options.publicAddress.flatMap { SocketAddress(host: $0) }, loss: options.loss,
      name: "bandshell")
    let rooms = HouseRooms(
      options: options, shelf: shelf.shelf, firstKit: shelf.first, thread: thread, workers: workers,
      encoding: encoding, pages: pages, input: House.input(options))
    self.rooms = rooms
    let make: @Sendable (PlayerName) -> Room = { rooms.open($0).room }
    lobby = Lobby(main: options.rooms[0], make: options.opensRooms ? make : nil)
    for name in options.rooms where lobby.room(name) == nil { lobby.add(rooms.open(name).room) }
    do {
      osc = try await OSCServer(
        options.osc.addresses, lobby: lobby, thread: thread, group: group, clock: clock)
    } catch {
      throw HouseError("\(error)", .unavailable)
    }
    let osc = osc
    rooms.whenOpened { osc.listen(to: $0) }
    speakers = try House.speakers(options, rooms.open(options.rooms[0]))
    midi = try House.midi(options, rooms.open(options.rooms[0]))
    if let warning = startThreads() { Console.warning("\(warning)") }
    do {
      let server = try await WebServer.start(on: [options.http.webAddress], house: self, group: group)
      web.withLock { $0 = server }
    } catch {
      // The threads must not outlive what they work on.
      await close()
      throw HouseError("\(error)", .unavailable)
    }
  }

  var httpPort: Int { web.withLock { $0?.port } ?? 0 }

  /// Ends everything, in the order in which the parts depend on each other.
  func close() async {
    osc.stop()
    if let server = web.withLock({ $0 }) { await server.stop() }
    speakers?.stop()
    midi?.stop()
    workers.stop()
    encoding.stop()
    media.stop()
    pages.stop()
    thread.stop()
    rooms.close()
    try? await group.shutdownGracefully()
  }

  private func startThreads() -> String? {
    // The rooms first: the engines then find their clock before they render.
    thread.start()
    encoding.start()
    media.start()
    pages.start()
    return workers.start()
  }

  private static func kits(_ options: HouseOptions) throws(HouseError) -> (shelf: KitShelf, first: PlayableKit) {
    let places = options.kitFolders.joined(separator: ", ")
    guard !options.kitFolders.isEmpty else {
      throw HouseError("no folder of kits was found: name one with --kits DIR", .badData)
    }
    let data = options.dataFolder?.path
    let catalogue = KitCatalogue(scanning: DataFolder.kitFolders(options.kitFolders, and: data))
    for problem in catalogue.problems { Console.warning("\(problem)") }
    let shelf = KitShelf(
      catalogue: catalogue, sounds: data.map(DataFolder.sounds), savedKits: data.map(DataFolder.kits),
      blocks: data.map(DataFolder.blocks), report: { Console.warning("\($0)") })
    for kit in shelf.kits {
      do throws(KitError) {
        return (shelf, try shelf.load(kit.id))
      } catch {
        Console.warning("\(error)")
      }
    }
    throw HouseError("there is no kit that can be played in \(places): try `bandshell kits check`", .badData)
  }

  private static func input(_ options: HouseOptions) -> HouseInput? {
    switch options.input {
    case "none"?: return nil
    case let named?:
      let input = HouseInput(device: named)
      // Only a warning: it may be plugged in later.
      if let objection = input.objection { Console.warning(objection) }
      return input
    case nil: return ALSADevices.canCapture ? HouseInput(device: "default") : nil
    }
  }

  private static func mediaSockets(_ listening: Listening) throws(HouseError) -> [DatagramSocket] {
    do throws(NetError) {
      var sockets: [DatagramSocket] = []
      for address in try listening.addresses {
        let wanted = sockets.first.map { address.with(port: $0.localAddress.port) } ?? address
        sockets.append(try DatagramSocket(binding: wanted, receiveBufferBytes: 1 << 20, sendBufferBytes: 8 << 20))
      }
      return sockets
    } catch {
      throw HouseError("cannot open the media port: \(error); choose another with --media HOST:PORT", .unavailable)
    }
  }

  /// The sequencer's clock for `main`, where there is one.
  private static func midi(_ options: HouseOptions, _ main: HouseRoom) throws(HouseError) -> HouseMIDI? {
    guard options.midi != "none", options.midi != nil || MIDIInput.isThere else { return nil }
    let midi = HouseMIDI(room: main.room)
    do throws(DeviceError) {
      try midi.start(from: options.midi)
    } catch {
      // A port that nobody asked for is no reason not to play.
      guard options.midi == nil else { throw HouseError("\(error)", .unavailable) }
      Console.warning("\(error)")
      return nil
    }
    return midi
  }

  /// The loudspeakers of `main`, where there are any.
  /// Where the first room is played; nil is nowhere.
  static func speakerDevice(_ options: HouseOptions) -> String? {
    switch options.alsa {
    case "none"?: nil
    case let named?: named
    case nil: ALSADevices.cards.isEmpty ? nil : "default"
    }
  }

  private static func speakers(_ options: HouseOptions, _ main: HouseRoom) throws(HouseError) -> ALSAOutput? {
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
      throw HouseError("\(error)", .unavailable)
    }
    return output
  }
}
