import JamNet

/// Reads the headers in which proxies name the client of a request.
///
/// - Source: RFC 7239 §4 and §6.
enum Forwarded {
  /// The elements of one `Forwarded` line. The element of the first proxy is the first. Names are
  /// in lower case, and quotes are removed.
  static func elements(_ line: String) -> [[String: String]] {
    split(line, at: ",").map { element in
      var pairs: [String: String] = [:]
      for pair in split(element, at: ";") {
        guard let equals = pair.firstIndex(of: "=") else { continue }
        let name = trimmed(pair[..<equals]).lowercased()
        pairs[name] = unquoted(trimmed(pair[pair.index(after: equals)...]))
      }
      return pairs
    }
  }

  /// The address without its port, of `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or
  /// `[2001:db8::1]:80`. Nil for words, as `unknown`.
  static func address(_ text: String) -> JamNet.SocketAddress? {
    var host = trimmed(text[...])
    if host.first == "[" {
      guard let end = host.firstIndex(of: "]") else { return nil }
      // The bounds are in order, because `[` stands in front of `]`.
      host = host[host.index(after: host.startIndex)..<end]
    } else if host.count(where: { $0 == ":" }) == 1, let colon = host.firstIndex(of: ":") {
      host = host[..<colon]
    }
    // Only text that begins with a hex digit or a colon is accepted. Otherwise the name `localhost`
    // would become an address, too.
    guard host.first?.isHexDigit == true || host.first == ":", !host.contains("%") else { return nil }
    let mapped = "::ffff:"
    if host.lowercased().hasPrefix(mapped), host.contains(".") { host = host.dropFirst(mapped.count) }
    return JamNet.SocketAddress(host: String(host))
  }

  private static func split(_ text: some StringProtocol, at separator: Character) -> [Substring] {
    var isQuoted = false
    var isEscaped = false
    return Substring(text).split { character in
      if isEscaped {
        isEscaped = false
        return false
      }
      if isQuoted, character == "\\" { isEscaped = true }
      if character == "\"" { isQuoted.toggle() }
      return character == separator && !isQuoted
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    return text
  }

  private static func unquoted(_ text: Substring) -> String {
    guard text.count >= 2, text.first == "\"", text.last == "\"" else { return String(text) }
    return text.dropFirst().dropLast().filter { $0 != "\\" }
  }
}
