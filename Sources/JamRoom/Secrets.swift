/// Texts that nobody guesses: tokens, cookies, passwords.
///
/// Thread: any.
public enum Secrets {
  private static let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")

  /// Random text.
  /// - Parameter length: in characters of five bits each.
  public static func text(length: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    var bits: UInt64 = 0
    return String(
      (0..<length).map { i in
        // Twelve letters from one call into the system.
        if i % 12 == 0 { bits = generator.next() }
        defer { bits >>= 5 }
        return letters[Int(bits & 31)]
      })
  }

  /// Takes the same time wherever the two differ.
  public static func equal(_ a: String, _ b: String) -> Bool {
    let a = Array(a.utf8)
    let b = Array(b.utf8)
    var difference = a.count ^ b.count
    for i in 0..<Swift.max(a.count, b.count) {
      difference |= Int(i < a.count ? a[i] : 0) ^ Int(i < b.count ? b[i] : 0)
    }
    return difference == 0
  }
}
