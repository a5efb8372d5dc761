extension [UInt8] {
  /// Appends the bytes of a number, the lowest byte first, as RIFF and zip files have them.
  package mutating func appendLittle(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
