import COpenSSL
import Glibc
import Testing

@testable import JamTLS

@Suite struct TLSContextTests {
  @Test("a chain is taken whole, or not at all") func chain() throws {
    let names = [CertificateName.host("localhost")]
    let texts = try OwnAuthority(in: nil, machine: "test", names: names).server(names: names)
    #expect(Certificate.chain(texts.certificate)?.count == 2)
    // Both may be in one file.
    #expect(Certificate.chain(texts.key + texts.certificate)?.count == 2)
    _ = try TLSContext(certificates: texts.certificate + texts.key, key: texts.certificate + texts.key)
    let damaged = texts.certificate.dropLast(60) + "\n-----END CERTIFICATE-----\n"
    #expect(Certificate.chain(String(damaged)) == nil)
    for text in ["", "hello", texts.key] {
      #expect(throws: TLSProblem.noCertificate) { try TLSContext(certificates: text, key: texts.key) }
    }
  }

  @Test("a key is there, without a passphrase, and the certificate's") func keys() throws {
    let names = [CertificateName.host("localhost")]
    let texts = try OwnAuthority(in: nil, machine: "test", names: names).server(names: names)
    for key in ["", "hello", texts.certificate, try Self.locked(texts.key)] {
      #expect(throws: TLSProblem.noKey) { try TLSContext(certificates: texts.certificate, key: key) }
    }
    let other = try PrivateKey().text()
    #expect(throws: TLSProblem.otherKey) { try TLSContext(certificates: texts.certificate, key: other) }
  }

  @Test("a key that is too short for OpenSSL is told") func short() throws {
    var key: OpaquePointer?
    let making = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil)
    defer { EVP_PKEY_CTX_free(making) }
    EVP_PKEY_keygen_init(making)
    EVP_PKEY_CTX_set_rsa_keygen_bits(making, 1_024)
    EVP_PKEY_generate(making, &key)
    defer { EVP_PKEY_free(key) }
    let certificate = jam_make_certificate(key, 1)
    defer { X509_free(certificate) }
    let texts = (try Self.taken(jam_certificate_text(certificate)), try Self.taken(jam_key_text(key)))
    #expect(throws: TLSProblem.unusable(reason: "ee key too small")) {
      try TLSContext(certificates: texts.0, key: texts.1)
    }
  }

  /// The same key behind a passphrase.
  private static func locked(_ text: String) throws -> String {
    let memory = BIO_new(BIO_s_mem())
    let key = try #require(PrivateKey(text))
    let isWritten = PEM_write_bio_PKCS8PrivateKey(memory, key.pointer, EVP_aes_128_cbc(), "word", 4, nil, nil)
    return try taken(jam_text_of(memory, isWritten))
  }

  private static func taken(_ text: UnsafeMutablePointer<CChar>?) throws -> String {
    let text = try #require(text)
    defer { free(text) }
    return String(cString: text)
  }
}
