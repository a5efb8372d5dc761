import Glibc
import JamCore
import JamDevice
import JamRealtime
import JamRoom
import JamStream
import Synchronization

/// A room with everything that was made for it.
struct HouseRoom: Sendable {
  let room: Room
  let parts: EngineParts
  let seat: EngineSeat
  let wake: WakeSignal
  let streams: RoomStreams
  let mount: OggMount
  let journal: ScoreJournal?
}

/// Opens rooms, and remembers what belongs to each.
///
/// Thread: any.
final class HouseRooms: Sendable {
  private struct State {
    var open: [PlayerName: HouseRoom] = [:]
    var announce: (@Sendable (Room) -> Void)?
  }

  private let options: HouseOptions
  private let shelf: KitShelf
  private let firstKit: PlayableKit
  private let thread: RoomThread
  private let workers: RenderWorkers
  private let encoding: EncodeThread
  private let pages: PageFanout
  private let input: HouseInput?
  private let state = Mutex(State())

  init(
    options: HouseOptions, shelf: KitShelf, firstKit: PlayableKit, thread: RoomThread, workers: RenderWorkers,
    encoding: EncodeThread, pages: PageFanout, input: HouseInput?
  ) {
    self.input = input
    self.options = options
    self.shelf = shelf
    self.firstKit = firstKit
    self.thread = thread
    self.workers = workers
    self.encoding = encoding
    self.pages = pages
  }

  var all: [HouseRoom] { state.withLock { Array($0.open.values) } }
  var kitCount: Int { shelf.kits.count }

  func room(_ name: PlayerName) -> HouseRoom? { state.withLock { $0.open[name] } }

  /// Calls `announce` with every room that is opened from now on.
  func whenOpened(_ announce: @escaping @Sendable (Room) -> Void) { state.withLock { $0.announce = announce } }

  /// The room of that name, opened now if it is not.
  func open(_ name: PlayerName) -> HouseRoom {
    if let room = room(name) { return room }
    let made = make(name)
    let (room, announce) = state.withLock { state in
      let room = state.open[name] ?? made
      state.open[name] = room
      return (room, state.announce)
    }
    announce?(room.room)
    return room
  }

  private func make(_ name: PlayerName) -> HouseRoom {
    let parts = EngineParts()
    let anchor = workers.anchor(openingAt: .now)
    let state = RoomState(
      name: name, kits: shelf.kits, firstKit: firstKit, anchor: anchor, tempo: options.tempo,
      hostWord: options.hostWord, hasSpeakers: name == options.rooms[0] && House.speakerDevice(options) != nil)
    let journal = openJournal(name)
    let room = Room(
      state: state, parts: parts, thread: thread, anchor: anchor, shelf: shelf, password: options.password,
      journal: journal, recorder: input)
    let thread = thread
    thread.submit {
      room.assumeIsolated { $0.begin() }
      thread.add(room)
    }
    let streams = RoomStreams(room: name.text, tape: parts.tape.tape, anchor: anchor)
    streams.whenChanged { room.streamsChanged($0) }
    encoding.add(streams)
    let seat = workers.add(parts.engine, tape: parts.tape, anchor: anchor, wake: encoding.wake)
    return HouseRoom(
      room: room, parts: parts, seat: seat, wake: encoding.wake, streams: streams,
      mount: OggMount(room: streams, fanout: pages), journal: journal)
  }

  /// A score of its own for each room and start; without it the room plays all the same.
  private func openJournal(_ name: PlayerName) -> ScoreJournal? {
    guard let folder = options.dataFolder else { return nil }
    do throws(HouseError) {
      return try ScoreJournal(path: folder.score(of: name, at: time(nil)), room: name, tempo: options.tempo)
    } catch {
      Console.warning("\(error.text)")
      return nil
    }
  }

  /// After every thread has stopped: the last words of the journals.
  func close() { for room in all { room.journal?.close() } }
}
