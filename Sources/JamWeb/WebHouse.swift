public import JamStream

/// What the web server needs to know of the house around it. The composition root provides it.
///
/// Thread: every call comes on an event loop, so it returns at once and never waits.
public protocol WebHouse: Sendable {
  /// - Parameter name: a room's name as it came in the path, percent-decoded; nil is the room `main`.
  /// - Returns: nil where there is no such room.
  func room(named name: String?) -> (any WebRoom)?
  /// Where RTP leaves from.
  var media: MediaServer { get }
  /// Where players send OSC to, as the page tells them.
  var oscAddress: OSCAddressInfo { get }
  /// Everything that `/metrics` tells, but for the web server's own figures, which it adds itself.
  func metrics() -> [Metric]
}
