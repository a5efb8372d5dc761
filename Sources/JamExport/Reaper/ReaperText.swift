/// Reaper's text format while it is written: lines, and blocks of lines between `<NAME` and `>`.
struct ReaperText {
  private(set) var text = ""
  private var depth = 0

  mutating func line(_ line: String) {
    text += String(repeating: "  ", count: depth) + line + "\n"
  }

  mutating func block(_ head: String, _ content: (inout ReaperText) -> Void) {
    line("<" + head)
    depth += 1
    content(&self)
    depth -= 1
    line(">")
  }

  /// Puts `value` between the first kind of quotation mark that it does not contain. The format has
  /// no escapes: a value with all three kinds loses its backticks.
  static func quoted(_ value: String) -> String {
    let line = PlainText.line(value)
    for mark in ["\"", "'"] where !line.contains(mark) { return mark + line + mark }
    return "`" + String(line.map { $0 == "`" ? "'" : $0 }) + "`"
  }

  static func tempo(_ stretch: MusicalTime.Stretch) -> String { Decimal.fixed(stretch.beatsPerMinute, digits: 10) }

  /// Blue, green and red from the top, below a bit that means "in use".
  static func colour(_ colour: ExportColour) -> Int {
    1 << 24 | Int(colour.blue) << 16 | Int(colour.green) << 8 | Int(colour.red)
  }
}
