internal import Glibc
internal import JamCore
internal import JamRealtime

/// The connections that get one stream's pages. Everybody gets the same pages, so a listener's
/// queue is only a place in the last of them. A listener that falls behind the oldest kept page has
/// stalled and is dropped.
///
/// Thread: fan-out.
struct PageAudience {
  /// The sound that is kept for slow listeners. A listener that takes nothing for up to this long
  /// misses nothing. At 128 kbit/s this is half a megabyte, which all listeners share.
  static let kept = Frames.milliseconds(30_000)
  /// The bytes that the kernel may keep for one listener, in addition to the pages that are kept
  /// for all.
  private static let socketBytes: Int32 = 65_536
  /// The kernel gives up a listener that has taken nothing for this long: it does not read, or its
  /// machine has vanished. The value must be longer than `kept`.
  static let patienceMilliseconds: Int32 = 35_000

  private struct Listener {
    var descriptor: Int32
    /// Bytes of page `next` that are sent already.
    var offset: UInt32 = 0
    var next: UInt32 = 0
    /// The first page that it got after its headers; nil before there was one.
    var first: UInt32?
    /// The stream's position where the listener began.
    var start = Frames.zero
  }

  /// The listeners that left or stalled.
  struct Departures: Hashable {
    var left = 0
    var stalled = 0
    var count: Int { left + stalled }
  }

  private let identity: OggIdentity
  private let patienceMilliseconds: Int32
  private var listeners: [Listener] = []
  private var pages: [AudioPage] = []
  /// The sound in `pages`.
  private var length = Frames.zero
  private(set) var sentBytes: UInt64 = 0
  private(set) var sentPages: UInt64 = 0

  /// - Parameter patienceMilliseconds: how long a listener may take nothing.
  init(_ identity: OggIdentity, patienceMilliseconds: Int32 = PageAudience.patienceMilliseconds) {
    self.identity = identity
    self.patienceMilliseconds = patienceMilliseconds
  }

  var count: Int { listeners.count }

  /// Takes in a connected stream socket. It gets sound from the next page on.
  mutating func join(_ descriptor: Int32) {
    var on: Int32 = 1
    var bytes = PageAudience.socketBytes
    var milliseconds = patienceMilliseconds
    let size = socklen_t(MemoryLayout<Int32>.size)
    // Each option may fail on a socket that is not TCP, where it is not needed.
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, size)
    listeners.append(Listener(descriptor: descriptor))
  }

  /// Sends `page` to everybody, and the missing pages to listeners that are behind, as far as their
  /// connections take them.
  mutating func send(_ page: AudioPage) -> Departures {
    keep(page)
    var departures = Departures()
    var headers: [UInt8]?
    // From the end, so that `drop` can fill a place with a listener that was served already.
    for i in listeners.indices.reversed() {
      if listeners[i].first == nil {
        let first = headers ?? identity.headers(joiningAt: page.sequence)
        headers = first
        listeners[i].first = page.sequence
        listeners[i].next = page.sequence
        listeners[i].start = page.granule - page.length
        // A fresh connection has room for a few hundred bytes.
        let sent = PageAudience.write(first, to: listeners[i].descriptor)
        guard sent == .bytes(first.count) else {
          if sent == .gone { departures.left += 1 } else { departures.stalled += 1 }
          drop(i)
          continue
        }
      }
      switch serve(i) {
      case .present: break
      case .left:
        departures.left += 1
        drop(i)
      case .stalled:
        departures.stalled += 1
        reset(i)
        drop(i)
      }
    }
    return departures
  }

  private mutating func keep(_ page: AudioPage) {
    pages.append(page)
    length += page.length
    while let oldest = pages.first, length - oldest.length >= PageAudience.kept {
      length = length - oldest.length
      pages.removeFirst()
    }
  }

  private enum State {
    case present, left, stalled
  }

  /// The result of a write.
  private enum Sent: Equatable {
    /// This many bytes were taken; 0 where there is no room now.
    case bytes(Int)
    /// The listener closed the connection.
    case gone
    /// The kernel gave up the connection: nothing was taken for too long.
    case timedOut
  }

  private mutating func serve(_ i: Int) -> State {
    guard let last = pages.last?.sequence, let oldest = pages.first?.sequence else { return .present }
    while true {
      // Page numbers wrap: compare the signed difference.
      let missing = Int32(bitPattern: last &- listeners[i].next)
      if missing < 0 { return .present }
      let place = Int32(bitPattern: listeners[i].next &- oldest)
      guard place >= 0 else { return .stalled }
      let page = pages[Int(place)]
      let wanted = page.bytes.count - Int(listeners[i].offset)
      let sent: Int
      switch send(page, to: listeners[i]) {
      case .bytes(let count): sent = count
      case .gone: return .left
      case .timedOut: return .stalled
      }
      sentBytes += UInt64(sent)
      guard sent == wanted else {
        listeners[i].offset += UInt32(sent)
        return .present
      }
      sentPages += 1
      listeners[i].offset = 0
      listeners[i].next &+= 1
    }
  }

  /// Sends the rest of `page`, with the listener's own numbers.
  private func send(_ page: AudioPage, to listener: Listener) -> Sent {
    let first = listener.first ?? page.sequence
    let header = page.header(
      sequence: page.sequence &- first &+ OggIdentity.headerPages, granule: page.granule - listener.start)
    let done = Int(listener.offset)
    return header.span.withUnsafeBytes { own in
      page.bytes.withUnsafeBytes { shared in
        let left = own.dropFirst(done)
        let rest = shared.dropFirst(max(done, AudioPage.headerBytes))
        return PageAudience.write(
          UnsafeRawBufferPointer(rebasing: left), UnsafeRawBufferPointer(rebasing: rest), to: listener.descriptor)
      }
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Sent {
    bytes.withUnsafeBytes { write($0, UnsafeRawBufferPointer(start: nil, count: 0), to: descriptor) }
  }

  /// Sends one buffer and then the other.
  private static func write(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, to descriptor: Int32) -> Sent {
    var parts = (
      iovec(iov_base: UnsafeMutableRawPointer(mutating: a.baseAddress), iov_len: a.count),
      iovec(iov_base: UnsafeMutableRawPointer(mutating: b.baseAddress), iov_len: b.count)
    )
    let sent = withUnsafeMutablePointer(to: &parts) { parts in
      parts.withMemoryRebound(to: iovec.self, capacity: 2) { parts in
        var message = msghdr()
        message.msg_iov = parts
        message.msg_iovlen = 2
        return sendmsg(descriptor, &message, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      }
    }
    if sent >= 0 { return .bytes(sent) }
    switch errno {
    case EAGAIN, EINTR, ENOBUFS: return .bytes(0)
    // A closed window also ends this way, usually before the listener falls behind the kept pages
    // (RFC 5482 §4).
    case ETIMEDOUT: return .timedOut
    default: return .gone
    }
  }

  /// Makes `close` discard the bytes that wait in the kernel.
  private func reset(_ i: Int) {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(listeners[i].descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
  }

  private mutating func drop(_ i: Int) {
    close(listeners[i].descriptor)
    listeners.swapAt(i, listeners.count - 1)
    listeners.removeLast()
  }

  /// Sends everybody the pages that they miss and the page that ends the stream, as far as the
  /// connections take them by `deadline`. Then closes every connection.
  /// - Returns: how many connections there were.
  mutating func end(by deadline: HostTime) -> Int {
    let count = listeners.count
    if let last = pages.last { keep(identity.end(behind: last)) }
    repeat {
      for i in listeners.indices.reversed() where isServed(i) { drop(i) }
    } while waitForRoom(until: deadline)
    for listener in listeners { close(listener.descriptor) }
    listeners.removeAll()
    return count
  }

  /// Sends listener `i` the pages that it misses.
  /// - Returns: whether nothing is left to send to it.
  private mutating func isServed(_ i: Int) -> Bool {
    // A stream that has not begun needs no end.
    guard listeners[i].first != nil, let last = pages.last?.sequence else { return true }
    switch serve(i) {
    case .present: return Int32(bitPattern: last &- listeners[i].next) < 0
    case .left: return true
    case .stalled:
      reset(i)
      return true
    }
  }

  /// Waits until a connection takes something again.
  /// - Returns: false where no listener is left, or the time is over.
  private func waitForRoom(until deadline: HostTime) -> Bool {
    let milliseconds = (deadline.nanoseconds - HostTime.now.nanoseconds) / 1_000_000
    guard !listeners.isEmpty, milliseconds > 0 else { return false }
    var entries = listeners.map { pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0) }
    poll(&entries, nfds_t(entries.count), Int32(clamping: milliseconds))
    return true
  }
}
