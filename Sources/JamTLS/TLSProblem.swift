/// What goes wrong with certificates and connections.
public enum TLSProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// A file that was named, or one of the server's own, with what is wrong.
  case file(String, reason: String)
  /// OpenSSL made no key, no certificate, no connection.
  case notMade(String)
  /// A text that should have certificates.
  case noCertificate
  /// A text that should have a key.
  case noKey
  case otherKey
  /// OpenSSL takes no such certificate: its key is too short, for example.
  case unusable(reason: String)
  /// A connection that ended with an error of TLS.
  case connection(reason: String)

  public var description: String {
    switch self {
    case .file(let path, let reason): "\(path): \(reason)"
    case .notMade(let what): "\(what) could not be made"
    case .noCertificate:
      "there is no certificate in it that can be read: it begins with -----BEGIN CERTIFICATE-----"
    case .noKey: "there is no key in it that can be read: it is PEM, without a passphrase"
    case .otherKey: "the certificate does not belong to the key"
    case .unusable(let reason): "the certificate cannot be used: \(reason)"
    case .connection(let reason): "the TLS connection failed: \(reason)"
    }
  }
}
