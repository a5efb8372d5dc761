/// Numbers that are the same everywhere.
struct Dice: Sendable {
  private var state: UInt64

  init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let word = (state ^ state >> 33) &* 0xFF51_AFD7_ED55_8CCD
    return Int((word ^ word >> 33) % UInt64(bound))
  }
}
