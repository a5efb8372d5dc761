internal import COpus
public import JamCore

/// One libopus decoder: stereo, 48 kHz.
///
/// Thread: one at a time. Not real-time safe.
public struct OpusDecoder: ~Copyable, @unchecked Sendable {
  // Unchecked: libopus keeps all state behind the pointer, which has one owner.
  private let state: OpaquePointer

  /// The longest packet that RFC 6716 allows: 120 ms.
  public static let maximumFrames = 5_760

  /// - Throws: `StreamError.codec`.
  public init() throws(StreamError) {
    var code: Int32 = 0
    guard let state = opus_decoder_create(opus_int32(Frames.perSecond), 2, &code) else { throw .codec(code: code) }
    self.state = state
  }

  deinit { opus_decoder_destroy(state) }

  /// Decodes one packet to interleaved stereo.
  /// - Parameter pcm: room for `maximumFrames` frames, or for as many as the packet is known to
  ///   hold.
  /// - Returns: the frames written.
  /// - Throws: `StreamError.codec` where the bytes are no packet, or the packet is longer than
  ///   `pcm`.
  public mutating func decode(
    _ packet: UnsafeRawBufferPointer, into pcm: UnsafeMutableBufferPointer<Float>
  ) throws(StreamError) -> Int {
    // libopus takes an empty packet for a lost one. Here it is a mistake of the sender.
    guard let bytes = packet.baseAddress, packet.count > 0 else { throw .codec(code: OPUS_INVALID_PACKET) }
    guard let output = pcm.baseAddress else { throw .codec(code: OPUS_BUFFER_TOO_SMALL) }
    let frames = opus_decode_float(
      state, bytes.assumingMemoryBound(to: UInt8.self), opus_int32(packet.count), output,
      Int32(pcm.count / 2), 0)
    guard frames >= 0 else { throw .codec(code: frames) }
    return Int(frames)
  }

  /// Conceals `frames` lost frames (a multiple of 120), based on the sound before.
  /// - Source: RFC 6716 §4.4.
  public mutating func conceal(frames: Int, into pcm: UnsafeMutableBufferPointer<Float>) throws(StreamError) -> Int {
    guard let output = pcm.baseAddress else { throw .codec(code: OPUS_BUFFER_TOO_SMALL) }
    let made = opus_decode_float(state, nil, 0, output, Int32(min(frames, pcm.count / 2)), 0)
    guard made >= 0 else { throw .codec(code: made) }
    return Int(made)
  }

  public mutating func reset() { _ = jam_opus_reset_decoder(state) }

  /// The number of frames in `packet`; nil where it is no Opus packet.
  public static func frames(in packet: UnsafeRawBufferPointer) -> Frames? {
    guard let bytes = packet.baseAddress, packet.count > 0 else { return nil }
    let count = opus_packet_get_nb_samples(
      bytes.assumingMemoryBound(to: UInt8.self), opus_int32(packet.count), opus_int32(Frames.perSecond))
    return count > 0 ? Frames(Int64(count)) : nil
  }
}
