/// Why a stream cannot be had. The text says what was wrong and what would be right.
public enum StreamError: Error, Hashable, Sendable {
  /// `frame=` is none of the four lengths.
  case frame(String)
  /// `bitrate=` is no number of bits per second within the range.
  case bitrate(String)
  /// A switch is neither on nor off.
  case toggle(name: String, value: String)
  /// `port=` is missing or is no UDP port.
  case port(String)
  /// `player=`: a player's whole cue is not streamed yet.
  case playerCueNotYet
  /// The room is full.
  case listeners(limit: Int)
  /// The media port does not speak the asker's address family.
  case family
  /// libopus refused: its error code.
  case codec(code: Int32)
  /// A socket or a pipe failed: what was tried, and `errno`.
  case system(call: String, code: Int32)
  /// The server or room is being closed.
  case closed

  /// Who can mend it: a bad request is the asker's, the rest is the server's.
  public var isBadRequest: Bool {
    switch self {
    case .frame, .bitrate, .toggle, .port, .playerCueNotYet, .family: true
    case .listeners, .codec, .system, .closed: false
    }
  }
}

extension StreamError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .frame(let value):
      "frame=\(value) is not a frame length: use frame=2.5, 5, 10 or 20 (milliseconds)"
    case .bitrate(let value):
      "bitrate=\(value) is out of range: use 64000…256000 (bits per second)"
    case .toggle(let name, let value):
      "\(name)=\(value) is neither on nor off: use \(name)=1 or \(name)=0"
    case .port(let value):
      value.isEmpty
        ? "port= is missing: name the UDP port at which you listen, 1024…65534 (/listen.sdp?port=5004)"
        : "port=\(value) is not a port to listen at: use 1024…65534"
    case .playerCueNotYet:
      "player= is not served yet: leave it out to hear the whole room"
    case .listeners(let limit):
      "this room has its \(limit) listeners: try again when somebody left"
    case .family:
      "the media port is not open for your kind of address (IPv4 or IPv6): ask by the other one"
    case .codec(let code):
      "the Opus codec failed with error \(code)"
    case .system(let call, let code):
      "\(call) failed: \(StreamError.text(of: code))"
    case .closed:
      "the server is closing: try again later"
    }
  }
}
