import JamNet

/// What proxies write of whom they ask for.
///
/// - Source: RFC 7239 §4 and §6.
enum Forwarded {
  /// The elements of one `Forwarded` line, the first proxy's first; names in lower case, quotes taken off.
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

  /// An address without its port, of `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`; nil where it is a word, as `unknown`.
  static func address(_ text: String) -> JamNet.SocketAddress? {
    var host = trimmed(text[...])
    if host.first == "[" {
      guard let end = host.firstIndex(of: "]") else { return nil }
      // In order: another bracket stands in front of it.
      host = host[host.index(after: host.startIndex)..<end]
    } else if host.count(where: { $0 == ":" }) == 1, let colon = host.firstIndex(of: ":") {
      host = host[..<colon]
    }
    // Digits alone: `localhost` would be an address, too.
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
