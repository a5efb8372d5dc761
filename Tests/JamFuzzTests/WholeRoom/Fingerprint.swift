/// A number for a long text, the same in every process.
///
/// - Source: FNV-1a, 64 bits.
struct Fingerprint: Hashable, CustomStringConvertible {
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  mutating func add(_ text: String) { add(text.utf8) }

  var description: String { String(value, radix: 16) }
}
