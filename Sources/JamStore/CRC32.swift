/// The check sum of a journal's frame and of a zip entry, computed eight bytes at a time.
/// - Source: IEEE 802.3, the reflected polynomial 0xEDB88320; "slicing by 8" by Kounavis and Berry
///   (2005).
public struct CRC32: Sendable {
  /// Eight tables of 256: the n-th carries a byte past n more bytes.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      tables[byte] = (0..<8).reduce(UInt32(byte)) { value, _ in
        value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
      }
    }
    for place in 256..<8 * 256 {
      let before = tables[place - 256]
      tables[place] = tables[Int(before & 0xff)] ^ before >> 8
    }
    return tables
  }()

  private var state = ~UInt32(0)

  public init() {}

  public var value: UInt32 { ~state }

  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    state = CRC32.tables.withUnsafeBufferPointer { CRC32.update(state, bytes, $0) }
  }

  public static func of(_ bytes: some Collection<UInt8>) -> UInt32 {
    var sum = CRC32()
    let isDone: Void? = bytes.withContiguousStorageIfAvailable { sum.update(UnsafeRawBufferPointer($0)) }
    if isDone == nil { Array(bytes).withUnsafeBytes { sum.update($0) } }
    return sum.value
  }

  private static func update(
    _ start: UInt32, _ bytes: UnsafeRawBufferPointer, _ tables: UnsafeBufferPointer<UInt32>
  ) -> UInt32 {
    var state = start
    var place = 0
    while place + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian ^ UInt64(state)
      state = 0
      for n in 0..<8 { state ^= tables[(7 - n) * 256 + Int(word >> (8 * UInt64(n)) & 0xff)] }
      place += 8
    }
    while place < bytes.count {
      state = tables[Int((state ^ UInt32(bytes[place])) & 0xff)] ^ state >> 8
      place += 1
    }
    return state
  }
}
