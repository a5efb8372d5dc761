internal import Glibc
internal import JamCore
internal import JamRealtime

/// Sends an HTTP request to this machine, and waits for the end of the answer; for checks of our
/// own. Thread: any that may wait.
public enum LoopbackHTTP {
  /// - Parameter host: an address of this machine, in numbers.
  /// - Returns: the answer with its head; nil where none came within two seconds.
  public static func get(_ path: String, port: UInt16, at host: String = "127.0.0.1") -> String? {
    ask(head("GET", path), port: port, at: host, withinSeconds: 2)?.text
  }

  /// - Returns: the answer with its head, up to 32 MiB; nil where none came within ten seconds.
  public static func bytes(_ path: String, port: UInt16) -> [UInt8]? {
    ask(head("GET", path), port: port, withinSeconds: 10, most: 32 << 20)?.bytes
  }

  /// - Returns: the answer with its head, and the time from the last byte of `body` to the answer;
  ///   nil where none came in time.
  public static func put(
    _ path: String, _ body: [UInt8], port: UInt16, withinSeconds seconds: Int
  ) -> (text: String, milliseconds: Double)? {
    ask(
      head("PUT", path, "Content-Length: \(body.count)"), body, port: port, withinSeconds: seconds
    ).map { ($0.text, $0.milliseconds) }
  }

  private struct Answer {
    var bytes: [UInt8]
    var milliseconds: Double
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// The head of a request with nothing behind it on its connection.
  private static func head(_ method: String, _ path: String, _ field: String? = nil) -> String {
    let fields = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
    return (fields + [field].compactMap(\.self) + ["", ""]).joined(separator: "\r\n")
  }

  private static func ask(
    _ head: String, _ body: [UInt8] = [], port: UInt16, at host: String = "127.0.0.1",
    withinSeconds seconds: Int, most: Int = 1 << 20
  ) -> Answer? {
    guard let descriptor = open(host, port, withinSeconds: seconds) else { return nil }
    defer { close(descriptor) }
    guard sendAll(Array(head.utf8), descriptor), sendAll(body, descriptor) else { return nil }
    let sent = HostTime.now
    var arrived: HostTime?
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while answer.count < most {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { break }
      arrived = arrived ?? HostTime.now
      answer += chunk[0..<count]
    }
    return arrived.map { Answer(bytes: answer, milliseconds: $0.milliseconds(since: sent)) }
  }

  /// - Returns: a connected socket; nil where nobody listens, or `host` is no address in numbers.
  private static func open(_ host: String, _ port: UInt16, withinSeconds seconds: Int) -> Int32? {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let address = found?.pointee else { return nil }
    defer { freeaddrinfo(found) }
    let descriptor = socket(address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private static func sendAll(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
