internal import Glibc

/// The connections that get one stream's pages. Everybody gets the same pages, so a listener's queue is no more than a place
/// in the last of them: whoever falls off their end has stalled and is dropped.
///
/// Thread: fan-out.
struct PageAudience {
  /// Pages kept for slow listeners: 3 s of short ones, 6 s of long ones.
  static let keptPages = 32
  /// What the kernel may keep for one listener, so that a stalled one shows within seconds.
  private static let socketBytes: Int32 = 65_536
  /// A listener whose machine has vanished is given up after this.
  private static let vanishedMilliseconds: Int32 = 10_000

  private struct Listener {
    var descriptor: Int32
    /// Bytes of page `next` that are sent already.
    var offset: UInt32
    var next: UInt32
    /// The headers are still to be sent.
    var isNew: Bool
  }

  /// How a listener's time ended.
  struct Departures: Hashable {
    var left = 0
    var stalled = 0
    var count: Int { left + stalled }
  }

  private let identity: OggIdentity
  private var listeners: [Listener] = []
  private var pages: [AudioPage] = []
  private(set) var sentBytes: UInt64 = 0
  private(set) var sentPages: UInt64 = 0

  init(_ identity: OggIdentity) { self.identity = identity }

  var count: Int { listeners.count }

  /// Takes in a connected stream socket, which hears from the next page on.
  mutating func join(_ descriptor: Int32) {
    var on: Int32 = 1
    var bytes = PageAudience.socketBytes
    var milliseconds = PageAudience.vanishedMilliseconds
    let size = socklen_t(MemoryLayout<Int32>.size)
    // Each may fail on a socket that is no TCP socket, and is no loss there.
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, size)
    listeners.append(Listener(descriptor: descriptor, offset: 0, next: 0, isNew: true))
  }

  /// Sends `page` to everybody, and to those who are behind what they miss, as far as their connections take it.
  mutating func send(_ page: AudioPage) -> Departures {
    pages.append(page)
    if pages.count > PageAudience.keptPages { pages.removeFirst() }
    var departures = Departures()
    var headers: [UInt8]?
    // From the end, so that a departed listener's place can be filled by one that was served already.
    for i in listeners.indices.reversed() {
      if listeners[i].isNew {
        let first = headers ?? identity.headers(before: page.sequence)
        headers = first
        listeners[i].isNew = false
        listeners[i].next = page.sequence
        // A fresh connection has room for a few hundred bytes.
        guard PageAudience.write(first[...], to: listeners[i].descriptor) == first.count else {
          departures.left += 1
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

  private enum State {
    case present, left, stalled
  }

  private mutating func serve(_ i: Int) -> State {
    guard let last = pages.last?.sequence, let oldest = pages.first?.sequence else { return .present }
    while true {
      // Page numbers wrap: compare the signed difference.
      let missing = Int32(bitPattern: last &- listeners[i].next)
      if missing < 0 { return .present }
      let place = Int32(bitPattern: listeners[i].next &- oldest)
      guard place >= 0 else { return .stalled }
      let bytes = pages[Int(place)].bytes
      let wanted = bytes.count - Int(listeners[i].offset)
      let sent = PageAudience.write(bytes[Int(listeners[i].offset)...], to: listeners[i].descriptor)
      guard sent >= 0 else { return .left }
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

  /// - Returns: the bytes taken, 0 where there is no room now, −1 where the connection is gone.
  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
    bytes.withUnsafeBytes { bytes in
      let sent = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      if sent >= 0 { return sent }
      return errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? 0 : -1
    }
  }

  /// What waits in the kernel is thrown away when it is closed.
  private func reset(_ i: Int) {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(listeners[i].descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
  }

  private mutating func drop(_ i: Int) {
    close(listeners[i].descriptor)
    listeners.swapAt(i, listeners.count - 1)
    listeners.removeLast()
  }

  /// Closes every connection.
  /// - Returns: how many there were.
  mutating func end() -> Int {
    let count = listeners.count
    for listener in listeners { close(listener.descriptor) }
    listeners.removeAll()
    return count
  }
}
