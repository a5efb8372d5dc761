internal import JamCore

/// One page of audio, built once and sent to all. Each listener gets it with numbers of its own, so
/// that its stream begins at page 0 and position 0, wherever it joined.
///
/// The checksum is linear. If two fields change, the checksum changes by the checksum of the change
/// alone, shifted by the bytes that follow. So a listener's header costs some tens of nanoseconds,
/// and all listeners share the memory of the page's body.
struct AudioPage: Sendable {
  let bytes: [UInt8]
  /// The number of the page in the stream, from 0.
  let sequence: UInt32
  /// The stream's position at the page's end.
  let granule: Frames
  /// The length of the sound in the page.
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

  /// The header of the page with a listener's own page number and position.
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
