extension QRCode {
  /// How hard the pattern would be to read; lower is better (clause 7.8.3).
  var penalty: Int {
    var points = 0
    for line in 0..<size {
      points += runs { self[$0, line] }
      points += runs { self[line, $0] }
    }
    for y in 0..<size - 1 {
      for x in 0..<size - 1
      where self[x, y] == self[x + 1, y] && self[x, y] == self[x, y + 1] && self[x, y] == self[x + 1, y + 1] {
        points += 3
      }
    }
    let dark = modules.count { $0 }
    // Ten points for each five per cent of difference from half.
    points += abs(dark * 20 - modules.count * 10) / modules.count * 10
    return points
  }

  /// The points of one line for long runs, and for patterns that look like a finder pattern:
  /// 1:1:3:1:1 with four light modules at one side.
  private func runs(_ isDark: (Int) -> Bool) -> Int {
    var points = 0
    var length = 0
    var last: Bool?
    var recent = 0
    for i in 0..<size {
      let now = isDark(i)
      length = now == last ? length + 1 : 1
      last = now
      if length == 5 { points += 3 } else if length > 5 { points += 1 }
      recent = (recent << 1 | (now ? 1 : 0)) & 0x7ff
      if i >= 10 && (recent == 0b000_0101_1101 || recent == 0b101_1101_0000) { points += 40 }
    }
    return points
  }
}
