/// What the web server grants a peer. Beyond it a peer gets a proper status, or its connection ends.
public struct WebLimits: Sendable {
  /// Connections at once, but for those that became listeners; more get 503.
  public var connections = 20_000
  /// Connections at once from one address other than this machine's own.
  public var connectionsPerAddress = 4_096
  /// A request's path and query; longer gets 414.
  public var urlBytes = 2_048
  /// One header field, and all of them together; larger gets 431.
  public var headerFieldBytes = 8_192
  public var headerBytes = 16_384
  public var headerFields = 64
  /// Seconds from the connection's beginning until its first request's head is complete.
  public var headSeconds = 10.0
  /// Seconds that a connection may rest between two requests.
  public var idleSeconds = 60.0
  /// Seconds in which a peer takes nothing of an answer before its connection ends.
  public var stallSeconds = 20.0
  /// Seconds in which what a refused peer still sends is read and thrown away, so that it gets to read the refusal.
  public var lingerSeconds = 2.0
  /// The least that a body may bring a second. What is more buys time, up to `stallSeconds`.
  public var slowestBytesPerSecond = 65_536
  /// Seconds that an answer may take to be made of a body.
  public var workSeconds = 60.0
  /// One sound of somebody's own; what has come of all of them that are on their way in, and of those from one address.
  public var uploadBytes = 64 << 20
  public var uploadsBytes = 192 << 20
  public var uploadsBytesPerAddress = 128 << 20
  /// Sounds on their way in at once, and from one address; more get 503.
  public var uploads = 64
  public var uploadsPerAddress = 8
  /// `/last.wav` answers at once; more get 503.
  public var lastMinutes = 32

  public init() {}

  public static let standard = WebLimits()
}
