/// The name of a sound: the SHA-256 of its file's bytes.
///
/// Two files with the same bytes are one sound, whatever they are called; logs name sounds by it.
/// - Source: FIPS 180-4 §6.2.
public struct ContentHash: Hashable, Sendable, CustomStringConvertible {
  private var words: SIMD8<UInt32>

  /// - Thread: any; about 4 ms a MiB.
  public init(_ bytes: UnsafeRawBufferPointer) {
    words = SIMD8(
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)
    let whole = bytes.count & ~63
    Self.constants.withUnsafeBufferPointer { constants in
      guard let constants = constants.baseAddress else { return }
      var start = 0
      while start < whole {
        add(UnsafeRawBufferPointer(rebasing: bytes[start..<start + 64]), constants)
        start += 64
      }
    }
    // The rest, one set bit, zeros, and the length in bits (§5.1.1).
    var tail = Array(bytes[whole...])
    tail.append(0x80)
    while tail.count % 64 != 56 { tail.append(0) }
    withUnsafeBytes(of: (UInt64(bytes.count) * 8).bigEndian) { tail.append(contentsOf: $0) }
    tail.withUnsafeBytes { tail in
      for start in stride(from: 0, to: tail.count, by: 64) {
        Self.constants.withUnsafeBufferPointer { constants in
          guard let constants = constants.baseAddress else { return }
          add(UnsafeRawBufferPointer(rebasing: tail[start..<start + 64]), constants)
        }
      }
    }
  }

  /// - Returns: nil unless `text` is 64 hexadecimal digits in lower case, as `description` writes them.
  public init?(_ text: String) {
    guard text.utf8.count == 64, text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
      return nil
    }
    words = SIMD8()
    var rest = Substring(text)
    for word in 0..<8 {
      words[word] = UInt32(rest.prefix(8), radix: 16) ?? 0
      rest = rest.dropFirst(8)
    }
  }

  /// 64 hexadecimal digits.
  public var description: String {
    (0..<8).map { word in
      let digits = String(words[word], radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// Folds one block of 64 bytes in (§6.2.2).
  private mutating func add(_ block: UnsafeRawBufferPointer, _ constants: UnsafePointer<UInt32>) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      // Pointers, unchecked: an upload waits for this loop more than for any other.
      guard let schedule = schedule.baseAddress, let block = block.baseAddress else { return }
      for t in 0..<16 {
        schedule[t] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: t * 4, as: UInt32.self))
      }
      for t in 16..<64 {
        let a = schedule[t - 15]
        let b = schedule[t - 2]
        let s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >> 3)
        let s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >> 10)
        schedule[t] = schedule[t - 16] &+ s0 &+ schedule[t - 7] &+ s1
      }
      var (a, b, c, d) = (words[0], words[1], words[2], words[3])
      var (e, f, g, h) = (words[4], words[5], words[6], words[7])
      for t in 0..<64 {
        let s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
        let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ constants[t] &+ schedule[t]
        let s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
        let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
        (h, g, f, e) = (g, f, e, d &+ t1)
        (d, c, b, a) = (c, b, a, t1 &+ t2)
      }
      words = words &+ SIMD8(a, b, c, d, e, f, g, h)
    }
  }

  @inline(__always) private func rotate(_ x: UInt32, _ n: UInt32) -> UInt32 { (x >> n) | (x << (32 - n)) }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (§4.2.2).
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
