package import JamNet

/// One port that others have to reach.
struct ServerPort: Hashable {
  var number: UInt16
  /// `udp` or `tcp`.
  var transport: String
  /// The use of the port.
  var purpose: String
  /// The purpose of the ports that take OSC.
  static let osc = "OSC"
  /// The address of this machine, as it was typed; nil is all of them.
  var host: String?

  /// Whether `range` contains the port, in the notation of firewalld: `8000/udp` or
  /// `8000-8100/udp`.
  func isIn(_ range: String) -> Bool {
    let parts = range.split(separator: "/")
    guard parts.count == 2, parts[1] == transport else { return false }
    let ends = parts[0].split(separator: "-").compactMap { UInt16($0) }
    guard let low = ends.first, let high = ends.last else { return false }
    return low <= number && number <= high
  }

  /// Whether other machines can come to the port at all.
  var isForOthers: Bool { host.flatMap { SocketAddress(host: $0) }?.isLoopback != true }
}

/// The ports of a server.
package struct ServerPorts: Hashable, Sendable {
  package var osc: Listening
  package var http: Listening
  package var media: Listening

  /// Without a value: the port of a server that was started without the option.
  package init(
    osc: Listening = Listening(host: nil, port: 8_000),
    http: Listening = Listening(host: nil, port: 8_088),
    media: Listening = Listening(host: nil, port: 8_089)
  ) {
    (self.osc, self.http, self.media) = (osc, http, media)
  }

  /// The ports whose numbers are known: port 0 is any free one.
  var all: [ServerPort] {
    [
      (osc, "udp", ServerPort.osc), (osc, "tcp", ServerPort.osc),
      (http, "tcp", "the page and the streams"),
      (media, "udp", "RTP"),
    ]
    .filter { $0.0.port != 0 }
    .map { ServerPort(number: $0.0.port, transport: $0.1, purpose: $0.2, host: $0.0.host) }
  }

  /// One number that two options take for the same transport, in a sentence with numbers that would
  /// be right; nil where all go together. OSC takes UDP and TCP of its port, the page TCP alone, and
  /// RTP UDP alone.
  package var clash: String? {
    let shared = [(http, "--http", "TCP"), (media, "--media", "UDP")].filter {
      ServerPorts.overlap(osc, $0.0)
    }
    guard !shared.isEmpty else { return nil }
    let pairs = shared.map { "--osc and \($0.1) both take \($0.2) port \(osc.port)" }
    var next = osc.port < 65_533 ? osc.port + 1 : 8_088
    let better = shared.map { listening, option, _ in
      while [osc.port, http.port, media.port].contains(next) { next += 1 }
      defer { next += 1 }
      return "\(option) \(Listening(host: listening.host, port: next).text)"
    }
    return
      "\(pairs.joined(separator: ", and ")): give each a port of its own, as \(better.joined(separator: " "))"
  }

  /// Whether both cannot be bound for the same transport. Where that is not sure, as with a name,
  /// the answer is no: the system tells soon enough.
  private static func overlap(_ a: Listening, _ b: Listening) -> Bool {
    guard a.port == b.port, a.port != 0 else { return false }
    guard let one = a.host, let other = b.host, one != other else { return true }
    guard let one = SocketAddress(host: one), let other = SocketAddress(host: other),
      one.isIPv4 == other.isIPv4
    else {
      return false
    }
    return one == other || one.isAny || other.isAny
  }
}
