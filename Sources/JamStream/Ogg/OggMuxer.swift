internal import JamCore

/// Collects Opus packets into the pages of one endless stream, which listeners join anywhere: a
/// machine without I/O.
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
    // Skipped frames leave a gap in the positions too, so that players stay on the room's time.
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
