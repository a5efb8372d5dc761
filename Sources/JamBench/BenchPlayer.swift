internal import Glibc
internal import JamCommand
internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamWire

/// A player for benches: an OSC client on a UDP socket of its own.
///
/// Thread: one.
final class BenchPlayer {
  private let socket: DatagramSocket
  private let server: NetworkPath
  private let receiver = DatagramReceiver(capacity: 64)

  /// - Parameter host: the last number of the player's loopback address. Several addresses are
  ///   needed, because one address may not fill a room.
  init(port: UInt16, host: UInt8 = 1) throws(NetError) {
    socket = try DatagramSocket(binding: .ipv4(127, 0, 0, host, port: 0))
    server = NetworkPath(peer: .loopback(port: port))
  }

  /// Joins under `name`, without feedback.
  /// - Parameter kit: the kit that the player chooses; nil keeps the one of newcomers.
  /// - Returns: whether the server answered.
  func join(_ name: String, kit: String? = BenchKit.id) -> Bool {
    send(OSCMessage("/hello", .string(name)))
    let isWelcome = answer("/welcome") != nil
    if let kit { send(OSCMessage("/kit", .string(kit))) }
    send(OSCMessage("/unsubscribe"))
    return isWelcome
  }

  func send(_ message: OSCMessage) { send(message.encoded()) }

  /// - Returns: the moment of sending.
  @discardableResult
  func send(_ bytes: [UInt8]) -> HostTime {
    let now = HostTime.now
    bytes.withUnsafeBytes { _ = socket.send($0, along: server) }
    return now
  }

  /// It is readable when something has come from the server.
  var descriptor: Int32 { socket.fileDescriptor }

  /// Reads everything that has come from the server.
  func read(_ body: (Datagram) -> Void) {
    while receiver.receive(from: socket, body) == receiver.capacity {}
  }

  /// The datagrams that the kernel dropped, because nobody had read those before. The number wraps.
  var kernelDrops: UInt32 { receiver.kernelDrops }

  static func hit(_ pad: Int, velocity: Float = 1) -> OSCMessage { OSCMessage("/pad/\(pad)", .float(velocity)) }

  /// The server's clock, as `/ping` tells it.
  func serverClock() -> ServerClock? {
    for _ in 0..<10 {
      let sent = send(OSCMessage("/ping", .int32(1)).encoded())
      guard let (pong, arrival) = answer("/pong") else { continue }
      let tags = pong.arguments.compactMap { argument -> OSCTimetag? in
        if case .timetag(let tag) = argument { tag } else { nil }
      }
      // Half of the round trip is subtracted. On loopback that is some microseconds.
      guard let received = tags.first else { continue }
      let middle = HostTime(nanoseconds: (sent.nanoseconds + arrival.nanoseconds) / 2)
      let unix = received.nanoseconds(since: OSCTimetag(raw: 2_208_988_800 << 32))
      return ServerClock(origin: middle, wallNanoseconds: unix)
    }
    return nil
  }

  /// The first message with this address, and the moment of its arrival; nil where none came within
  /// half a second.
  private func answer(_ address: String) -> (OSCMessage, HostTime)? {
    let giveUp = HostTime.now.advanced(byMilliseconds: 500)
    var found: (OSCMessage, HostTime)?
    while found == nil, HostTime.now < giveUp {
      var entry = pollfd(fd: socket.fileDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, 20)
      _ = receiver.receive(from: socket) { datagram in
        var packet = OSCPacket()
        try? packet.decode(datagram.bytes)
        for element in packet.elements where element.message.address == address {
          found = found ?? (element.message, datagram.arrival)
        }
      }
    }
    return found
  }
}

extension BenchPlayer {
  /// A player who has joined.
  static func joined(
    _ server: ServerUnderTest, as name: String, host: UInt8 = 1
  ) throws(ChildProcess.Failure) -> BenchPlayer {
    do throws(NetError) {
      let player = try BenchPlayer(port: server.oscPort, host: host)
      guard player.join(name) else { throw NetError.malformedAddress("/hello") }
      return player
    } catch {
      throw ChildProcess.Failure(description: "\(name) could not join: \(error)")
    }
  }
}
