/// A player's or a room's name as people type it: 1…32 characters of any script. Spaces, control characters, marks that turn the
/// direction of writing, and what OSC addresses reserve (`/ # * , ? [ ] { }`) become `_`; none stands at either end.
/// A name has at least one character that can be seen.
///
/// Thread: any.
public struct PlayerName: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// - Returns: nil where nothing is left of `text`, or it is longer than `Limits.nameCharacters` or `Limits.nameBytes`.
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

  /// Whether a reader takes the two for one: they differ in upper and lower case, or in characters that are
  /// not seen.
  public func looksLike(_ other: PlayerName) -> Bool { self == other || look == other.look }

  private var look: String {
    var seen = String.UnicodeScalarView()
    seen.append(contentsOf: text.unicodeScalars.filter(PlayerName.isSeen))
    return String(seen).lowercased()
  }

  /// What a font shows: neither a mark that is ignored by default, nor a blank, nor nothing at all.
  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    // The blank pattern of Braille is a symbol by its category.
    guard !properties.isDefaultIgnorableCodePoint, scalar != "\u{2800}" else { return false }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator, .spaceSeparator: return false
    default: return true
    }
  }

  /// The same name with a number behind it, which fits: as many whole characters of the name as there is room for.
  /// - Returns: nil where nothing of the name is left.
  public func numbered(_ number: Int, limits: Limits = .standard) -> PlayerName? {
    let suffix = "-\(number)"
    var stem = text[...]
    // At most as often as the name has characters.
    while !stem.isEmpty {
      if let name = PlayerName(stem + suffix, limits: limits) { return name }
      stem.removeLast()
    }
    return nil
  }

  public var description: String { text }
}

/// A player's number in a room: also the number of its bus in the engine, 0 ..< `Limits.playersPerRoom`.
///
/// Thread: any. Real-time safe.
@frozen
public struct PlayerID: Hashable, Comparable, BitwiseCopyable, Sendable {
  public let index: UInt8
  @inlinable public init(index: UInt8) { self.index = index }
  @inlinable public static func < (a: PlayerID, b: PlayerID) -> Bool { a.index < b.index }
}
