internal import COpenSSL
internal import NIOCore

/// A server's side of one TLS connection: a machine without I/O around OpenSSL.
///
/// Thread: one at a time.
/// - Source: RFC 8446 (TLS 1.3), RFC 5246 (TLS 1.2).
struct TLSSession: ~Copyable {
  enum State {
    case handshaking
    case open
    /// The server said goodbye. The peer may still send.
    case outputClosed
    /// The connection failed.
    case over
  }

  /// The result of receiving the peer's bytes.
  struct Step {
    var plaintext = ByteBuffer()
    /// Bytes to send to the peer now, before any bytes that are sealed later.
    var ciphertext = ByteBuffer()
    var ending: Ending?
  }

  enum Ending: Hashable {
    /// The peer said goodbye.
    case closed
    case failed(TLSProblem)
  }

  /// The plaintext of one record (RFC 8446 §5.1).
  private static let recordBytes = 16_384

  private let ssl: OpaquePointer
  private(set) var state = State.handshaking

  /// - Throws: `TLSProblem.notMade` without memory.
  init(_ context: TLSContext) throws(TLSProblem) {
    guard let ssl = jam_make_memory_connection(context.pointer, 1) else { throw .notMade("a TLS connection") }
    self.ssl = ssl
  }

  deinit { SSL_free(ssl) }

  /// Receives bytes from the peer, divided at any place.
  mutating func receive(_ bytes: ByteBuffer) -> Step {
    var step = Step()
    guard state != .over else { return step }
    ERR_clear_error()
    let ssl = ssl
    _ = bytes.withUnsafeReadableBytes { BIO_write(SSL_get_rbio(ssl), $0.baseAddress, Int32($0.count)) }
    if state == .handshaking {
      let result = SSL_do_handshake(ssl)
      if result == 1 { state = .open } else { step.ending = ending(result) }
    }
    if state == .open || state == .outputClosed {
      step.plaintext.reserveCapacity(bytes.readableBytes)
      step.ending = read(into: &step.plaintext)
    }
    takeOutput(into: &step.ciphertext)
    return step
  }

  /// Makes records of `plaintext`. Nil where nothing may be sent: before the end of the handshake,
  /// and after a goodbye.
  mutating func seal(_ plaintext: ByteBuffer) -> ByteBuffer? {
    guard state == .open else { return nil }
    ERR_clear_error()
    let ssl = ssl
    var (rest, sealed) = (plaintext, ByteBuffer())
    // One record at a time, so that OpenSSL never buffers more than one.
    while rest.readableBytes > 0,
      let record = rest.readSlice(length: min(rest.readableBytes, TLSSession.recordBytes))
    {
      let result = record.withUnsafeReadableBytes { SSL_write(ssl, $0.baseAddress, Int32($0.count)) }
      guard result > 0 else {
        state = .over
        return nil
      }
      takeOutput(into: &sealed)
    }
    return sealed
  }

  /// Says goodbye, if the connection is open.
  /// - Returns: the bytes to send to the peer.
  mutating func close() -> ByteBuffer {
    var goodbye = ByteBuffer()
    guard state == .open else { return goodbye }
    state = .outputClosed
    ERR_clear_error()
    SSL_shutdown(ssl)
    takeOutput(into: &goodbye)
    return goodbye
  }

  private mutating func read(into plaintext: inout ByteBuffer) -> Ending? {
    let ssl = ssl
    while true {
      var result: Int32 = 0
      plaintext.writeWithUnsafeMutableBytes(minimumWritableBytes: max(1, Int(SSL_pending(ssl)))) { room in
        result = SSL_read(ssl, room.baseAddress, Int32(clamping: room.count))
        return max(0, Int(result))
      }
      if result <= 0 { return ending(result) }
    }
  }

  /// Why OpenSSL stopped; nil where it waits for more bytes from the peer.
  private mutating func ending(_ result: Int32) -> Ending? {
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return nil
    case SSL_ERROR_ZERO_RETURN: return .closed
    default:
      state = .over
      return .failed(.connection(reason: lastReason()))
    }
  }

  private func takeOutput(into bytes: inout ByteBuffer) {
    let out = SSL_get_wbio(ssl)
    let waiting = BIO_ctrl_pending(out)
    guard waiting > 0 else { return }
    bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: waiting) { room in
      max(0, Int(BIO_read(out, room.baseAddress, Int32(waiting))))
    }
  }
}
