/// The rule for the names that people give to their kits and sounds.
///
/// Thread: any.
public enum ShownName {
  /// Whether `text` has 1…`Limits.nameCharacters` characters and at most `Limits.nameBytes` bytes,
  /// is more than spaces, and has no slashes, control characters or marks that change the direction
  /// of writing.
  public static func isValid(_ text: String, limits: Limits = .standard) -> Bool {
    text.utf8.count <= limits.nameBytes && (1...limits.nameCharacters).contains(text.count)
      && text.unicodeScalars.allSatisfy {
        $0 != "/" && $0 != "\\" && $0.properties.generalCategory != .control && !$0.properties.isBidiControl
      } && text.contains { !$0.isWhitespace }
  }
}
