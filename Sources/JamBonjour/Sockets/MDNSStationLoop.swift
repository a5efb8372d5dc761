internal import Glibc
internal import JamCore
internal import JamNet
internal import JamRealtime
internal import Synchronization

/// The inside of a station, on its thread.
final class MDNSStationLoop: @unchecked Sendable {
  // Unchecked: before `run` the starting thread uses it, and the station's thread after that; the
  // counts are locked, and any thread may stop the loop.
  private var loop: PollLoop?
  let counts = Mutex(MDNSCounts())
  private var machines: [any MDNSMachine]
  private var sockets: [MDNSSocket] = []
  private var networks = AttachedNetworks(interfaces: [])
  private var nextLook = HostTime(nanoseconds: 0)
  private var own = MDNSCounts()
  private var knownName: String?
  private let onlyAsks: Bool
  private let told: @Sendable (String) -> Void

  /// How often it looks for interfaces that come and go.
  static let lookMilliseconds = 3_000.0
  /// The most datagrams of a socket in one turn.
  static let mostAtOnce = 64

  init(_ machines: [any MDNSMachine], onlyAsks: Bool, told: @escaping @Sendable (String) -> Void) {
    self.machines = machines
    self.onlyAsks = onlyAsks
    self.told = told
  }

  /// - Throws: `NetError`, where the port can be had for neither family, or the process has too
  ///   many open files.
  func open() throws(NetError) {
    var problem: NetError?
    for isIPv6 in onlyAsks ? [false] : [false, true] {
      do throws(NetError) {
        sockets.append(try MDNSSocket(isIPv6: isIPv6, onlyAsks: onlyAsks))
      } catch {
        problem = problem ?? error
      }
    }
    if sockets.isEmpty, let problem { throw problem }
    // The server plays on without it, also where this is called long after the start.
    guard let new = PollLoop.make() else {
      sockets = []
      throw .cannotBind(.anyIPv4(port: MDNSSource.port), code: EMFILE)
    }
    loop = new
  }

  /// Makes `run` return soon.
  func stop() { loop?.stop() }

  func run() {
    guard let loop else { return }
    for socket in sockets {
      loop.add(socket.fileDescriptor) { [self] in receive(from: socket, at: loop.turnBegan) }
    }
    loop.run(
      deadline: { [self] in machines.compactMap(\.nextDue).reduce(nextLook, min) },
      turn: { [self] in turn(at: .now) })
    for index in machines.indices { machines[index].close(at: .now) }
    flush()
    sockets = []
  }

  private func turn(at now: HostTime) {
    if now >= nextLook {
      nextLook = now.advanced(byMilliseconds: MDNSStationLoop.lookMilliseconds)
      look(at: now)
    }
    for index in machines.indices { machines[index].advance(to: now) }
    flush()
    count()
    if let name = machines.lazy.compactMap(\.announcedName).first, name != knownName {
      knownName = name
      told(name)
    }
  }

  private func look(at now: HostTime) {
    guard let found = try? AttachedNetworks.current(), found != networks else { return }
    networks = found
    let shapes = MDNSLinkShape.all(of: found)
    let links = sockets.flatMap { $0.join(shapes) }
    // A link that could not be joined is tried again.
    let wanted = shapes.count { shape in sockets.contains { $0.isIPv6 == shape.link.isIPv6 } }
    if links.count < wanted {
      networks = AttachedNetworks(interfaces: [])
    }
    for index in machines.indices { machines[index].use(links, at: now) }
  }

  private func receive(from socket: MDNSSocket, at now: HostTime) {
    socket.receive(most: MDNSStationLoop.mostAtOnce) { message, source in
      guard let message else {
        own.malformed += 1
        return
      }
      own.messages += 1
      for index in machines.indices { machines[index].receive(message, from: source, at: now) }
    }
    flush()
  }

  private func flush() {
    for index in machines.indices {
      for outgoing in machines[index].takeOutgoing() {
        sockets.first { $0.isIPv6 == outgoing.link.isIPv6 }?.send(outgoing)
      }
    }
  }

  private func count() {
    let sum = machines.reduce(own) { $0 + $1.counts }
    counts.withLock { $0 = sum }
  }
}
