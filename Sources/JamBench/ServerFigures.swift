internal import JamCommand

/// The figures of `/metrics` of a server at one moment.
struct ServerFigures {
  private var figures: [(name: Substring, value: Double)] = []

  /// Asks the server on the HTTP port `port`; nil where it does not answer.
  init?(port: UInt16) {
    guard let text = LoopbackHTTP.get("/metrics", port: port) else { return nil }
    figures = text.split(whereSeparator: \.isNewline).compactMap { line in
      guard line.hasPrefix("bandshell_"), let space = line.lastIndex(of: " ") else { return nil }
      let name = line[..<space].dropFirst("bandshell_".count)
      return Double(line[space...].dropFirst()).map { (name, $0) }
    }
  }

  /// The sum of the figures whose name, without `bandshell_`, begins so. So a name without labels
  /// is the sum over all rooms. Nil where there is none.
  func sum(_ name: String) -> Double? {
    let values = figures.filter { $0.name.hasPrefix(name) }
    return values.isEmpty ? nil : values.reduce(0) { $0 + $1.value }
  }
}
