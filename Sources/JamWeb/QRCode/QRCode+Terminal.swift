extension QRCode {
  /// The light modules around the code on each side.
  static let margin = 4

  /// The code for a terminal. Each character is two modules, one above the other.
  /// - Parameter colours: sets black and white by escape sequences. Without them the light modules
  ///   are drawn, for a dark terminal.
  package func terminalText(colours: Bool) -> String {
    // The bounds are in order, because a code has modules.
    let range = -QRCode.margin..<size + QRCode.margin
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
      let row = String(
        range.map { x -> Character in
          let upper = isLight(x, y)
          let lower = y + 1 < range.upperBound && isLight(x, y + 1)
          return switch (upper, lower) {
          case (true, true): "█"
          case (true, false): "▀"
          case (false, true): "▄"
          case (false, false): " "
          }
        })
      return colours ? "\u{1b}[97;40m\(row)\u{1b}[0m" : row
    }.joined(separator: "\n")
  }

  private func isLight(_ x: Int, _ y: Int) -> Bool {
    guard (0..<size).contains(x), (0..<size).contains(y) else { return true }
    return !self[x, y]
  }
}
