import ArgumentParser
import JamNet
import JamWeb

extension Listening {
  /// The value of an option.
  /// - Throws: `ValidationError` that names the option.
  init(_ text: String, option: String) throws {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw ValidationError("\(option) \(text): write HOST:PORT, as 0.0.0.0:8000, [::1]:8000 or *:0")
    }
    var host = text[..<colon]
    if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
    self.init(host: host.isEmpty || host == "*" ? nil : String(host), port: port)
  }

  var webAddress: WebAddress { WebAddress(host: host, port: Int(port)) }
}
