import COpenSSL
import NIOCore

@testable import JamTLS

/// A client over memory, straight on OpenSSL, so that it shares nothing with what is tested.
final class TLSClient {
  private let context: OpaquePointer
  private let ssl: OpaquePointer
  /// What it was told.
  private(set) var heard = ByteBuffer()
  /// The server said goodbye.
  private(set) var isEnded = false
  /// OpenSSL's words for what went wrong.
  private(set) var fault: String?

  /// - Parameters:
  ///   - version: the only one that it speaks.
  ///   - protocols: what it offers by ALPN.
  ///   - ticket: of a connection before, to be resumed.
  init(
    _ version: Int32 = TLS1_3_VERSION, protocols: [String] = [], ticket: OpaquePointer? = nil, ciphers: String? = nil
  ) {
    context = SSL_CTX_new(TLS_client_method())
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(version), nil)
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(version), nil)
    if let ciphers { SSL_CTX_set_cipher_list(context, ciphers) }
    let offered = protocols.flatMap { [UInt8($0.utf8.count)] + $0.utf8 }
    if !offered.isEmpty { SSL_CTX_set_alpn_protos(context, offered, UInt32(offered.count)) }
    ssl = jam_make_memory_connection(context, 0)
    if let ticket { SSL_set_session(ssl, ticket) }
  }

  deinit {
    SSL_free(ssl)
    SSL_CTX_free(context)
  }

  var isReady: Bool { SSL_is_init_finished(ssl) == 1 }
  var isResumed: Bool { SSL_session_reused(ssl) == 1 }
  /// To be freed by `SSL_SESSION_free`.
  func ticket() -> OpaquePointer? { SSL_get1_session(ssl) }
  var certificates: Int { Int(OPENSSL_sk_num(SSL_get_peer_cert_chain(ssl))) }
  var chosen: String? {
    var (name, count): (UnsafePointer<UInt8>?, UInt32) = (nil, 0)
    SSL_get0_alpn_selected(ssl, &name, &count)
    return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
  }

  func receive(_ bytes: ByteBuffer) {
    _ = bytes.withUnsafeReadableBytes { BIO_write(SSL_get_rbio(ssl), $0.baseAddress, Int32($0.count)) }
    step()
  }

  /// Begins the handshake, or goes on.
  func step() {
    ERR_clear_error()
    var bytes = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = SSL_read(ssl, &bytes, Int32(bytes.count))
      if count > 0 {
        heard.writeBytes(bytes.prefix(Int(count)))
        continue
      }
      switch SSL_get_error(ssl, count) {
      case SSL_ERROR_WANT_READ: return
      case SSL_ERROR_ZERO_RETURN: return isEnded = true
      default: return fault = fault ?? lastReason()
      }
    }
  }

  func say(_ bytes: ByteBuffer) {
    _ = bytes.withUnsafeReadableBytes { SSL_write(ssl, $0.baseAddress, Int32($0.count)) }
  }

  func say(_ text: String) { say(ByteBuffer(string: text)) }
  func end() { SSL_shutdown(ssl) }
  /// Asks for another handshake within this one's connection (TLS 1.2).
  func renegotiate() {
    SSL_renegotiate(ssl)
    SSL_do_handshake(ssl)
  }

  /// What is to be sent to the server.
  func output() -> ByteBuffer {
    let out = SSL_get_wbio(ssl)
    var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(out))
    if !bytes.isEmpty { BIO_read(out, &bytes, Int32(bytes.count)) }
    return ByteBuffer(bytes: bytes)
  }

  func takeHeard() -> String {
    defer { heard.clear() }
    return String(buffer: heard)
  }
}

extension TLSContext {
  /// Of an authority made for the test, which stands behind the server's certificate.
  static func made() throws -> TLSContext {
    let names = [CertificateName.host("localhost")]
    let texts = try OwnAuthority(in: nil, machine: "test", names: names).server(names: names)
    return try TLSContext(certificates: texts.certificate, key: texts.key)
  }
}
