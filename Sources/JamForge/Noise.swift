/// A seeded stream of uniform noise: xorshift64*.
/// - Source: S. Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled",
///   2016.
struct Noise {
  private var state: UInt64

  init(seed: Int) {
    // splitmix64 spreads neighbouring seeds; 0 is the one state that xorshift may not have.
    var x = UInt64(bitPattern: Int64(seed)) &+ 0x9e37_79b9_7f4a_7c15
    x = (x ^ (x >> 30)) &* 0xbf58_476d_1ce4_e5b9
    x = (x ^ (x >> 27)) &* 0x94d0_49bb_1331_11eb
    state = max(x ^ (x >> 31), 1)
  }

  /// -1…1.
  mutating func next() -> Double {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return Double(Int64(bitPattern: state &* 0x2545_f491_4f6c_dd1d) >> 11) / 4_503_599_627_370_496
  }
}
