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

  /// Whether the texts are equal. The time depends on the given text's length alone.
  public static func equal(_ given: String, _ secret: String) -> Bool {
    let given = Array(given.utf8)
    let secret = Array(secret.utf8)
    var difference = given.count ^ secret.count
    guard !secret.isEmpty else { return difference == 0 }
    for i in given.indices { difference |= Int(given[i] ^ secret[i % secret.count]) }
    return difference == 0
  }

  /// Whether a word is too long to be found at any speed at which a server answers. Only the length
  /// counts: a host word made by the server has 16 letters of 50 bits, a token more.
  /// - Parameter word: a password, a token, or a host word as `spoken` leaves it.
  public static func isStrong(_ word: String) -> Bool { word.utf8.count >= strongBytes }

  /// The bytes of a strong word.
  public static let strongBytes = 16

  /// A host word without case, spaces and hyphens, which get lost in speech and on phones.
  public static func spoken(_ word: String) -> String { word.lowercased().filter { $0 != " " && $0 != "-" } }
}
