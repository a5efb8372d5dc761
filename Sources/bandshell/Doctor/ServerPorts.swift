/// One port that others must reach.
struct ServerPort: Hashable {
  var number: UInt16
  /// `udp` or `tcp`.
  var transport: String
  /// What it is for.
  var purpose: String

  /// Whether `range` names it, as firewalld writes: `8000/udp` or `8000-8100/udp`.
  func isIn(_ range: String) -> Bool {
    let parts = range.split(separator: "/")
    guard parts.count == 2, parts[1] == transport else { return false }
    let ends = parts[0].split(separator: "-").compactMap { UInt16($0) }
    guard let low = ends.first, let high = ends.last else { return false }
    return low <= number && number <= high
  }
}

/// The ports that a server takes when nobody says otherwise.
struct ServerPorts {
  var osc: UInt16 = 8_000
  var http: UInt16 = 8_088
  var media: UInt16 = 8_089

  var all: [ServerPort] {
    [
      ServerPort(number: osc, transport: "udp", purpose: "OSC"),
      ServerPort(number: osc, transport: "tcp", purpose: "OSC"),
      ServerPort(number: http, transport: "tcp", purpose: "the page and the streams"),
      ServerPort(number: media, transport: "udp", purpose: "RTP"),
    ]
  }
}
