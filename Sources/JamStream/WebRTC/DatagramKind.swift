/// The kinds of datagrams that share a port with WebRTC's sound.
///
/// - Source: RFC 7983: the first byte tells them apart.
enum DatagramKind {
  /// STUN.
  case check
  /// DTLS.
  case handshake
  /// SRTP and SRTCP.
  case media

  /// nil where the datagram does not belong to WebRTC.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0...3: self = .check
    case 20...63: self = .handshake
    case 128...191: self = .media
    default: return nil
    }
  }
}
