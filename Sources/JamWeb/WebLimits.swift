/// The limits of the web server for a peer. Beyond them a peer gets a status that says so, or its
/// connection ends.
public struct WebLimits: Sendable {
  /// The most connections at once, without those that became listeners; more get 503.
  public var connections = 20_000
  /// The most connections at once from one address, except from this machine itself.
  public var connectionsPerAddress = 4_096
  /// The most bytes of a request's path and query; longer ones get 414.
  public var urlBytes = 2_048
  /// The most bytes of one header field, and of all together, and the most fields; more get 431.
  public var headerFieldBytes = 8_192
  public var headerBytes = 16_384
  public var headerFields = 64
  /// Seconds from the beginning of the connection until the head of its first request is complete.
  public var headSeconds = 10.0
  /// Seconds that a connection may rest between two requests.
  public var idleSeconds = 60.0
  /// Seconds in which a peer takes nothing of an answer before its connection ends.
  public var stallSeconds = 20.0
  /// Seconds in which the bytes that a refused peer still sends are thrown away, so that the peer
  /// can read the refusal.
  public var lingerSeconds = 2.0
  /// The least bytes a second of a body. More bytes extend the time limit, up to `stallSeconds`.
  public var slowestBytesPerSecond = 65_536
  /// Seconds that the answer to a body may take.
  public var workSeconds = 60.0
  /// The most bytes of one sound, of all sounds that are arriving, and of those that are arriving
  /// from one address.
  public var uploadBytes = 64 << 20
  public var uploadsBytes = 192 << 20
  public var uploadsBytesPerAddress = 128 << 20
  /// The most sounds that are arriving at once, in all and from one address; more get 503.
  public var uploads = 64
  public var uploadsPerAddress = 8
  /// The most answers of `/last.wav` at once; more get 503.
  public var lastMinutes = 32

  public init() {}

  public static let standard = WebLimits()
}
