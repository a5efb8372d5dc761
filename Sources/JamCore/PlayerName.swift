/// A player's or a room's name as people type it: 1…32 characters of any script. Spaces, control characters, marks that turn the
/// direction of writing, and what OSC addresses reserve (`/ # * , ? [ ] { }`) become `_`; none stands at either end.
///
/// Thread: any.
public struct PlayerName: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// - Returns: nil where nothing is left of `text` or it is longer than `Limits.nameCharacters`.
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
    guard !name.isEmpty, name.count <= limits.nameCharacters, name.utf8.count <= limits.nameCharacters * 4 else {
      return nil
    }
    self.text = String(name)
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
