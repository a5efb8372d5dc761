internal import Glibc
internal import JamNet
internal import JamStream

/// One HTTP request over a blocking socket of its own, as much as `listen` needs.
///
/// The request uses HTTP/1.0, so that no answer comes in chunks. Thread: one at a time.
/// - Source: RFC 9112.
struct HTTPConnection: ~Copyable {
  /// Our own address on the connection to the server.
  let local: SocketAddress
  private let url: ListenURL
  private let descriptor: Int32
  /// The server's notice to listeners, from the head of its answer.
  private(set) var notice: String?
  /// Bytes of the body that came with the head.
  private var early: [UInt8] = []

  private static let mostHeadBytes = 16_384
  private static let mostBodyBytes = 65_536
  private static let timeoutSeconds = 5

  /// - Throws: `ListenError.unknownHost`, `.unreachable`.
  init(_ url: ListenURL) throws(ListenError) {
    let descriptor = try HTTPConnection.connect(url)
    self.url = url
    self.descriptor = descriptor
    local = HTTPConnection.localAddress(descriptor)
  }

  deinit { close(descriptor) }

  /// Asks for `target` and reads the answer's head. Once per connection.
  /// - Returns: the status.
  /// - Throws: `ListenError`.
  mutating func get(_ target: String) throws(ListenError) -> Int {
    try ask("GET \(target) HTTP/1.0\r\nHost: \(url.authority)\r\nUser-Agent: bandshell\r\nAccept: */*\r\n\r\n")
  }

  /// Sends `body` to `target` and reads the answer's head. Once per connection.
  mutating func post(_ body: String, type: String, to target: String) throws(ListenError) -> Int {
    try ask(
      "POST \(target) HTTP/1.0\r\nHost: \(url.authority)\r\nUser-Agent: bandshell\r\nContent-Type: \(type)\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  private mutating func ask(_ request: String) throws(ListenError) -> Int {
    let bytes = Array(request.utf8)
    let sent = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard sent == bytes.count else {
      throw .unreachable(authority: url.authority, reason: StreamError.text(of: errno))
    }
    return try readHead()
  }

  /// A copy of the connection for another owner, who closes it.
  func duplicateDescriptor() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

  /// The result of a read.
  enum Reading {
    case bytes([UInt8])
    /// The body is complete, or the connection is gone.
    case end
    /// Nothing came in time.
    case nothing
  }

  /// Reads the next part of the body, and waits for it at most this long.
  mutating func read(waitingMilliseconds: Int32) -> Reading {
    if !early.isEmpty {
      defer { early = [] }
      return .bytes(early)
    }
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, waitingMilliseconds) > 0 else { return .nothing }
    let bytes = receive(65_536)
    return bytes.isEmpty ? .end : .bytes(bytes)
  }

  /// The whole body, cut off at 64 KiB.
  mutating func body() -> [UInt8] {
    var body: [UInt8] = []
    while body.count < HTTPConnection.mostBodyBytes,
      case .bytes(let more) = read(waitingMilliseconds: Int32(HTTPConnection.timeoutSeconds * 1_000))
    {
      body += more
    }
    return body
  }

  private static func connect(_ url: ListenURL) throws(ListenError) -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(url.host, String(url.port), &hints, &list) == 0 else { throw .unknownHost(url.host) }
    defer { freeaddrinfo(list) }
    var reason = "no address"
    var entry = list
    while let info = entry {
      entry = info.pointee.ai_next
      let descriptor = socket(
        info.pointee.ai_family, info.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), info.pointee.ai_protocol)
      guard descriptor >= 0 else { continue }
      var limit = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
      // The send timeout also limits the connect (socket(7)).
      for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
        setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
      }
      if Glibc.connect(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0 { return descriptor }
      reason = StreamError.text(of: errno)
      close(descriptor)
    }
    throw .unreachable(authority: url.authority, reason: reason)
  }

  /// Empty at the end, and where the connection broke or stayed silent.
  private func receive(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var got = recv(descriptor, buffer.baseAddress, count, 0)
      while got < 0, errno == EINTR { got = recv(descriptor, buffer.baseAddress, count, 0) }
      filled = max(got, 0)
    }
  }

  private mutating func readHead() throws(ListenError) -> Int {
    var bytes: [UInt8] = []
    while bytes.count < HTTPConnection.mostHeadBytes {
      let more = receive(4_096)
      guard !more.isEmpty else {
        if bytes.isEmpty { throw .unreachable(authority: url.authority, reason: "it does not answer") }
        break
      }
      bytes += more
      guard let end = bytes.indices.dropLast(3).first(where: { bytes[$0..<$0 + 4].elementsEqual("\r\n\r\n".utf8) })
      else { continue }
      let line = String(decoding: bytes.prefix { $0 != 13 }, as: UTF8.self).split(separator: " ")
      guard line.count >= 2, line[0].hasPrefix("HTTP/1."), let status = Int(line[1]) else { break }
      early = Array(bytes[(end + 4)...])
      let fields = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
      let name = ListenNotice.header.lowercased() + ":"
      notice = fields.first { $0.lowercased().hasPrefix(name) }.map { field in
        String(field.dropFirst(name.count).drop { $0 == " " })
      }
      return status
    }
    throw .notHTTP(authority: url.authority)
  }

  private static func localAddress(_ descriptor: Int32) -> SocketAddress {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    var host = [CChar](repeating: 0, count: 64)
    let named = withUnsafePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getnameinfo($0, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
      }
    }
    guard result == 0, named == 0 else { return .none }
    let text = String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return SocketAddress(host: text) ?? .none
  }
}
