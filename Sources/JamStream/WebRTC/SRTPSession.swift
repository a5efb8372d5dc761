internal import CSRTP

/// The protection of SRTP. The first one takes a third of the time of the second.
///
/// - Source: RFC 7714, RFC 5764 §4.1.2.
public enum SRTPProfile: CaseIterable, Hashable, Sendable {
  case aesGCM
  case aesCM

  var opensslName: String {
    switch self {
    case .aesGCM: "SRTP_AEAD_AES_128_GCM"
    case .aesCM: "SRTP_AES128_CM_SHA1_80"
    }
  }

  /// - Parameter id: the number in DTLS.
  init?(id: UInt) {
    switch id {
    case 0x0007: self = .aesGCM
    case 0x0001: self = .aesCM
    default: return nil
    }
  }

  var keyBytes: Int { 16 }
  var saltBytes: Int { self == .aesGCM ? 12 : 14 }

  fileprivate var libraryProfile: srtp_profile_t {
    self == .aesGCM ? srtp_profile_aead_aes_128_gcm : srtp_profile_aes128_cm_sha1_80
  }
}

/// The keys from a DTLS handshake: a key with its salt for each direction.
package struct SRTPKeys: Hashable, Sendable {
  var profile: SRTPProfile
  var own: [UInt8]
  var peer: [UInt8]
}

/// Protects the packets to one peer and opens the packets from it.
///
/// OpenSSL seals the media packets of AES-GCM. libsrtp2 does everything else; in Debian it computes
/// AES-GCM through NSS, which takes several times as long.
///
/// Thread: one at a time.
/// - Source: RFC 3711, RFC 7714; libsrtp2.
package final class SRTPSession {
  // The sessions accept any stream: a stream begins with its first packet.
  private let outgoing: srtp_t
  private let incoming: srtp_t
  /// nil where the profile is not AES-GCM.
  private let sealer: GCMSealer?

  /// The most bytes that protecting may add to a packet.
  static let trailerBytes = Int(SRTP_MAX_TRAILER_LEN) + 4
  /// How far back a packet may be sent again, and how late a packet may come.
  private static let windowPackets: UInt = 1_024

  private static let isReady: Bool = srtp_init() == srtp_err_status_ok

  /// - Throws: `StreamError.system` where libsrtp refuses.
  package init(_ keys: SRTPKeys) throws(StreamError) {
    guard SRTPSession.isReady else { throw .system(call: "srtp_init", code: 0) }
    let sealer = keys.profile == .aesGCM ? try GCMSealer(masterKey: keys.own) : nil
    let outgoing = try SRTPSession.make(keys.own, keys.profile, ssrc_any_outbound)
    do throws(StreamError) {
      incoming = try SRTPSession.make(keys.peer, keys.profile, ssrc_any_inbound)
    } catch {
      srtp_dealloc(outgoing)
      throw error
    }
    self.outgoing = outgoing
    self.sealer = sealer
  }

  deinit {
    srtp_dealloc(outgoing)
    srtp_dealloc(incoming)
  }

  private static func make(
    _ key: [UInt8], _ profile: SRTPProfile, _ direction: srtp_ssrc_type_t
  ) throws(StreamError) -> srtp_t {
    var key = key
    var session: srtp_t?
    let status = key.withUnsafeMutableBufferPointer { key in
      var policy = srtp_policy_t()
      srtp_crypto_policy_set_from_profile_for_rtp(&policy.rtp, profile.libraryProfile)
      srtp_crypto_policy_set_from_profile_for_rtcp(&policy.rtcp, profile.libraryProfile)
      policy.ssrc.type = direction
      policy.key = key.baseAddress
      policy.window_size = windowPackets
      // A lost packet is sent again unchanged: the same plaintext under the same index.
      policy.allow_repeat_tx = 1
      return srtp_create(&session, &policy)
    }
    guard status == srtp_err_status_ok, let session else { throw .system(call: "srtp_create", code: 0) }
    return session
  }

  /// Protects the RTP packet of `count` bytes at `packet`, which has room for `trailerBytes` behind
  /// it.
  /// - Parameter rollover: how often the sequence number has wrapped before.
  /// - Returns: the protected packet's bytes; nil where the library refuses.
  func protect(_ packet: UnsafeMutableRawPointer, count: Int, rollover: UInt32) -> Int? {
    if let sealer { return sealer.seal(packet, count: count, rollover: rollover) }
    // The library counts the wraps itself.
    var length = Int32(count)
    return srtp_protect(outgoing, packet, &length) == srtp_err_status_ok ? Int(length) : nil
  }

  /// The same for a compound of RTCP.
  func protectReport(_ compound: [UInt8]) -> [UInt8]? {
    var bytes = compound + [UInt8](repeating: 0, count: SRTPSession.trailerBytes)
    var length = Int32(compound.count)
    guard srtp_protect_rtcp(outgoing, &bytes, &length) == srtp_err_status_ok else { return nil }
    return Array(bytes[..<Int(length)])
  }

  /// - Returns: the RTCP compound; nil where it is forged, damaged or a repetition.
  func openReport(_ packet: UnsafeRawBufferPointer) -> [UInt8]? { open(packet, srtp_unprotect_rtcp) }

  /// - Returns: the RTP packet; nil where it is forged, damaged or a repetition.
  package func open(_ packet: UnsafeRawBufferPointer) -> [UInt8]? { open(packet, srtp_unprotect) }

  private func open(
    _ packet: UnsafeRawBufferPointer,
    _ unprotect: (srtp_t?, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int32>?) -> srtp_err_status_t
  ) -> [UInt8]? {
    // The library opens in place.
    var bytes = Array(packet)
    var length = Int32(bytes.count)
    guard length >= 12, unprotect(incoming, &bytes, &length) == srtp_err_status_ok else { return nil }
    return Array(bytes[..<Int(length)])
  }
}
