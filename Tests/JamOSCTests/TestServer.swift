import Glibc
import JamCore
import JamKit
import JamNet
import JamRealtime
import JamRoom
import JamWire
import NIOCore
import NIOPosix

@testable import JamOSC

/// A real server on loopback, on the real clock: for what only sockets show.
final class TestServer {
  let server: OSCServer
  let thread = RoomThread()
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let parts = EngineParts()
  private let room: Room

  init(_ addresses: [JamNet.SocketAddress] = [.loopback(port: 0)]) async throws {
    let name = PlayerName("main")!
    let kit = TestSounds.kit()
    let anchor = ClockAnchor(origin: .now)
    room = Room(
      state: RoomState(name: name, kits: [kit.kit], firstKit: kit, anchor: anchor, hostWord: "word"), parts: parts,
      thread: thread, anchor: anchor, kitStore: KitStore(catalogue: KitCatalogue()))
    let registry = RoomRegistry(main: name)
    registry.add(room)
    server = try await OSCServer(addresses, registry: registry, thread: thread, group: group, clock: ServerClock())
    thread.add(room)
    thread.start(priority: 0)
    thread.submit { [room] in room.assumeIsolated { $0.begin() } }
  }

  func stop() async throws {
    server.stop()
    thread.submit { [room] in room.assumeIsolated { $0.dismissOutlets() } }
    thread.stop()
    while let command = parts.commands.ring.pop() {
      if case .start(let start) = command.action { start.use.release() }
    }
    try await group.shutdownGracefully()
  }
}

/// A blocking TCP connection that gives up after five seconds.
final class TCPClient {
  private let descriptor: Int32
  private var decoder = FrameDecoder()
  private var waiting: [OSCMessage] = []

  init(port: UInt16, receiveBufferBytes: Int32? = nil) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var patience = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    if var bytes = receiveBufferBytes {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  deinit { close(descriptor) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var start = 0
    while start < bytes.count {
      let sent = bytes[start...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if sent <= 0 { return false }
      start += sent
    }
    return true
  }

  /// The next message; nil at the connection's end, or when nothing came for five seconds.
  func next() -> OSCMessage? {
    while waiting.isEmpty {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count <= 0 { return nil }
      var packet = OSCPacket()
      var found: [OSCMessage] = []
      try? bytes[..<count].withUnsafeBytes { piece in
        try decoder.receive(piece) {
          try? packet.decode($0, limit: 65_536)
          found += packet.elements.map(\.message)
        }
      }
      waiting += found
    }
    return waiting.removeFirst()
  }

  /// The next message at `address`.
  func next(_ address: String) -> OSCMessage? {
    while let message = next() { if message.address == address { return message } }
    return nil
  }
}
