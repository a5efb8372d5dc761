/// A player's or a room's name in the form in which people type it: 1…32 characters of any script.
/// Spaces, control characters, marks that change the direction of writing, and the characters that
/// OSC reserves in addresses (`/ # * , ? [ ] { }`) become `_`. A name neither begins nor ends with
/// `_`, and has at least one visible character.
///
/// Thread: any.
public struct PlayerName: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// - Returns: nil where no character of `text` is left, or where the name is longer than
  ///   `Limits.nameCharacters` or `Limits.nameBytes`.
  public init?(_ text: String, limits: Limits = .standard) {
    let kept = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar {
      case "/", "#", "*", ",", "?", "[", "]", "{", "}", " ": "_"
      case _ where scalar.properties.isWhitespace || scalar.properties.isBidiControl: "_"
      case _ where scalar.properties.generalCategory == .control: "_"
      default: scalar
      }
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: kept)
    var name = Substring(String(view))
    while name.first == "_" { name.removeFirst() }
    while name.last == "_" { name.removeLast() }
    guard name.unicodeScalars.contains(where: PlayerName.isSeen), name.count <= limits.nameCharacters,
      name.utf8.count <= limits.nameBytes
    else { return nil }
    self.text = String(name)
  }

  /// Whether a reader cannot distinguish the two names: they differ only in upper and lower case,
  /// or in invisible characters.
  public func looksLike(_ other: PlayerName) -> Bool { self == other || look == other.look }

  private var look: String {
    var seen = String.UnicodeScalarView()
    seen.append(contentsOf: text.unicodeScalars.filter(PlayerName.isSeen))
    return String(seen).lowercased()
  }

  /// Whether a font shows the character. Default-ignorable marks and blanks are invisible.
  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    // The blank pattern of Braille has the category of a symbol, but is invisible.
    guard !properties.isDefaultIgnorableCodePoint, scalar != "\u{2800}" else { return false }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator, .spaceSeparator: return false
    default: return true
    }
  }

  /// The name with a number at its end. The name is shortened by whole characters until the result
  /// fits.
  /// - Returns: nil where no character of the name is left.
  public func numbered(_ number: Int, limits: Limits = .standard) -> PlayerName? {
    let suffix = "-\(number)"
    var stem = text[...]
    // The loop runs at most once for each character of the name.
    while !stem.isEmpty {
      if let name = PlayerName(stem + suffix, limits: limits) { return name }
      stem.removeLast()
    }
    return nil
  }

  public var description: String { text }
}

/// A player's number in a room, 0 ..< `Limits.playersPerRoom`. The player's bus in the engine has
/// the same number.
///
/// Thread: any. Real-time safe.
@frozen
public struct PlayerID: Hashable, Comparable, BitwiseCopyable, Sendable {
  public let index: UInt8
  @inlinable public init(index: UInt8) { self.index = index }
  @inlinable public static func < (a: PlayerID, b: PlayerID) -> Bool { a.index < b.index }
}
