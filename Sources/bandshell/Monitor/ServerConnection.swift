import Glibc
import JamCommand
import JamNet
import JamWire
import Synchronization

/// A TCP connection to a server's OSC port, of the commands that are clients.
///
/// Thread: one that may wait; `stop` may be called on any other.
final class ServerConnection: Sendable {
  private let descriptor: Int32
  /// A pipe: a byte in it ends `receive`.
  private let waker: [Int32]
  private let isStopped = Atomic(false)

  private static let timeoutSeconds = 5
  /// A server that has read the last words closes its end at once.
  private static let farewellSeconds = 2
  /// A silent connection pings as often.
  private static let pingMilliseconds: Int32 = 10_000

  /// - Parameter option: how the command line names a server, for messages.
  /// - Throws: `StartError` where the server cannot be reached.
  init(to server: Listening, option: String = "--server HOST:PORT") throws(StartError) {
    let host = server.host ?? "127.0.0.1"
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(server.port), &hints, &list) == 0 else {
      throw StartError(
        "there is no host \(host): name the server with \(option)", .unavailable)
    }
    defer { freeaddrinfo(list) }
    var waker: [Int32] = [-1, -1]
    guard pipe(&waker) == 0 else { throw StartError(SystemError.text(errno), .unavailable) }
    var reason = "no address"
    var entry = list
    while let info = entry {
      entry = info.pointee.ai_next
      let descriptor = socket(
        info.pointee.ai_family, info.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue),
        info.pointee.ai_protocol)
      guard descriptor >= 0 else { continue }
      var limit = timeval(tv_sec: ServerConnection.timeoutSeconds, tv_usec: 0)
      // The send timeout also limits the connect (socket(7)).
      setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      if connect(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0 {
        self.descriptor = descriptor
        self.waker = waker
        return
      }
      reason = SystemError.text(errno)
      close(descriptor)
    }
    for end in waker { close(end) }
    throw StartError(
      """
      no server answers at \(host), port \(server.port) (\(reason)): name its OSC port with \
      \(option)
      """,
      .unavailable)
  }

  deinit {
    for each in [descriptor] + waker { close(each) }
  }

  /// Sends one message. A connection that is gone is noticed by `receive`.
  func send(_ message: OSCMessage) { send(packet: message.encoded()) }

  /// Sends a message or a bundle.
  func send(packet: [UInt8]) {
    let bytes = Framing.lengthPrefix.frame(packet)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 || errno == EINTR else { return }
      sent += max(count, 0)
    }
  }

  /// Passes on each message that comes, until the connection ends, `stop` is called, standard
  /// output has no reader any more, or `body` returns false.
  /// - Returns: whether the server ended it.
  func receive(_ body: (OSCMessage) -> Bool) -> Bool {
    receiveTimed { message, _ in body(message) }
  }

  /// The same, with the timetag of each message's bundle.
  func receiveTimed(_ body: (OSCMessage, OSCTimetag) -> Bool) -> Bool {
    var decoder = FrameDecoder()
    var packet = OSCPacket()
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while !isStopped.load(ordering: .acquiring) {
      var entries = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
        pollfd(fd: waker[0], events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&entries, 3, ServerConnection.pingMilliseconds)
      if ready == 0 { send(OSCMessage("/ping")) }
      if entries[1].revents & Int16(POLLERR) != 0 { return false }
      guard ready > 0, entries[0].revents != 0 else { continue }
      let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return !isStopped.load(ordering: .acquiring) }
      var goesOn = true
      let isWhole: Void? = bytes.withUnsafeBytes { all in
        try? decoder.receive(UnsafeRawBufferPointer(rebasing: all.prefix(count))) { piece in
          guard (try? packet.decode(piece, limit: 65_536)) != nil else { return }
          for element in packet.elements where goesOn {
            goesOn = body(element.message, element.timetag)
          }
        }
      }
      guard isWhole != nil else { return true }
      if !goesOn { return false }
    }
    return false
  }

  /// Ends `receive`. Thread: any.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    write(waker[1], [1], 1)
  }

  /// Sends last words, and waits until the server has read them: it closes its end then.
  ///
  /// A socket that is closed while something unread lies in it resets its connection (RFC 1122,
  /// section 4.2.2.13). A busy server can lose what it has not read by then. So this reads on, for
  /// two seconds at most.
  func leave(with words: [OSCMessage]) {
    for message in words { send(message) }
    shutdown(descriptor, Int32(SHUT_WR))
    let end = ContinuousClock.now + .seconds(ServerConnection.farewellSeconds)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while ContinuousClock.now < end {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 100) > 0 else { continue }
      let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return }
    }
  }
}
