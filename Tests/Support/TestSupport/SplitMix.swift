/// Random numbers that are the same in every run.
package struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// 0..<`bound`.
  package mutating func below(_ bound: Int) -> Int { Int(next() >> 11) % bound }

  /// A file with four bytes exchanged, half of them in its first `head`, where the claims are. Half
  /// of the time its end is missing, too.
  package mutating func damaging(_ bytes: [UInt8], head: Int) -> [UInt8] {
    var damaged = bytes
    for _ in 0..<4 {
      let reach = even() > 0 ? Swift.min(bytes.count, head) : bytes.count
      damaged[Int(abs(even()) * Double(reach - 1))] = UInt8(truncatingIfNeeded: Int(even() * 1e6))
    }
    if even() > 0.5 { damaged.removeLast(Int(abs(even()) * Double(damaged.count - 1))) }
    return damaged
  }

  /// -1…1.
  package mutating func even() -> Double { .random(in: -1...1, using: &self) }
}
