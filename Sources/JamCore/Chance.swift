/// Randomness that a log can repeat. The random value is a hash of the hit's number, so that a
/// session that is rendered again varies exactly as it did live.
///
/// Thread: any. Real-time safe.
public enum Chance {
  /// The values that vary at random. Each has a stream of its own, so that they vary independently.
  public enum Stream: UInt64, Sendable { case pan = 1, transpose, gain, arpeggio }

  /// A value in −1…1 for the hit with the number `sequence`, evenly spread.
  public static func value(_ sequence: UInt64, _ stream: Stream) -> Float {
    let bits = mixed(sequence &* 0x9E37_79B9_7F4A_7C15 &+ stream.rawValue &* 0xD1B5_4A32_D192_ED03)
    // 24 bits, which a Float holds exactly.
    return Float(bits &>> 40) / 8_388_608 - 1
  }

  /// A hash of a number. All bits of the hash are equally good.
  /// - Source: the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable
  ///   Pseudorandom Number Generators", 2014).
  @inlinable @_noLocks public static func mixed(_ number: UInt64) -> UInt64 {
    var x = number
    x = (x ^ (x &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    x = (x ^ (x &>> 27)) &* 0x94D0_49BB_1331_11EB
    return x ^ (x &>> 31)
  }
}
