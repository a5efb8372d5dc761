import Dispatch
import Glibc
import JamCore
import JamEngine
import JamKit
import JamNet
import JamRealtime
import JamRoom
import JamWire
import protocol NIOCore.Channel
import Synchronization
import Testing

@testable import JamOSC

/// An OSC edge with a room behind it and real loopback sockets before it, on a clock that the test steps.
///
/// The room's frame clock begins at host time 0; the test begins one second later.
final class EdgeRig: @unchecked Sendable {
  // Unchecked: everything but the clients happens on the room thread, one call at a time.
  let thread = RoomThread()
  let room: Room
  let parts: EngineParts
  private(set) var edge: OSCEdge
  private let makeEdge: () -> OSCEdge
  let counters = OSCCounters()
  /// A second room, where nobody is.
  private let attic: Room
  private let atticParts = EngineParts()
  let clock = ServerClock(origin: HostTime(nanoseconds: 0), wallNanoseconds: 1_790_000_000_000_000_000)
  private let socket: DatagramSocket
  private let receiver = DatagramReceiver(capacity: 256)
  private let now: Now
  /// Connections to the edge. Each holds it until it is closed.
  private let channels = Mutex<[any Channel]>([])

  final class Now: @unchecked Sendable {
    // Unchecked: stepped on the room thread, while the test waits.
    var time = HostTime(nanoseconds: 1_000_000_000)
    /// CPU time of the room's thread, and how much of it each piece of work takes.
    var work: Int64 = 0
    var cost: Int64 = 0
    /// How far the wall clock was set ahead, in nanoseconds.
    var wallAhead: Int64 = 0
  }

  /// Sets the machine's wall clock so many seconds ahead of what it was at the start.
  func setWallClock(ahead seconds: Int64) {
    on { [now] in now.wallAhead = seconds * 1_000_000_000 }
  }

  /// From now on each packet costs the room's thread so many microseconds.
  func eachCosts(microseconds: Double) {
    on { [now] in now.cost = Int64(microseconds * 1_000) }
  }

  /// - Parameters:
  ///   - isAttached: whether the clients count as neighbours; those at loopback addresses are then of this machine.
  ///   - nearness: how near all of them are, loopback or not.
  init(
    password: String? = nil, atticPassword: String? = nil, hostWord: String = "word", isAttached: Bool = true,
    nearness: Nearness? = nil, log: any ServerLog = NoLog()
  ) throws {
    let anchor = ClockAnchor(origin: HostTime(nanoseconds: 0))
    let kit = TestSounds.kit()
    let name = PlayerName("main")!
    let now = Now()
    self.now = now
    parts = EngineParts()
    room = Room(
      state: RoomState(name: name, kits: [kit.kit], firstKit: kit, anchor: anchor, hostWord: hostWord), parts: parts,
      thread: thread, anchor: anchor, kitStore: KitStore(catalogue: KitCatalogue()), password: password)
    let registry = RoomRegistry(main: name)
    registry.add(room)
    attic = Room(
      state: RoomState(
        name: PlayerName("attic")!, kits: [kit.kit], firstKit: kit, anchor: anchor, tempo: Tempo(clamping: 77),
        hostWord: "word"), parts: atticParts, thread: thread, anchor: anchor,
      kitStore: KitStore(catalogue: KitCatalogue()), password: atticPassword
    )
    registry.add(attic)
    socket = try DatagramSocket(binding: .anyIPv4(port: 0))
    makeEdge = { [socket, counters, clock] in
      OSCEdge(
        registry: registry, outbox: OutgoingPackets(sockets: [socket], counters: counters, log: log),
        counters: counters,
        clock: clock,
        log: log,
        isAttached: { _ in isAttached }, nearness: nearness.map { nearness in { _ in nearness } },
        time: { now.time },
        work: {
          now.work += now.cost
          return now.work
        },
        bothClocks: { (now.time, 1_790_000_000_000_000_000 + now.time.nanoseconds + now.wallAhead) })
    }
    edge = makeEdge()
    thread.start(priority: 0)
    on { [room, attic, edge] in
      for room in [room, attic] {
        room.assumeIsolated {
          $0.begin()
          $0.add(edge)
        }
      }
    }
  }

  /// Those of whom the next edge should know.
  var senders: KeptSenders { on { [self] in edge.senders(at: now.time).inOrder } }

  /// Another edge takes the place of this one, as where a server begins anew with the rooms that it
  /// had.
  func beginAnew(_ kept: KeptSenders) {
    let next = makeEdge()
    on { [self] in
      room.assumeIsolated {
        $0.dismissOutlets()
        $0.add(next)
      }
      next.resume(kept, at: now.time)
    }
    edge = next
  }

  /// The connection ends with the rig at the latest.
  func add(_ channel: any Channel) { channels.withLock { $0.append(channel) } }

  deinit {
    let open = DispatchGroup()
    for channel in channels.withLock({ $0 }) {
      open.enter()
      channel.closeFuture.whenComplete { _ in open.leave() }
      channel.close(promise: nil)
    }
    open.wait()
    // The edge leads to both rooms, and each of them to the edge.
    thread.submit { [room, attic] in
      for room in [room, attic] { room.assumeIsolated { $0.dismissOutlets() } }
    }
    thread.stop()
    _ = hits()
    while let command = atticParts.commands.ring.pop() {
      if case .start(let start) = command.action { start.use.release() }
    }
  }

  /// Runs `body` on the room thread, as one of its turns, and waits for it.
  func on<T: Sendable>(_ body: @escaping @Sendable () -> T) -> T {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var result: T?
    // The call does not hold this rig, which must not end on the thread that it waits for. `body` may hold it, and is gone
    // before the caller goes on.
    nonisolated(unsafe) var pending: (@Sendable () -> T)? = body
    thread.submit { [edge, now] in
      result = pending.take()!()
      edge.workOff(at: now.time)
      edge.outbox.flush()
      done.signal()
    }
    done.wait()
    return result!
  }

  var frame: Int64 { room.anchor.frame(at: now.time).count }
  var time: HostTime { now.time }

  /// A timetag so many milliseconds from now.
  func tag(_ milliseconds: Double) -> OSCTimetag { clock.timetag(at: now.time.advanced(byMilliseconds: milliseconds)) }

  var address: SocketAddress { .loopback(port: socket.localAddress.port) }

  /// Takes in what the clients sent, as if it had arrived now.
  func take() {
    on { [self] in
      while receiver.receive(
        from: socket,
        { datagram in
          edge.received(
            Datagram(
              bytes: datagram.bytes, path: datagram.path, arrival: now.time, isTruncated: datagram.isTruncated), on: 0)
        }) > 0
      {}
    }
  }

  /// Takes in one datagram as if it had come from `peer`.
  func take(_ bytes: [UInt8], from peer: SocketAddress) {
    on { [self] in
      bytes.withUnsafeBytes {
        edge.received(Datagram(bytes: $0, path: NetworkPath(peer: peer), arrival: now.time), on: 0)
      }
    }
  }

  /// Time passes, in steps that a live loop would take too.
  func pass(milliseconds: Double) {
    let end = now.time.advanced(byMilliseconds: milliseconds)
    while now.time < end {
      let step = min(end.milliseconds(since: now.time), milliseconds > 2_000 ? 500 : 1)
      on { [self] in
        now.time = now.time.advanced(byMilliseconds: step)
        room.turn(at: now.time)
        edge.turn(at: now.time)
      }
    }
  }

  /// What the room sent to its engine since the last look: hits, with their frames.
  func hits() -> [Hit] {
    var hits: [Hit] = []
    while let command = parts.commands.ring.pop() {
      guard case .start(let start) = command.action else { continue }
      start.use.release()
      hits.append(Hit(pad: Int(start.pad.number), frame: command.frame.count, bus: Int(start.bus.index)))
    }
    return hits
  }

  var playerNames: [String] {
    on { [room] in room.assumeIsolated { room in (0..<64).compactMap { room.player(PlayerID(index: $0))?.name.text } } }
  }

  struct Hit: Equatable {
    var pad: Int
    var frame: Int64
    var bus: Int
  }
}

/// A controller: one UDP socket that talks to the rig.
final class Controller {
  let socket: DatagramSocket
  private let rig: EdgeRig
  private let receiver = DatagramReceiver()

  /// - Parameter host: one of the loopback's many addresses.
  init(_ rig: EdgeRig, host: SocketAddress = .loopback(port: 0)) throws {
    self.rig = rig
    socket = try DatagramSocket(binding: host)
  }

  /// Sends one packet, which the rig takes in at once.
  func send(_ address: String, _ arguments: OSCArgument...) { send(OSCMessage(address, arguments).encoded()) }

  func bundle(_ messages: OSCMessage..., at tag: OSCTimetag = .immediate) { send(OSCPacket.encode(messages, at: tag)) }

  func send(_ bytes: [UInt8]) {
    throwIn(bytes)
    rig.take()
  }

  /// Sends without the rig looking yet.
  func throwIn(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { socket.send($0, along: NetworkPath(peer: rig.address)) }
  }

  /// Everything that came back since the last look.
  func received() -> [OSCMessage] {
    var messages: [OSCMessage] = []
    var packet = OSCPacket()
    while receiver.receive(
      from: socket,
      { datagram in
        try? packet.decode(datagram.bytes)
        messages += packet.elements.map(\.message)
      }) > 0
    {}
    return messages
  }

  /// The packets that came back since the last look.
  func takePackets(_ body: (UnsafeRawBufferPointer) -> Void) {
    while receiver.receive(from: socket, { body($0.bytes) }) > 0 {}
  }

  /// The arguments of the messages that came back at `address`.
  func received(_ address: String) -> [[OSCArgument]] { received().filter { $0.address == address }.map(\.arguments) }

  /// Joins by name and returns the token.
  @discardableResult
  func hello(_ name: String, token: String = "") throws -> String {
    send("/hello", .string(name), .string(""), .string(""), .string(token))
    let welcome = try #require(received("/welcome").first)
    guard welcome.count == 6, case .string(let token) = welcome[5] else {
      Issue.record("\(welcome)")
      return ""
    }
    return token
  }
}
