internal import JamCore

/// The content of a stream's headers; the same for all who join the stream.
struct OggIdentity: Sendable {
  /// Random, so that a player that joins again does not take it for the same stream.
  var serial: UInt32
  var title: String
  var lookahead: Frames
  /// Whether the stream's first page is also the encoder's first.
  var beginsWithEncoder: Bool

  /// The headers are a listener's pages 0 and 1.
  static let headerPages: UInt32 = 2
  /// The pre-skip that a decoder needs to converge when it joins an encoder that is already running
  /// (RFC 7845 §5.1).
  static let preSkipOnJoining: UInt16 = 3_840

  /// The header pages for a listener whose first page is number `sequence` of the stream.
  func headers(joiningAt sequence: UInt32) -> [UInt8] {
    let isBeginning = beginsWithEncoder && sequence == 0
    let preSkip = isBeginning ? UInt16(clamping: lookahead.count) : OggIdentity.preSkipOnJoining
    return OggOpusHeader(preSkip: preSkip, title: title).pages(serial: serial)
  }

  /// 20 ms, fullband CELT, stereo (RFC 6716 §3.1). The last page needs a packet, because `opusinfo`
  /// complains about a last page that has a position and no packet.
  private static let silence: [UInt8] = [0xfc, 0xff, 0xfe]
  private static let silenceLength = Frames(960)

  /// The page that ends the stream behind `last`: 20 ms of silence.
  /// - Source: RFC 3533 §6, field 3.
  func end(behind last: AudioPage) -> AudioPage {
    var page = OggPage()
    _ = OggIdentity.silence.withUnsafeBytes { page.append($0) }
    let sequence = last.sequence &+ 1
    let granule = last.granule + OggIdentity.silenceLength
    let bytes = page.finish(
      flags: OggPage.Flag.end, granule: granule.count, serial: serial, sequence: sequence)
    return AudioPage(bytes: bytes, sequence: sequence, granule: granule, length: OggIdentity.silenceLength)
  }
}
