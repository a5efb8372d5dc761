import ArgumentParser
import Glibc
import JamCommand
import JamRoom

/// A password or host word from a place that other users cannot see: a file, or the environment. A
/// word on a command line is visible in the list of processes.
enum SecretWord {
  static let mostBytes = 256
  /// The fewest characters of a host word, without spaces and hyphens.
  static let fewestSpoken = 4

  /// The word of an option, or else of its file, or else of the environment; nil where none is
  /// given. The variable is removed from the environment, so that no child process inherits the
  /// word.
  /// - Parameter isSpoken: spaces and hyphens do not count when the word is compared.
  /// - Throws: `ValidationError` that names the option or the variable.
  static func given(
    _ word: String?, file: String?, option: String, variable: String, isSpoken: Bool = false
  ) throws -> String? {
    func checked(_ word: String, from place: String) throws -> String {
      let word = try plain(word, from: place)
      guard !isSpoken || Secrets.spoken(word).count >= fewestSpoken else {
        throw ValidationError(
          "\(place): a word has \(fewestSpoken) characters at least, and spaces and hyphens do not count")
      }
      return word
    }
    let inherited = getenv(variable).map { String(cString: $0) }
    unsetenv(variable)
    guard word == nil || file == nil else {
      throw ValidationError("\(option) and \(option)-file are both given: leave one of them out")
    }
    if let word { return try checked(word, from: option) }
    if let file { return try checked(read(file, option: "\(option)-file"), from: "\(option)-file \(file)") }
    return try inherited.map { try checked($0, from: variable) }
  }

  /// The first line of a file.
  private static func read(_ path: String, option: String) throws -> String {
    guard let file = fopen(path, "r") else {
      throw ValidationError(
        "\(option) \(path) cannot be read (\(SystemError.text(errno))): name a file that holds the word")
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: mostBytes + 2)
    let count = fread(&bytes, 1, bytes.count, file)
    let line = bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard let word = String(validating: line, as: UTF8.self) else {
      throw ValidationError("\(option) \(path) holds no text in UTF-8: write the word on its first line")
    }
    return word
  }

  private static func plain(_ word: String, from place: String) throws -> String {
    guard !word.isEmpty else { throw ValidationError("\(place) needs a word; leave it out to have none given") }
    guard word.utf8.count <= mostBytes, !word.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f })
    else { throw ValidationError("\(place): a word has \(mostBytes) bytes at most, and no control characters") }
    return word
  }
}
