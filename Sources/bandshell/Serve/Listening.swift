import ArgumentParser

/// A `HOST:PORT` as it was typed. `*` or nothing before the colon is every address of the machine,
/// of both families.
struct Listening: Hashable, Sendable {
  /// The host without brackets; nil is every address.
  var host: String?
  var port: UInt16

  init(host: String?, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// The text as it is typed.
  var text: String { "\(host.map { $0.contains(":") ? "[\($0)]" : $0 } ?? "*"):\(port)" }

  /// - Throws: `ValidationError` that names the option.
  init(_ text: String, option: String) throws {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw ValidationError("\(option) \(text): write HOST:PORT, as 0.0.0.0:8000, [::1]:8000 or *:0")
    }
    var host = text[..<colon]
    if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
    self.init(host: host.isEmpty || host == "*" ? nil : String(host), port: port)
  }
}
