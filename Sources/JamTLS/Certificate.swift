internal import COpenSSL
internal import Glibc

/// A key on P-256.
///
/// Thread: any.
final class PrivateKey: @unchecked Sendable {
  // Unchecked: constant after `init`.
  let pointer: OpaquePointer

  init() throws(TLSProblem) {
    guard let key = jam_make_key() else { throw .notMade("a key") }
    pointer = key
  }

  /// - Parameter text: PEM without a passphrase.
  init?(_ text: String) {
    guard let key = jam_key_from(text) else { return nil }
    pointer = key
  }

  deinit { EVP_PKEY_free(pointer) }

  func text() throws(TLSProblem) -> String { try owned(jam_key_text(pointer), "a key's text") }
}

/// A certificate of an authority or of a server.
///
/// Thread: any.
final class Certificate: @unchecked Sendable {
  // Unchecked: constant after `init`.
  let pointer: OpaquePointer

  private init(_ pointer: OpaquePointer) { self.pointer = pointer }

  /// - Parameter text: PEM.
  init?(_ text: String) {
    guard let certificate = jam_certificate_from(text) else { return nil }
    pointer = certificate
  }

  deinit { X509_free(pointer) }

  /// All certificates of a PEM text, in its order. Nil where a certificate is damaged, or where the
  /// text has none.
  static func chain(_ text: String) -> [Certificate]? {
    defer { ERR_clear_error() }
    ERR_clear_error()
    // All reading happens within the closure, because the BIO uses the text's memory in place.
    return Array(text.utf8).withUnsafeBytes { text in
      guard let memory = BIO_new_mem_buf(text.baseAddress, Int32(clamping: text.count)) else { return nil }
      defer { BIO_free(memory) }
      var chain: [Certificate] = []
      while let certificate = PEM_read_bio_X509(memory, nil, nil, nil) { chain.append(Certificate(certificate)) }
      return jam_is_end_of_pem() == 1 && !chain.isEmpty ? chain : nil
    }
  }

  /// The certificate of an authority that only signs for servers with those names and addresses.
  static func authority(_ name: String, for names: [String], days: Int, key: PrivateKey) throws(TLSProblem)
    -> Certificate
  {
    let constraints = "critical," + names.joined(separator: ",")
    guard let certificate = jam_issue_certificate(key.pointer, name, constraints, days, nil, nil) else {
      throw .notMade("an authority's certificate for \(constraints) (\(lastReason()))")
    }
    return Certificate(certificate)
  }

  /// A server's certificate, signed by this authority.
  func issue(_ name: String, for names: [CertificateName], days: Int, key: PrivateKey, by own: PrivateKey)
    throws(TLSProblem) -> Certificate
  {
    let alternatives = names.map(\.text).joined(separator: ",")
    guard let certificate = jam_issue_certificate(key.pointer, name, alternatives, days, pointer, own.pointer) else {
      throw .notMade("a certificate for \(alternatives) (\(lastReason()))")
    }
    return Certificate(certificate)
  }

  /// Whether this authority signed `other` and may sign for its names, and both are still valid in
  /// `days` days.
  func vouches(for other: Certificate, in days: Int) -> Bool { jam_vouches(pointer, other.pointer, days) == 1 }

  func belongs(to key: PrivateKey) -> Bool {
    defer { ERR_clear_error() }
    return X509_check_private_key(pointer, key.pointer) == 1
  }

  /// Whether the certificate is for a host name. Its alternative names may begin with `*.`.
  /// - Source: RFC 6125 §6.4.
  func isFor(host: String) -> Bool {
    defer { ERR_clear_error() }
    return X509_check_host(pointer, host, host.utf8.count, 0, nil) == 1
  }

  func text() throws(TLSProblem) -> String { try owned(jam_certificate_text(pointer), "a certificate's text") }

  /// The certificate in DER, the form that phones accept.
  var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 8_192) { buffer, count in
      count = Int(jam_certificate_der(pointer, buffer.baseAddress, 8_192))
    }
  }

  /// SHA-256 in the usual form of programs: `AB:CD:…`.
  var fingerprint: String {
    var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    X509_digest(pointer, EVP_sha256(), &bytes, &count)
    return bytes.prefix(Int(count)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
      .joined(separator: ":")
  }
}

/// OpenSSL's reason for the last fault on this thread.
func lastReason() -> String {
  defer { ERR_clear_error() }
  return ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) } ?? "OpenSSL does not say why"
}

private func owned(_ text: UnsafeMutablePointer<CChar>?, _ what: String) throws(TLSProblem) -> String {
  guard let text else { throw .notMade(what) }
  defer { free(text) }
  return String(cString: text)
}
