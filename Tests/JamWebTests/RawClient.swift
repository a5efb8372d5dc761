import Glibc

/// A blocking socket to a server on this machine: it sends any bytes at all and returns what comes back.
///
/// Reads and writes give up after ten seconds, so that a server that never answers fails a test instead of hanging it.
final class RawClient {
  struct Failure: Error { var call: String, code: Int32 }

  let socket: Int32

  init(port: Int, receiveBuffer: Int32? = nil) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw Failure(call: "socket", code: errno) }
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    if var receiveBuffer { setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(call: "connect", code: errno) }
  }

  deinit { close(socket) }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure(call: "send", code: errno) }
      sent += count
    }
  }

  /// What comes next, at most `limit` bytes; empty at the end of the connection.
  func receive(atMost limit: Int = 65_536) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = recv(socket, &bytes, limit, 0)
    guard count >= 0 else { throw Failure(call: "recv", code: errno) }
    return Array(bytes[..<count])
  }

  /// Exactly so many bytes, unless the server closes before.
  func receiveBytes(_ count: Int) throws -> [UInt8] {
    var all: [UInt8] = []
    while all.count < count {
      let bytes = try receive(atMost: min(count - all.count, 65_536))
      if bytes.isEmpty { break }
      all += bytes
    }
    return all
  }

  /// What has come, without waiting.
  func receiveWhatIsThere() throws -> [UInt8] {
    var bytes = pending
    pending = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    guard count >= 0 || errno == EAGAIN else { throw Failure(call: "recv", code: errno) }
    if count > 0 { bytes += buffer[..<count] }
    return bytes
  }

  /// Everything until the server closes.
  func receiveAll() throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let bytes = try receive()
      if bytes.isEmpty { return all }
      all += bytes
    }
  }

  /// One answer with the body that its Content-Length states. - Parameter hasBody: false after a HEAD.
  func receiveAnswer(hasBody: Bool = true) throws -> Answer {
    var bytes = pending
    while true {
      if let answer = Answer(bytes, hasBody: hasBody) {
        pending = Array(bytes[answer.length...])
        return answer
      }
      let more = try receive()
      guard !more.isEmpty else { throw Failure(call: "recv: the connection ended early", code: 0) }
      bytes += more
    }
  }

  private var pending: [UInt8] = []

  /// Sends one request and returns its answer.
  func ask(_ method: String, _ path: String, _ headers: String...) throws -> Answer {
    try send("\(method) \(path) HTTP/1.1\r\nHost: test\r\n\(headers.map { $0 + "\r\n" }.joined())\r\n")
    return try receiveAnswer(hasBody: method != "HEAD")
  }
}

/// One HTTP answer, taken apart without the parser that the server uses.
struct Answer {
  var status: Int
  var headers: [String: String]
  var body: [UInt8]
  /// Bytes that it took.
  var length: Int

  var text: String { String(decoding: body, as: UTF8.self) }

  /// - Returns: nil while it is not complete.
  init?(_ bytes: [UInt8], hasBody: Bool = true) {
    guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: [13, 10, 13, 10]) }) else { return nil }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    guard let code = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
    status = code
    headers = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    let size = hasBody && status != 204 && status != 304 ? headers["content-length"].flatMap { Int($0) } ?? 0 : 0
    guard bytes.count >= end + 4 + size else { return nil }
    body = Array(bytes[(end + 4)..<(end + 4 + size)])
    length = end + 4 + size
  }
}
