internal import JamCore

/// SHA-1, which the WebSocket handshake requires. It does not protect anything there.
///
/// - Source: FIPS 180-4 §6.1.
enum SHA1 {
  static func hash(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
    var padded = message + [0x80]
    padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
    for shift in stride(from: 56, through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: (message.count * 8) >> shift))
    }
    for start in stride(from: 0, to: padded.count, by: 64) {
      add(padded[Range(from: start, to: start + 64)], to: &state)
    }
    return state.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) } }
  }

  private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
    var words = [UInt32](repeating: 0, count: 80)
    for (i, byte) in block.enumerated() { words[i / 4] = words[i / 4] << 8 | UInt32(byte) }
    for i in 16..<80 { words[i] = rotated(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], by: 1) }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for i in 0..<80 {
      let (mixed, constant): (UInt32, UInt32) =
        switch i {
        case ..<20: (b & c | ~b & d, 0x5a82_7999)
        case ..<40: (b ^ c ^ d, 0x6ed9_eba1)
        case ..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
        default: (b ^ c ^ d, 0xca62_c1d6)
        }
      (a, b, c, d, e) = (rotated(a, by: 5) &+ mixed &+ e &+ constant &+ words[i], a, rotated(b, by: 30), c, d)
    }
    for (i, value) in [a, b, c, d, e].enumerated() { state[i] &+= value }
  }

  private static func rotated(_ word: UInt32, by bits: UInt32) -> UInt32 { word << bits | word >> (32 - bits) }
}
