/// The reason why a stream is refused. The text says what was wrong and what would be right.
public enum StreamError: Error, Hashable, Sendable {
  /// `frame=` is none of the four lengths.
  case frame(String)
  /// `bitrate=` is no number of bits per second within the range.
  case bitrate(String)
  /// A switch is neither on nor off.
  case toggle(name: String, value: String)
  /// `port=` is missing or is no UDP port.
  case port(String)
  /// `player=` names nobody in the room.
  case player(String)
  /// `token=` is missing or is not that player's.
  case token(player: String)
  /// `without=` is not `me`.
  case without(String)
  /// `without=me` came without `player=`.
  case withoutNobody
  /// The room already encodes as many cues as it may.
  case cues(limit: Int)
  /// The room is full.
  case listeners(limit: Int)
  /// The media port does not support the asker's address family.
  case family
  /// A WebRTC offer is malformed, or asks for something that this server cannot do; the text says
  /// what.
  case offer(String)
  /// A WebRTC offer asks for no Opus.
  case noOpus
  /// Too many WebRTC listeners are connecting, so no more may begin.
  case connecting(limit: Int)
  /// libopus refused: its error code.
  case codec(code: Int32)
  /// A socket or a pipe failed: the call, and `errno`.
  case system(call: String, code: Int32)
  /// The server or room is being closed.
  case closed

  /// The kind of the error: it shows who can solve it.
  public enum Kind: Hashable, Sendable {
    /// The request is wrong in itself.
    case badRequest
    /// The request is well-formed, but the server cannot satisfy it.
    case unusable
    /// The request names somebody who is not there.
    case notFound
    /// The asker is not allowed to have it.
    case forbidden
    /// The server cannot do it now.
    case unavailable
  }

  public var kind: Kind {
    switch self {
    case .frame, .bitrate, .toggle, .port, .without, .withoutNobody, .family, .offer: .badRequest
    case .noOpus: .unusable
    case .player: .notFound
    case .token: .forbidden
    case .listeners, .cues, .connecting, .codec, .system, .closed: .unavailable
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
    case .player(let name):
      name.isEmpty
        ? "player= is empty: name the player whose cue it is, or leave it out to hear the whole room"
        : """
        there is no player '\(name)' in this room: say /hello with that name first, \
        or leave player= out to hear the whole room
        """
    case .token(let player):
      "token= is not \(player)'s: it is the last argument of /welcome, the answer to the player's own /hello"
    case .without(let value):
      """
      without=\(value) is unknown: use without=me to leave out the hits that your own program sounds
      """
    case .withoutNobody:
      """
      without=me needs player= and token=, or nobody knows whose hits to leave out: add both, \
      or leave it out
      """
    case .cues(let limit):
      """
      this room has its \(limit) streams of players' cues: hear the whole room without player=, \
      or try again when one has ended
      """
    case .listeners(let limit):
      "this room has its \(limit) listeners: try again when somebody left"
    case .family:
      "the media port is not open for your kind of address (IPv4 or IPv6): ask by the other one"
    case .offer(let what):
      "the offer cannot be answered: \(what)"
    case .noOpus:
      "the offer asks for no sound that there is here: offer to receive audio as opus/48000/2 (a=recvonly)"
    case .connecting(let limit):
      "\(limit) listeners from your address are connecting already: try again in a few seconds"
    case .codec(let code):
      "the Opus codec failed with error \(code)"
    case .system(let call, let code):
      "\(call) failed: \(StreamError.text(of: code))"
    case .closed:
      "the server is closing: try again later"
    }
  }
}
