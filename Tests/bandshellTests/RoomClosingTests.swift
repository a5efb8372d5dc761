import Foundation
import JamCore
import JamDevice
import JamKit
import JamNet
import JamRealtime
import JamRoom
@testable import JamServer
import JamStore
import JamStream
import JamWeb
import Synchronization
import TestSupport
import Testing

@testable import bandshell

@Suite("Rooms of a server", .serialized)
struct RoomClosingTests {
  private static let kits = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Kits").path

  /// Everything that rooms need, without sockets. Time is what the test says to `closeVacant`.
  private final class Premises: @unchecked Sendable {
    // Unchecked: one test's.
    let thread = RoomThread()
    let workers = RenderWorkers(count: 1, origin: .now)
    let encoding = EncodeThread()
    let maintenance = MaintenanceThread()
    let rooms: ServerRooms
    let registry: RoomRegistry

    init(dataFolder: DataFolder? = nil) throws {
      let kitStore = KitStore(catalogue: KitCatalogue(scanning: [RoomClosingTests.kits]))
      let first = try kitStore.load(kitStore.kits[0].id)
      let main = PlayerName("main")!
      let options = ServerOptions(
        osc: Listening(host: nil, port: 0), http: Listening(host: nil, port: 0), media: Listening(host: nil, port: 0),
        kitFolders: [], dataFolder: dataFolder, alsa: "none", input: "none", midi: "none",
        rooms: [main, PlayerName("side")!], opensRooms: true, hostWord: "word", isHostWordGiven: true, proxies: .none,
        tempo: Tempo(clamping: 120))
      let maintenance = maintenance
      let takes = try dataFolder.map { folder in
        ServerTakes(
          in: DataFolder.takes(in: folder.path), catalogue: try Catalogue(DataFolder.catalogue(in: folder.path)),
          kitStore: kitStore, firstKit: first, keeping: .all, maintenance: maintenance, log: NoLog())
      }
      let rooms = ServerRooms(
        options: options.ofRooms, kitStore: kitStore, firstKit: first, thread: thread, workers: workers,
        encoding: encoding,
        pages: PageFanout(), input: nil, maintenance: maintenance, takes: takes, log: NoLog())
      self.rooms = rooms
      registry = RoomRegistry(main: main, make: { (name) throws(Refusal) in try rooms.open(name).room })
      for name in options.rooms { registry.add(try rooms.open(name).room) }
      maintenance.start()
      thread.start(priority: 0)
      encoding.start(priority: 0)
      _ = workers.start()
    }

    /// Not as the premises are let go of: that may be on one of these threads, which then would wait for itself.
    func end() {
      workers.stop()
      encoding.stop()
      thread.stop()
      maintenance.close()
    }

    /// On the room thread, and waits for it.
    func on<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
      let value = Mutex<Value?>(nil)
      let done = WakeSignal()
      let ticket = done.ticket
      thread.submit {
        let result = body()
        value.withLock { $0 = result }
        done.raise()
      }
      let patience = Patience()
      while patience.lasts {
        if let value = value.withLock({ $0 }) { return value }
        done.wait(since: ticket, atMostMilliseconds: 100)
      }
      fatalError("the room's thread stands still")
    }

    /// Until the maintenance thread has done what it was given. Twice: closing a room gives it more.
    func settle() {
      for _ in 0..<2 {
        let box = Flag()
        maintenance.submit { box.isSet.store(true, ordering: .releasing) }
        #expect(comesTrue { box.isSet.load(ordering: .acquiring) })
      }
    }

    func closeVacant(after seconds: Double) {
      let now = HostTime.now
      on { [self] in
        rooms.closeVacant(in: registry, at: now)
        rooms.closeVacant(in: registry, at: now.advanced(byMilliseconds: seconds * 1_000))
      }
      settle()
    }
  }

  private final class Flag: Sendable { let isSet = Atomic<Bool>(false) }

  private struct Weak: @unchecked Sendable {
    // Unchecked: weak references are atomic.
    weak var room: Room?
    weak var tape: MixTapeOwner?
    weak var streams: RoomStreams?
  }

  @Test("256 opened, and everybody gone: only those named at the start are left, and the rest's memory is free")
  func all() throws {
    let premises = try Premises()
    defer { premises.end() }
    var gone: [Weak] = []
    for number in 0..<254 {
      let name = PlayerName("room-\(number)")!
      gone.append(
        premises.on {
          guard let room = try? premises.registry.enter(name), let made = premises.rooms.room(name) else {
            return Weak()
          }
          // Somebody comes, hits a pad, and goes again.
          room.assumeIsolated { room in
            let now = room.anchor.frame(at: .now)
            guard let player = try? room.join(name, token: "t", isGuest: false, isHost: false, at: now, origin: .none)
            else { return }
            room.receive(
              .hit(Pad(1)!, Velocity(1)!), from: player, at: Moment(arrival: now), origin: .none)
            room.receive(.leave, from: player, at: Moment(arrival: now), origin: .none)
          }
          return Weak(room: room, tape: made.parts.tape, streams: made.streams)
        })
    }
    #expect(premises.rooms.all.count == 256)
    #expect(gone.allSatisfy { $0.room != nil && $0.tape != nil })
    #expect(throws: Refusal.self) {
      try premises.on { Result { try premises.registry.enter(PlayerName("one-more")!) } }.get()
    }
    premises.closeVacant(after: 61)
    #expect(Set(premises.rooms.all.map { $0.room.name.text }) == ["main", "side"])
    #expect(Set(premises.registry.all.map(\.name.text)) == ["main", "side"])
    // What was on its way to the room's thread may still hold it for a moment.
    let bound = HostTime.now.advanced(byMilliseconds: 30_000)
    while gone.contains(where: { $0.room != nil || $0.tape != nil || $0.streams != nil }), HostTime.now < bound {
      premises.on {}
      premises.settle()
    }
    #expect(gone.count { $0.room != nil } == 0)
    #expect(gone.count { $0.tape != nil } == 0)
    #expect(gone.count { $0.streams != nil } == 0)
    // And there is a place for others.
    #expect(premises.on { (try? premises.registry.enter(PlayerName("room-1")!)) != nil })
  }

  @Test("a room where somebody is stays open, and so does one that somebody listens to")
  func inUse() throws {
    let premises = try Premises()
    defer { premises.end() }
    let played = PlayerName("played")!
    let heard = PlayerName("heard")!
    premises.on {
      guard let room = try? premises.registry.enter(played), (try? premises.registry.enter(heard)) != nil else {
        return
      }
      room.assumeIsolated {
        _ = try? $0.join(
          played, token: "t", isGuest: false, isHost: false, at: $0.anchor.frame(at: .now), origin: .none)
      }
    }
    let listener = try premises.rooms.room(heard)?.mount.admit()
    premises.closeVacant(after: 10_000)
    #expect(Set(premises.rooms.all.map { $0.room.name.text }) == ["main", "side", "played", "heard"])
    withExtendedLifetime(listener) {}
  }

  @Test("whoever comes in the moment that a room closes finds it, or a new one, never a closed one")
  func race() throws {
    let premises = try Premises()
    defer { premises.end() }
    let name = PlayerName("door")!
    for _ in 0..<20 {
      let old = premises.on { try? premises.registry.enter(name) }
      #expect(old != nil)
      let now = HostTime.now
      premises.on { premises.rooms.closeVacant(in: premises.registry, at: now) }
      // Both wait in the thread's inbox, one behind the other, and the maintenance takes the room apart meanwhile.
      premises.thread.submit {
        premises.rooms.closeVacant(in: premises.registry, at: now.advanced(byMilliseconds: 61_000))
      }
      let new = premises.on { try? premises.registry.enter(name) }
      #expect(new != nil && new !== old)
      #expect(premises.rooms.room(name)?.room === new)
      premises.closeVacant(after: 61)
    }
  }

  @Test("a room that closes has its whole score on the disk, and its file is closed")
  func score() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "bandshell-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let premises = try Premises(dataFolder: try DataFolder(folder.path))
    defer { premises.end() }
    let name = PlayerName("studio")!
    premises.on {
      guard let room = try? premises.registry.enter(name) else { return }
      room.assumeIsolated { room in
        let now = room.anchor.frame(at: .now)
        guard let player = try? room.join(name, token: "t", isGuest: false, isHost: false, at: now, origin: .none)
        else { return }
        room.receive(.hit(Pad(1)!, .full), from: player, at: Moment(arrival: now), origin: .none)
        room.receive(.leave, from: player, at: Moment(arrival: now), origin: .none)
      }
    }
    premises.closeVacant(after: 61)
    let takes = folder.appendingPathComponent("takes")
    let file = try #require(
      try FileManager.default.contentsOfDirectory(atPath: takes.path).first { $0.hasSuffix(".score") })
    // Nobody plays while the score is read: all of it is there.
    let score = try Data(contentsOf: takes.appendingPathComponent(file))
    #expect(score.range(of: Data("/hello".utf8)) != nil)
    #expect(score.range(of: Data("/player/studio/bye".utf8)) != nil)
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    #expect(!open.contains { $0.hasSuffix(file) })
  }
}
