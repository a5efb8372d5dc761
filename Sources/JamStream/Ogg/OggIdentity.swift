internal import JamCore

/// What a stream's headers say; the same for all who join it.
struct OggIdentity: Sendable {
  /// Random, so that a player that joins again does not take it for the same stream.
  var serial: UInt32
  var title: String
  var lookahead: Frames
  /// The stream's first page is the encoder's first, too.
  var beginsWithEncoder: Bool

  /// The headers are a listener's pages 0 and 1.
  static let headerPages: UInt32 = 2
  /// What a decoder needs to converge when it joins an encoder that is under way (RFC 7845 §5.1).
  static let preSkipOnJoining: UInt16 = 3_840

  /// The header pages for a listener whose first page is number `sequence` of the stream.
  func headers(joiningAt sequence: UInt32) -> [UInt8] {
    let isBeginning = beginsWithEncoder && sequence == 0
    let preSkip = isBeginning ? UInt16(clamping: lookahead.count) : OggIdentity.preSkipOnJoining
    return OggOpusHeader(preSkip: preSkip, title: title).pages(serial: serial)
  }
}
