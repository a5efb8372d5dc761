internal import COpenSSL

/// The certificate and the settings that a server's TLS connections share.
///
/// Thread: any; OpenSSL locks what connections share.
public final class TLSContext: @unchecked Sendable {
  // Unchecked: constant after `init`.
  let pointer: OpaquePointer
  private let leaf: Certificate

  /// - Parameters:
  ///   - certificates: the server's certificate, followed by those of its issuers; PEM.
  ///   - key: the key of the server's certificate; PEM without a passphrase.
  public init(certificates: String, key: String) throws(TLSProblem) {
    guard let chain = Certificate.chain(certificates) else { throw .noCertificate }
    guard let key = PrivateKey(key) else { throw .noKey }
    guard chain[0].belongs(to: key) else { throw .otherKey }
    guard let context = jam_make_tls_context() else { throw .notMade("a TLS context") }
    pointer = context
    leaf = chain[0]
    ERR_clear_error()
    guard SSL_CTX_use_certificate(context, chain[0].pointer) == 1, SSL_CTX_use_PrivateKey(context, key.pointer) == 1,
      chain.dropFirst().allSatisfy({ jam_add_chain_certificate(context, $0.pointer) == 1 })
    else { throw .unusable(reason: lastReason()) }
  }

  deinit { SSL_CTX_free(pointer) }

  /// Whether the server's certificate is for a host name, as a browser compares them.
  /// - Parameter host: a name in lower case, without a port and without a dot at its end.
  public func isFor(host: String) -> Bool { leaf.isFor(host: host) }
}
