/// Why there is no certificate.
public enum TLSProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// A file that was named, or one of the server's own, with what is wrong.
  case file(String, reason: String)
  /// OpenSSL made no key or no certificate.
  case notMade(String)

  public var description: String {
    switch self {
    case .file(let path, let reason): "\(path): \(reason)"
    case .notMade(let what): "\(what) could not be made"
    }
  }
}
