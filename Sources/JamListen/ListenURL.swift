internal import JamNet

/// The address that `bandshell listen` listens to.
public struct ListenURL: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case rtp, ogg
  }

  public var host: String
  public var port: UInt16
  /// With its query, beginning with a slash.
  public var target: String
  public var kind: Kind

  /// Reads `http://host:8088/listen.sdp`, `…/listen.opus`, or the server alone, which means RTP.
  /// The port is 8088 where none is named, and a room may stand in front
  /// (`/rooms/<room>/listen.sdp`).
  /// - Returns: nil where the text is none of these.
  public init?(_ text: String) {
    let scheme = "http://"
    guard text.lowercased().hasPrefix(scheme) else { return nil }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    var target = String(rest.dropFirst(authority.count))
    if !target.hasPrefix("/") { target = "/" + target }
    guard let (host, port) = ListenURL.split(authority), !target.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f })
    else { return nil }
    self.host = host
    self.port = port
    let fragment = target.firstIndex(of: "#") ?? target.endIndex
    target = String(target[..<fragment])
    let path = target.prefix { $0 != "?" }
    let query = target.dropFirst(path.count)
    if path.hasSuffix("/listen.opus") {
      kind = .ogg
      self.target = target
    } else if path.hasSuffix("/listen.sdp") {
      kind = .rtp
      self.target = target
    } else if path == "/" || path.hasPrefix("/rooms/") {
      kind = .rtp
      self.target = (path.hasSuffix("/") ? String(path) : path + "/") + "listen.sdp" + query
    } else {
      return nil
    }
  }

  private static func split(_ authority: Substring) -> (String, UInt16)? {
    var host = authority
    var port: UInt16 = 8_088
    // The colon after a bracket, or the only one.
    let afterBracket = authority.lastIndex(of: "]") ?? authority.startIndex
    if let colon = authority[afterBracket...].lastIndex(of: ":") {
      guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else { return nil }
      port = number
      host = authority[..<colon]
    }
    if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
    return host.isEmpty || host.contains("@") ? nil : (String(host), port)
  }

  /// The request's target with one more word in its query.
  public func target(adding word: String) -> String { target + (target.contains("?") ? "&" : "?") + word }

  /// Adds a word to the query: each byte that has a meaning in an address is encoded.
  public mutating func ask(_ name: String, _ value: String) {
    target = target(adding: "\(name)=\(PercentEncoding.encoded(value))")
  }

  /// Whether the query has the word.
  public func asks(_ name: String) -> Bool {
    let words = target.drop { $0 != "?" }.dropFirst().split(separator: "&")
    return words.contains { $0.prefix { $0 != "=" } == name }
  }

  /// The authority in the form of the `Host` header.
  public var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
