internal import COpenSSL

/// Seals RTP packets by AES-128-GCM.
///
/// Thread: one at a time.
/// - Source: RFC 7714 §8, §9; keys by RFC 3711 §4.3.
final class GCMSealer {
  private let context: OpaquePointer
  /// The salt of the session. The place of each packet in the stream is mixed into it.
  private let salt: [UInt8]

  static let tagBytes = 16
  private static let keyBytes = SRTPProfile.aesGCM.keyBytes
  private static let saltBytes = SRTPProfile.aesGCM.saltBytes
  /// An RTP header without sources and extensions: this server writes no other.
  private static let headerBytes = RTPHeader.byteCount

  /// The purpose of a derived secret (RFC 3711 §4.3.2).
  private enum Label: UInt8 {
    case encryption = 0
    case salt = 2
  }

  /// - Parameter masterKey: the key of 16 bytes and the salt of 12 behind it.
  /// - Throws: `StreamError.system` where OpenSSL refuses.
  init(masterKey: [UInt8]) throws(StreamError) {
    guard masterKey.count == GCMSealer.keyBytes + GCMSealer.saltBytes,
      let key = GCMSealer.derive(.encryption, count: GCMSealer.keyBytes, from: masterKey),
      let salt = GCMSealer.derive(.salt, count: GCMSealer.saltBytes, from: masterKey),
      let context = jam_gcm_make(key)
    else { throw .system(call: "EVP_EncryptInit_ex", code: 0) }
    self.context = context
    self.salt = salt
  }

  deinit { EVP_CIPHER_CTX_free(context) }

  /// AES in counter mode over zeros, from a counter that holds the label and the master salt.
  private static func derive(_ label: Label, count: Int, from masterKey: [UInt8]) -> [UInt8]? {
    // The salt of 96 bits is the upper part of RFC 3711's 112 bits (RFC 7714 §11). The label goes
    // before the salt's lowest six bytes.
    var counter = Array(masterKey[keyBytes...]) + [0, 0, 0, 0]
    counter[7] ^= label.rawValue
    var output = [UInt8](repeating: 0, count: count)
    return jam_aes_counter(Array(masterKey[..<keyBytes]), counter, &output, Int32(count)) == 1 ? output : nil
  }

  /// Seals the packet of `count` bytes in place, with the tag behind it.
  /// - Parameter rollover: how often the sequence number has wrapped before.
  /// - Returns: the sealed packet's bytes; nil where OpenSSL refuses.
  func seal(_ packet: UnsafeMutableRawPointer, count: Int, rollover: UInt32) -> Int? {
    let payloadBytes = count - GCMSealer.headerBytes
    guard payloadBytes >= 0 else { return nil }
    let isSealed = withUnsafeTemporaryAllocation(byteCount: GCMSealer.saltBytes, alignment: 8) { vector in
      vector.copyBytes(from: salt)
      // Two zeros, the SSRC, the rollover counter, the sequence number (RFC 7714 §8.1).
      for i in 0..<4 {
        vector[2 + i] ^= packet.load(fromByteOffset: 8 + i, as: UInt8.self)
        vector[6 + i] ^= UInt8(truncatingIfNeeded: rollover >> UInt32(24 - 8 * i))
      }
      for i in 0..<2 { vector[10 + i] ^= packet.load(fromByteOffset: 2 + i, as: UInt8.self) }
      let payload = packet + GCMSealer.headerBytes
      return jam_gcm_seal(
        context, vector.baseAddress, packet, Int32(GCMSealer.headerBytes), payload, Int32(payloadBytes),
        payload + payloadBytes)
    }
    return isSealed == 1 ? count + GCMSealer.tagBytes : nil
  }
}
