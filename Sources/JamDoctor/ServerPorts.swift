/// One port that others have to reach.
struct ServerPort: Hashable {
  var number: UInt16
  /// `udp` or `tcp`.
  var transport: String
  /// The use of the port.
  var purpose: String

  /// Whether `range` contains the port, in the notation of firewalld: `8000/udp` or
  /// `8000-8100/udp`.
  func isIn(_ range: String) -> Bool {
    let parts = range.split(separator: "/")
    guard parts.count == 2, parts[1] == transport else { return false }
    let ends = parts[0].split(separator: "-").compactMap { UInt16($0) }
    guard let low = ends.first, let high = ends.last else { return false }
    return low <= number && number <= high
  }
}

/// The ports of a server that was started without options for them.
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
