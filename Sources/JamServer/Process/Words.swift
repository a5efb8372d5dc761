/// Makes secrets for people.
package enum Words {
  /// A word that people can say across a room: eight syllables of a consonant and a vowel, in four
  /// groups, as `bafe-dogu-kilu-maro`. It has 50 bits. Case and hyphens do not count when it is
  /// compared.
  package static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    func syllable() -> String {
      String("bdfghjklmnprstvz".randomElement(using: &generator)!) + String("aeiou".randomElement(using: &generator)!)
    }
    return (0..<4).map { _ in syllable() + syllable() }.joined(separator: "-")
  }
}
