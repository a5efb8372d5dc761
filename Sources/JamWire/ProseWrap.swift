/// Wraps the prose of generated pages at 100 columns.
enum ProseWrap {
  private static let columns = 100

  static func paragraph(_ text: String) -> String { lines(text, first: "", indent: "") }

  /// A bullet of a list: its first line and the lines behind it.
  static func bullet(_ text: String) -> String { lines(text, first: "- ") }

  /// Lines that go on with a bullet, indented by two.
  static func lines(_ text: String, first: String = "  ", indent: String = "  ") -> String {
    var lines: [String] = []
    var line = first
    var isEmpty = true
    for word in words(text) {
      if !isEmpty, line.count + 1 + word.count > columns {
        lines.append(line)
        line = indent
        isEmpty = true
      }
      if !isEmpty { line += " " }
      line += word
      isEmpty = false
    }
    lines.append(line)
    return lines.map { "\($0)\n" }.joined()
  }

  /// A word that Markdown takes for a list, a heading or a quotation at the beginning of a line stays
  /// with the word before it.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    for word in text.split(separator: " ").map(String.init) {
      let isMark = ["-", "+", "*", ">", "="].contains(word) || word.hasPrefix("#")
      let isNumber = word.last == "." && word.dropLast().allSatisfy(\.isNumber)
      if isMark || isNumber, let last = words.popLast() {
        words.append("\(last) \(word)")
      } else {
        words.append(word)
      }
    }
    return words
  }
}
