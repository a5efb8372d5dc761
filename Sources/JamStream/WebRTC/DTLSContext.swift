internal import COpenSSL

/// The certificate and the settings that DTLS connections share: one for each start of the server.
///
/// Thread: any; OpenSSL locks the state that connections share.
package final class DTLSContext: @unchecked Sendable {
  // Unchecked: constant after `init`.
  let context: OpaquePointer
  /// The fingerprint of our certificate, for SDP.
  package let fingerprint: Fingerprint
  private let key: OpaquePointer
  private let certificate: OpaquePointer

  /// - Parameter profiles: the SRTP profiles to offer, best first.
  /// - Throws: `StreamError.system` where OpenSSL cannot make a key.
  package init(profiles: [SRTPProfile] = SRTPProfile.allCases) throws(StreamError) {
    var generator = SystemRandomNumberGenerator()
    guard let key = jam_make_key() else { throw .system(call: "EVP_EC_gen", code: 0) }
    guard let certificate = jam_make_certificate(key, Int(UInt32.random(in: 1..<(1 << 31), using: &generator))),
      let context = jam_make_context(key, certificate, profiles.map(\.opensslName).joined(separator: ":"))
    else {
      EVP_PKEY_free(key)
      throw .system(call: "SSL_CTX_new", code: 0)
    }
    self.key = key
    self.certificate = certificate
    self.context = context
    fingerprint = Fingerprint(of: certificate, by: .sha256)
  }

  deinit {
    SSL_CTX_free(context)
    X509_free(certificate)
    EVP_PKEY_free(key)
  }
}

extension Fingerprint {
  init(of certificate: OpaquePointer, by hash: Hash) {
    let digest =
      switch hash {
      case .sha1: EVP_sha1()
      case .sha256: EVP_sha256()
      case .sha384: EVP_sha384()
      case .sha512: EVP_sha512()
      }
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { output, count in
      var written: UInt32 = 0
      X509_digest(certificate, digest, output.baseAddress, &written)
      count = Int(written)
    }
    self.init(hash: hash, bytes: bytes)
  }
}
