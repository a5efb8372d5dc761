/// Numbers by chance that are the same everywhere, by their seed.
///
/// - Source: SplitMix64 (Steele, Lea and Flood, 2014).
struct FuzzDice {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func word() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// 0 ..< `bound`, which is above 0.
  mutating func below(_ bound: Int) -> Int { Int(word() % UInt64(bound)) }

  /// Once in so many times.
  mutating func once(in times: Int) -> Bool { below(times) == 0 }

  mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

  /// 0 … 1.
  mutating func share() -> Double { Double(word() >> 11) / 9_007_199_254_740_991 }
}
