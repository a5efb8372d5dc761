internal import JamCore

/// One page of audio, built once and sent to all; each listener gets it with numbers of its own, so that its stream begins at
/// page 0 and position 0, wherever it joined.
///
/// The checksum is linear: a change of two fields changes it by what the change alone would have, shifted by the bytes that
/// follow. So a listener's header costs some tens of nanoseconds, and the page's body is the same memory for all.
struct AudioPage: Sendable {
  let bytes: [UInt8]
  /// Counts the stream's pages, from 0.
  let sequence: UInt32
  /// The stream's position at the page's end.
  let granule: Frames
  /// Of the sound in it.
  let length: Frames
  private let shift: UInt32

  /// The fixed part of a page's header.
  static let headerBytes = 27
  typealias Header = InlineArray<27, UInt8>

  init(bytes: [UInt8], sequence: UInt32, granule: Frames, length: Frames) {
    self.bytes = bytes
    self.sequence = sequence
    self.granule = granule
    self.length = length
    shift = OggChecksum.shift(byZeros: bytes.count - AudioPage.checksumStart)
  }

  private static let granuleStart = 6
  private static let sequenceStart = 18
  private static let checksumStart = 22

  /// The header for a listener to whom the page has another number and another position.
  func header(sequence: UInt32, granule: Frames) -> Header {
    var header = Header(repeating: 0)
    for i in 0..<AudioPage.headerBytes { header[i] = bytes[i] }
    var change = InlineArray<16, UInt8>(repeating: 0)
    let granuleChange = UInt64(bitPattern: granule.count ^ self.granule.count)
    let sequenceChange = sequence ^ self.sequence
    for i in 0..<8 { change[i] = UInt8(truncatingIfNeeded: granuleChange >> (8 * UInt64(i))) }
    for i in 0..<4 {
      change[AudioPage.sequenceStart - AudioPage.granuleStart + i] =
        UInt8(truncatingIfNeeded: sequenceChange >> (8 * UInt32(i)))
    }
    let checksum = OggChecksum.product(OggChecksum.of(change.indices.lazy.map { change[$0] }), shift)
    for i in change.indices { header[AudioPage.granuleStart + i] ^= change[i] }
    for i in 0..<4 { header[AudioPage.checksumStart + i] ^= UInt8(truncatingIfNeeded: checksum >> (8 * UInt32(i))) }
    return header
  }
}
