/// The faults of certificates and connections.
public enum TLSProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// A file that was named, or one of the server's own files, with its fault.
  case file(String, reason: String)
  /// OpenSSL could not make a key, a certificate or a connection.
  case notMade(String)
  /// The text holds no readable certificate.
  case noCertificate
  /// The text holds no readable key.
  case noKey
  case otherKey
  /// OpenSSL refuses the certificate, for example because its key is too short.
  case unusable(reason: String)
  /// A connection that ended with a TLS error.
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
