internal import COpus
internal import Glibc
public import JamCore

/// One libopus encoder: stereo, 48 kHz, music, complexity 5, DTX off.
///
/// Where packets may be lost, each can be decoded without the one before it. A decoder then carries
/// nothing on that it has guessed: a lost packet is over within milliseconds, and is never louder
/// than the mix (`make bench ARGS="sound --part loss"`).
///
/// Thread: one at a time. Not real-time safe.
public struct OpusEncoder: ~Copyable, @unchecked Sendable {
  // Unchecked: libopus keeps all state behind the pointer, which has one owner.
  private let state: OpaquePointer
  /// The delay of the decoder's output relative to the encoder's input.
  public let lookahead: Frames
  public let profile: StreamProfile

  /// - Throws: `StreamError.codec`.
  /// - Source: RFC 6716 §2.1; https://opus-codec.org/docs/opus_api-1.3.1/
  public init(_ profile: StreamProfile) throws(StreamError) {
    let made = try OpusEncoder.make(profile)
    state = made.state
    lookahead = made.lookahead
    self.profile = profile
  }

  private static func make(_ profile: StreamProfile) throws(StreamError) -> (state: OpaquePointer, lookahead: Frames) {
    let application =
      switch profile.application {
      case .lowDelay: OPUS_APPLICATION_RESTRICTED_LOWDELAY
      case .audio: OPUS_APPLICATION_AUDIO
      }
    var code: Int32 = 0
    guard let state = opus_encoder_create(opus_int32(Frames.perSecond), 2, application, &code) else {
      throw .codec(code: code)
    }
    var lookahead: opus_int32 = 0
    code = jam_opus_set_bitrate(state, opus_int32(profile.bitrate.rawValue))
    if code == OPUS_OK { code = jam_opus_set_complexity(state, 5) }
    if code == OPUS_OK { code = jam_opus_set_dtx(state, 0) }
    if code == OPUS_OK { code = jam_opus_set_signal_music(state) }
    // Ogg comes over TCP, where nothing is lost.
    if code == OPUS_OK, profile.application == .lowDelay {
      code = jam_opus_set_prediction_disabled(state, 1)
    }
    if code == OPUS_OK { code = jam_opus_get_lookahead(state, &lookahead) }
    guard code == OPUS_OK else {
      opus_encoder_destroy(state)
      throw .codec(code: code)
    }
    return (state, Frames(Int64(lookahead)))
  }

  deinit { opus_encoder_destroy(state) }

  /// Encodes one frame of `pcm` (interleaved stereo, `profile.frame` frames, nominally ±1) into
  /// `packet`.
  /// - Returns: the packet's bytes.
  /// - Throws: `StreamError.codec`.
  public mutating func encode(
    _ pcm: UnsafePointer<Float>, into packet: UnsafeMutableRawBufferPointer
  ) throws(StreamError) -> Int {
    guard let output = packet.baseAddress else { throw .codec(code: OPUS_BUFFER_TOO_SMALL) }
    let bytes = opus_encode_float(
      state, pcm, Int32(profile.frame.rawValue), output.assumingMemoryBound(to: UInt8.self), opus_int32(packet.count))
    guard bytes > 0 else { throw .codec(code: bytes) }
    return Int(bytes)
  }

  /// Resets the encoder, for input that does not continue the earlier input.
  public mutating func reset() { _ = jam_opus_reset_encoder(state) }
}
