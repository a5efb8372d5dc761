internal import COpenSSL

/// The name of a sound: the SHA-256 of its file's bytes.
///
/// Two files with the same bytes are one sound, whatever their names are. Logs use the hash to name
/// sounds.
/// - Source: FIPS 180-4 §6.2.
public struct ContentHash: Hashable, Sendable, CustomStringConvertible {
  private var words: SIMD8<UInt32>

  /// - Thread: any that may wait. OpenSSL computes the hash, with the processor's own instructions
  ///   where it has them.
  public init(_ bytes: UnsafeRawBufferPointer) {
    words = SIMD8()
    withUnsafeTemporaryAllocation(byteCount: 32, alignment: 4) { digest in
      // This fails only where the library lacks SHA-256. Then kits cannot be told apart.
      precondition(
        EVP_Digest(bytes.baseAddress, bytes.count, digest.baseAddress, nil, EVP_sha256(), nil) == 1)
      for word in 0..<8 {
        words[word] = UInt32(bigEndian: digest.loadUnaligned(fromByteOffset: word * 4, as: UInt32.self))
      }
    }
  }

  /// - Returns: nil unless `text` is 64 hexadecimal digits in lower case, as `description` writes
  ///   them.
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
}
