extension [UInt8] {
  /// The highest byte first: MIDI files.
  mutating func appendBig(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }
}
