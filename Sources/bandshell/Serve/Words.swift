/// Secrets that are handed out.
enum Words {
  /// A short word that can be said across a room: consonant, vowel, four times (about 25 bits).
  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      String("bdfghjklmnprstvz".randomElement(using: &generator)!) + String("aeiou".randomElement(using: &generator)!)
    }.joined()
  }
}
