/// Randomness that a log can repeat: a hash of a hit's number, so that a session rendered again strays exactly as it did.
///
/// Thread: any. Real-time safe.
public enum Chance {
  /// What may stray, each by a number of its own.
  public enum Stream: UInt64, Sendable { case pan = 1, transpose, gain, arpeggio }

  /// A value of −1…1 for the hit of that number, evenly spread.
  /// - Source: the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
  public static func value(_ sequence: UInt64, _ stream: Stream) -> Float {
    var x = sequence &* 0x9E37_79B9_7F4A_7C15 &+ stream.rawValue &* 0xD1B5_4A32_D192_ED03
    x = (x ^ (x &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    x = (x ^ (x &>> 27)) &* 0x94D0_49BB_1331_11EB
    x ^= x &>> 31
    // 24 bits: what a Float holds exactly.
    return Float(x &>> 40) / 8_388_608 - 1
  }
}
