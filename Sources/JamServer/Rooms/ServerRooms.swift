import CProcess
import Glibc
package import JamCore
package import JamDevice
import JamEngine
package import JamRealtime
package import JamRoom
package import JamStream
import Synchronization

/// A room with everything that was made for it.
package struct ServerRoom: Sendable {
  // The slot has to be the first property, because it is then released first. It keeps the engine,
  // which must end before the sounds are freed.
  package let slot: EngineSlot
  package let room: Room
  package let parts: EngineParts
  package let wake: WakeSignal
  package let streams: RoomStreams
  package let mount: OggMount
  let recorder: TakeRecorder?
  /// The server's store of projects; nil where nothing is kept.
  package let serverProjects: ServerProjects?
  package let serverTakes: ServerTakes?
  package let serverLibrary: ServerLibrary?
}

/// Opens rooms, remembers the parts of each, and closes those that nobody is in.
///
/// Thread: any.
package final class ServerRooms: Sendable {
  private struct State {
    var open: [PlayerName: ServerRoom] = [:]
    var announce: (@Sendable (Room) -> Void)?
    var vacancies = Vacancies()
  }

  private let options: RoomOptions
  private let kitStore: KitStore
  private let firstKit: PlayableKit
  private let thread: RoomThread
  private let workers: RenderWorkers
  private let encoding: EncodeThread
  private let pages: PageFanout
  private let input: (any SoundRecorder)?
  private let store: RoomStore?
  private let projects: ServerProjects?
  private let takes: ServerTakes?
  private let library: ServerLibrary?
  private let log: any ServerLog
  private let maintenance: MaintenanceThread
  private let state = Mutex(State())

  package init(
    options: RoomOptions, kitStore: KitStore, firstKit: PlayableKit, thread: RoomThread, workers: RenderWorkers,
    encoding: EncodeThread, pages: PageFanout, input: (any SoundRecorder)?, maintenance: MaintenanceThread,
    store: RoomStore? = nil, projects: ServerProjects? = nil, takes: ServerTakes? = nil, library: ServerLibrary? = nil,
    log: any ServerLog
  ) {
    self.library = library
    self.store = store
    self.projects = projects
    self.takes = takes
    self.maintenance = maintenance
    self.log = log
    self.input = input
    self.options = options
    self.kitStore = kitStore
    self.firstKit = firstKit
    self.thread = thread
    self.workers = workers
    self.encoding = encoding
    self.pages = pages
  }

  package var all: [ServerRoom] { state.withLock { Array($0.open.values) } }

  package func room(_ name: PlayerName) -> ServerRoom? { state.withLock { $0.open[name] } }

  /// Sets the function that is called with every room that opens from now on.
  package func whenOpened(_ announce: @escaping @Sendable (Room) -> Void) { state.withLock { $0.announce = announce } }

  /// The room of that name; it is opened where it is not open.
  /// - Throws: `Refusal` where there is no memory for it.
  package func open(_ name: PlayerName) throws(Refusal) -> ServerRoom {
    if let room = room(name) { return room }
    guard jam_probe_memory(ServerRooms.bytesPerRoom) != 0 else {
      throw .noMemoryForRoom
    }
    let made = make(name)
    let announce = state.withLock { state in
      state.open[name] = made
      return state.announce
    }
    // `announce` is not set while the server starts, so those rooms are not logged here. Where the
    // start fails, its error then stands alone.
    if let announce {
      announce(made.room)
      log.write(.roomOpened, ["room": LogValue(name)])
    }
    return made
  }

  /// The memory of an engine with its tape, and as much again for objects that are made while
  /// somebody plays.
  private static let bytesPerRoom: Int64 = 128 << 20

  private func make(_ name: PlayerName) -> ServerRoom {
    let parts = EngineParts()
    // The room's state is read before its clock begins, because that may have to read sounds.
    let kept = store?.open(name)
    let anchor = workers.anchor(openingAt: .now)
    let tempo = kept?.tempo ?? options.tempo
    let state = RoomState(
      name: name, kits: kitStore.kits, firstKit: firstKit, anchor: anchor, tempo: tempo,
      hostWord: options.hostWord, hasSpeakers: name == options.rooms[0] && options.hasSpeakers,
      instruments: kitStore.instruments)
    let recorder = takes.map { TakeRecorder(in: $0.folder, room: name, tempo: tempo, log: log) }
    let room = Room(
      state: state, parts: parts, thread: thread, anchor: anchor, kitStore: kitStore, password: options.password,
      journal: recorder, recorder: input, kept: kept, projects: projects, takes: takes,
      library: library, keep: ServerRooms.keep(store?.keeper(of: name), recorder))
    if let recorder { begin(recorder, room, parts, anchor) }
    let thread = thread
    let refusal = store?.refusal(of: name)
    thread.submit {
      room.assumeIsolated { room in
        room.begin()
        if let refusal { room.journalIs(refusal) }
      }
      thread.add(room)
    }
    let streams = RoomStreams(room: name.text, tape: parts.tape.tape, anchor: anchor)
    streams.whenChanged { room.streamsChanged($0) }
    encoding.add(streams)
    let slot = workers.add(parts.engine, tape: parts.tape, anchor: anchor, wake: encoding.wake)
    return ServerRoom(
      slot: slot, room: room, parts: parts, wake: encoding.wake, streams: streams,
      mount: OggMount(room: streams, fanout: pages), recorder: recorder, serverProjects: projects, serverTakes: takes,
      serverLibrary: library)
  }

  /// The function that takes the room's images; nil where the room is not kept. The recorder gets
  /// each image as well.
  private static func keep(
    _ keeper: (@Sendable (RoomImage) -> Void)?, _ recorder: TakeRecorder?
  ) -> (@Sendable (RoomImage) -> Void)? {
    guard let keeper, let recorder else { return keeper }
    return { image in
      keeper(image)
      recorder.see(image)
    }
  }

  /// Begins to record the room.
  private func begin(_ recorder: TakeRecorder, _ room: Room, _ parts: EngineParts, _ anchor: ClockAnchor) {
    guard let takes else { return }
    let (name, snapshots) = (room.name, room.snapshots)
    recorder.begin(
      TakeRecorder.Ways(
        isSounding: { parts.engine.status.soundingVoices > 0 }, look: { snapshots.now },
        now: { anchor.frame(at: .now) },
        askForImage: { [weak room] in
          guard let room else { return }
          room.thread.submit { room.assumeIsolated { $0.keepNow() } }
        },
        prelude: { [kitStore, firstKit] image, firstBar, newcomer in
          ScorePrelude(
            of: image, room: name, from: kitStore, firstKit: firstKit, firstBar: firstBar, newcomer: newcomer)
        },
        name: { takes.freeID() }, begun: { takes.begun($0, in: name, at: anchor.frame(at: .now)) },
        ended: { takes.ended($0, in: name) }))
    takes.record(name, with: recorder)
    maintenance.add(recorder)
  }

  /// Closes the rooms that nobody has been in for a while. Rooms that were named at the start stay.
  /// Thread: the room thread, so that nobody enters meanwhile.
  package func closeVacant(in registry: RoomRegistry, at now: HostTime) {
    let others = state.withLock { $0.open.filter { !options.rooms.contains($0.key) } }
    let uses = others.map { (name: $0.key, use: ServerRooms.use(of: $0.value)) }
    let over = state.withLock { $0.vacancies.look(uses, at: now) }
    for name in over {
      // Listeners come on other threads. Each is either in the room by now, or is refused from now
      // on.
      guard let room = others[name], room.streams.closeIfUnheard() else { continue }
      state.withLock { $0.open[name] = nil }
      registry.remove(room.room)
      close(room)
      log.write(.roomClosed, ["room": LogValue(name), "reason": "nobody was in it"])
    }
  }

  private static func use(of room: ServerRoom) -> Vacancies.Use {
    guard room.streams.listenerCount == 0 else { return .inUse }
    return switch room.room.assumeIsolated({ $0.use }) {
    case .inUse: .inUse
    case .loops: .loops
    case .empty: .empty
    }
  }

  private func close(_ room: ServerRoom) {
    thread.remove(room.room)
    room.room.assumeIsolated { $0.close() }
    store?.close(room.room.name)
    // The maintenance thread waits for the worker and frees the memory: the room thread has no time
    // for either.
    maintenance.submit { [encoding, workers, maintenance, store] in
      encoding.remove(room.streams)
      workers.remove(room.slot)
      if let recorder = room.recorder {
        maintenance.finish(recorder)
        room.serverTakes?.record(room.room.name, with: nil)
      }
      store?.prune()
      Heap.trim()
    }
  }
}
