/// What people may call a kit or a sound of their own.
///
/// Thread: any.
public enum ShownName {
  /// Whether `text` has 1…`Limits.nameCharacters` characters of up to `Limits.nameBytes` bytes, more than spaces, and no slashes,
  /// control characters or marks that turn the direction of writing.
  public static func isValid(_ text: String, limits: Limits = .standard) -> Bool {
    text.utf8.count <= limits.nameBytes && (1...limits.nameCharacters).contains(text.count)
      && text.unicodeScalars.allSatisfy {
        $0 != "/" && $0 != "\\" && $0.properties.generalCategory != .control && !$0.properties.isBidiControl
      } && text.contains { !$0.isWhitespace }
  }
}
