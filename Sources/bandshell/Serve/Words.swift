/// Secrets that are handed out.
enum Words {
  /// A word that can be said across a room: eight syllables of consonant and vowel in four pairs, as `bafe-dogu-kilu-maro`. That is 50
  /// bits; case and hyphens do not count where it is compared.
  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    func syllable() -> String {
      String("bdfghjklmnprstvz".randomElement(using: &generator)!) + String("aeiou".randomElement(using: &generator)!)
    }
    return (0..<4).map { _ in syllable() + syllable() }.joined(separator: "-")
  }
}
