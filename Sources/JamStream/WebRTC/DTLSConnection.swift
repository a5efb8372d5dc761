internal import COpenSSL

/// One DTLS connection, driven by datagrams: a machine without I/O around OpenSSL.
///
/// Thread: one at a time.
/// - Source: RFC 6347 (DTLS 1.2), RFC 5764 (SRTP keys).
package final class DTLSConnection {
  package enum Role { case server, client }

  /// The result of a step.
  package enum Event: Equatable {
    /// The handshake is done, and the peer's certificate matches the offer.
    case established(SRTPKeys)
    /// The peer said goodbye, or the handshake failed.
    case ended(Ending)
  }

  package enum Ending: Hashable {
    case closed
    case failed
    /// The peer's certificate is not one that the offer named.
    case stranger
    /// The peer supports none of our SRTP profiles.
    case noProfile
  }

  /// Bytes of a datagram. This size passes every path that WebRTC takes.
  static let datagramBytes = 1_200
  private static let label = "EXTRACTOR-dtls_srtp"

  private let context: DTLSContext
  private let ssl: OpaquePointer
  private let role: Role
  private let peers: [Fingerprint]
  private(set) var isEstablished = false
  private var isOver = false

  /// - Parameter peers: the peer's certificate must match one of them.
  /// - Throws: `StreamError.system` where memory is short.
  package init(_ context: DTLSContext, role: Role, peers: [Fingerprint]) throws(StreamError) {
    guard let ssl = jam_make_connection(context.context, role == .server ? 1 : 0, DTLSConnection.datagramBytes) else {
      throw .system(call: "SSL_new", code: 0)
    }
    self.context = context
    self.ssl = ssl
    self.role = role
    self.peers = peers
  }

  deinit { SSL_free(ssl) }

  /// Takes in one datagram.
  package func receive(_ datagram: UnsafeRawBufferPointer) -> Event? {
    guard !isOver, !datagram.isEmpty else { return nil }
    ERR_clear_error()
    BIO_write(SSL_get_rbio(ssl), datagram.baseAddress, Int32(datagram.count))
    return advance()
  }

  /// Begins the handshake, as a client, and repeats lost datagrams. Call this every 50 ms until
  /// `isEstablished`.
  package func tick() -> Event? {
    guard !isOver, !isEstablished else { return nil }
    ERR_clear_error()
    // Below 0: the datagrams were repeated too often.
    if jam_handle_timeout(ssl) < 0 { return end(.failed) }
    return advance()
  }

  /// Says goodbye. `takeOutput` returns the datagram.
  func close() {
    guard !isOver else { return }
    isOver = true
    if isEstablished { SSL_shutdown(ssl) }
  }

  /// Takes the datagrams that must be sent now.
  package func takeOutput() -> [[UInt8]] {
    let out = SSL_get_wbio(ssl)
    let waiting = BIO_ctrl_pending(out)
    guard waiting > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: waiting)
    let count = BIO_read(out, &bytes, Int32(waiting))
    return count > 0 ? DTLSConnection.datagrams(bytes[..<Int(count)]) : []
  }

  private func advance() -> Event? {
    if !isEstablished {
      let result = SSL_do_handshake(ssl)
      guard result == 1 else {
        let reason = SSL_get_error(ssl, result)
        return reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE ? nil : end(.failed)
      }
      return established()
    }
    // There is no application data, so reading only finds alerts.
    var bytes = [UInt8](repeating: 0, count: 2_048)
    while true {
      let result = SSL_read(ssl, &bytes, Int32(bytes.count))
      if result > 0 { continue }
      switch SSL_get_error(ssl, result) {
      case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return nil
      case SSL_ERROR_ZERO_RETURN:
        SSL_shutdown(ssl)
        return end(.closed)
      default: return end(.failed)
      }
    }
  }

  private func end(_ ending: Ending) -> Event {
    isOver = true
    return .ended(ending)
  }

  private func established() -> Event {
    guard let certificate = SSL_get1_peer_certificate(ssl) else { return end(.stranger) }
    defer { X509_free(certificate) }
    guard peers.contains(where: { Fingerprint(of: certificate, by: $0.hash) == $0 }) else { return end(.stranger) }
    guard let selected = SSL_get_selected_srtp_profile(ssl), let profile = SRTPProfile(id: selected.pointee.id),
      let keys = keys(profile)
    else { return end(.noProfile) }
    isEstablished = true
    return .established(keys)
  }

  /// - Source: RFC 5764 §4.2: client's key, server's key, client's salt, server's salt.
  private func keys(_ profile: SRTPProfile) -> SRTPKeys? {
    let (key, salt) = (profile.keyBytes, profile.saltBytes)
    var material = [UInt8](repeating: 0, count: 2 * (key + salt))
    let label = DTLSConnection.label
    guard SSL_export_keying_material(ssl, &material, material.count, label, label.utf8.count, nil, 0, 0) == 1 else {
      return nil
    }
    // In order: key and salt have bytes, and the material has twice as many of both.
    let client = Array(material[..<key] + material[(2 * key)..<(2 * key + salt)])
    // In order: as above.
    let server = Array(material[key..<(2 * key)] + material[(2 * key + salt)...])
    return SRTPKeys(
      profile: profile, own: role == .server ? server : client, peer: role == .server ? client : server)
  }

  /// OpenSSL's memory has no borders between datagrams. This cuts the bytes at records and packs
  /// the records into datagrams (RFC 6347 §4.1.1).
  static func datagrams(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var datagrams: [[UInt8]] = []
    var rest = bytes
    while rest.count >= 13 {
      let start = rest.startIndex
      let length = 13 + (Int(rest[start + 11]) << 8 | Int(rest[start + 12]))
      let record = rest.prefix(length)
      rest = rest.dropFirst(length)
      if let last = datagrams.last, last.count + record.count <= datagramBytes {
        datagrams[datagrams.count - 1] += record
      } else {
        datagrams.append(Array(record))
      }
    }
    return datagrams
  }
}
