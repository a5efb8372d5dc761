/// The names of files that people get: stems, parts of archives, and downloads.
///
/// Thread: any.
public enum FileName {
  /// The longest name in bytes. Systems take 255, and endings and numbers are added to a name.
  private static let mostBytes = 200

  /// `name` as every system can write it, with any ending behind it, and as no program takes it for
  /// a path.
  ///
  /// Characters that Windows forbids and control characters become `_`. Dots and spaces at the end
  /// go, because Windows drops them. A name of a device, an empty name, and a name with a dot in
  /// front get a `_` in front.
  /// - Parameter name: without an ending, or with one that may change.
  /// - Source: Microsoft, "Naming Files, Paths, and Namespaces".
  public static func portable(_ name: String) -> String {
    var text = String.UnicodeScalarView()
    var bytes = 0
    for scalar in name.unicodeScalars.prefix(100) {
      bytes += UTF8.width(scalar)
      guard bytes <= mostBytes else { break }
      let isControl = scalar.properties.generalCategory == .control
      let isKept = !isControl && !"<>:\"/\\|?*".unicodeScalars.contains(scalar)
      text.append(isKept ? scalar : "_")
    }
    while let last = text.last, last == "." || last == " " { text.removeLast() }
    let isBare = text.isEmpty || text.first == "." || isDevice(text)
    return (isBare ? "_" : "") + String(text)
  }

  /// Whether Windows takes the name for a device: it looks at what stands before the first dot, and
  /// at the spaces before that dot not at all.
  private static func isDevice(_ name: String.UnicodeScalarView) -> Bool {
    var stem = name.prefix { $0 != "." }
    while stem.last == " " { stem.removeLast() }
    let word = String(String.UnicodeScalarView(stem)).uppercased()
    if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(word) { return true }
    // Windows counts the raised digits of Latin-1 as digits.
    guard word.count == 4, let digit = word.last else { return false }
    guard "123456789¹²³".contains(digit) else { return false }
    return word.hasPrefix("COM") || word.hasPrefix("LPT")
  }
}
