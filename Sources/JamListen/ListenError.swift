public import JamStream

/// The reasons why `bandshell listen` cannot listen; each text is a line that says what to do.
public enum ListenError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknownHost(String)
  /// The host did not answer there.
  case unreachable(authority: String, reason: String)
  /// The host answered, but not with a stream: the status, and the reason that it gave.
  case refused(status: Int, reason: String)
  case notHTTP(authority: String)
  /// Nothing came for a while.
  case silent(seconds: Int)
  case stream(StreamError)

  public var description: String {
    switch self {
    case .unknownHost(let host): "there is no host \(host): check the address"
    case .unreachable(let authority, let reason):
      "nothing answers at \(authority) (\(reason)): is the server running, and its HTTP port open?"
    case .refused(let status, let reason): "the server refused with status \(status): \(reason)"
    case .notHTTP(let authority): "what answers at \(authority) is no Bandshell server"
    case .silent(let seconds):
      "no sound came for \(seconds) s: a firewall may stop UDP to this machine; try …/listen.opus instead"
    case .stream(let error): error.description
    }
  }
}
