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

/// Gathers Opus packets into the pages of one endless stream, which listeners join anywhere: a machine without I/O.
///
/// - Source: RFC 7845 §3 and §4.
struct OggMuxer {
  private let serial: UInt32
  private var page = OggPage()
  private var frames = Frames.zero
  private var granule = Frames.zero
  private var start: Frames?
  private var nextSequence: UInt32 = 0

  init(serial: UInt32) { self.serial = serial }

  /// Takes in a packet of `length` frames whose first input frame is `firstFrame`.
  /// - Parameter pageLength: the page is passed on as soon as it holds this much.
  /// - Returns: a page that is full.
  mutating func append(
    _ packet: UnsafeRawBufferPointer, firstFrame: Frames, length: Frames, pageLength: Frames
  ) -> AudioPage? {
    // Frames that were skipped leave a gap in the positions too: players stay on the room's time.
    let start = self.start ?? firstFrame
    self.start = start
    var full: AudioPage?
    if !page.append(packet) {
      full = finish()
      _ = page.append(packet)
    }
    granule = firstFrame - start + length
    frames += length
    if full == nil, frames >= pageLength { full = finish() }
    return full
  }

  private mutating func finish() -> AudioPage {
    let sequence = nextSequence
    let length = frames
    nextSequence &+= 1
    frames = .zero
    return AudioPage(
      bytes: page.finish(granule: granule.count, serial: serial, sequence: sequence), sequence: sequence,
      granule: granule, length: length)
  }
}
