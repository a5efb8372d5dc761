/// Reads big-endian fields from untrusted bytes. Past the end it returns nil and never crashes.
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private(set) var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var remaining: Int { bytes.count - position }

  mutating func skip(_ count: Int) -> Bool {
    guard count >= 0, count <= remaining else { return false }
    position += count
    return true
  }

  mutating func integer<T: FixedWidthInteger>(_: T.Type = T.self) -> T? {
    let size = MemoryLayout<T>.size
    guard size <= remaining else { return nil }
    defer { position += size }
    return T(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: T.self))
  }

  /// The next `count` bytes, not copied.
  mutating func slice(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, count <= remaining else { return nil }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }
}

extension [UInt8] {
  mutating func append<T: FixedWidthInteger>(bigEndian value: T) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  mutating func append<T: FixedWidthInteger>(littleEndian value: T) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}
