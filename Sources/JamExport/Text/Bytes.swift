extension [UInt8] {
  /// The lowest byte first: RIFF and zip.
  mutating func appendLittle(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// The highest byte first: MIDI files.
  mutating func appendBig(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }
}
