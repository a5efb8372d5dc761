import JamCore

/// Names for users, made from names of files.
package enum PadName {
  /// A file's name without its ending.
  package static func stem(of file: String) -> String {
    guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return file }
    return String(file[..<dot])
  }

  /// `03_Kick-Deep` becomes `Kick Deep`: without the number in front, and with spaces in place of
  /// signs.
  package static func cleaned(_ name: String) -> String {
    let words = spaced(name).split(separator: " ").map { String($0) }
    let named = words.drop { $0.allSatisfy(\.isNumber) }
    var text = (named.isEmpty ? words[...] : named).joined(separator: " ")
    text = String(text.prefix(Limits.standard.nameCharacters))
    while text.last == " " { text.removeLast() }
    return text.isEmpty ? "Sound" : text.prefix(1).uppercased() + text.dropFirst()
  }

  /// Puts spaces in place of signs, between the words of `BassDrum`, and in front of the number of
  /// `Kick2`.
  private static func spaced(_ name: String) -> String {
    var text = ""
    var previous: Character = " "
    for character in name {
      let startsWord = character.isUppercase && previous.isLowercase || character.isNumber && previous.isLowercase
      if startsWord { text.append(" ") }
      text.append(character.isLetter || character.isNumber || "&+#'()".contains(character) ? character : " ")
      previous = character
    }
    return text
  }

  /// A name for a file or folder: lower-case letters, digits and hyphens; `sound` where nothing is
  /// left.
  package static func slug(_ name: String) -> String {
    let words = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : " " }.split(separator: " ")
    let slug = String(words.map { String($0) }.joined(separator: "-").prefix(Limits.standard.nameCharacters - 8))
    return slug.isEmpty ? "sound" : slug
  }

  /// A name that somebody else chose, almost unchanged: on one line, and without characters that a
  /// screen or a path would interpret.
  package static func safe(
    _ name: String, atMost limit: Int, otherwise: String = "Sound", keepingSlashes: Bool = false
  ) -> String {
    let scalars = name.unicodeScalars.map { scalar -> Character in
      let isSlash = scalar == "/" || scalar == "\\"
      let isSafe = scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format
      return isSafe && (keepingSlashes || !isSlash) ? Character(scalar) : " "
    }
    let words = String(scalars).split(separator: " ").joined(separator: " ")
    var text = String(words.prefix(limit))
    while text.last == " " { text.removeLast() }
    return text.isEmpty ? otherwise : text
  }

  /// `Break 2`, within the length limit of names.
  package static func numbered(_ name: String, _ number: Int) -> String {
    let suffix = " \(number)"
    return safe(name, atMost: Limits.standard.nameCharacters - suffix.count) + suffix
  }
}
