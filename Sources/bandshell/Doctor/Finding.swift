/// One thing that the doctor looked at.
struct Finding: Hashable {
  enum Verdict: Hashable { case good, advice, bad }

  var verdict: Verdict
  var text: String
  /// What to do; nil where nothing is to be done.
  var remedy: String?

  static func good(_ text: String) -> Finding { Finding(verdict: .good, text: text) }
  /// It works without, and would be better with it.
  static func advice(_ text: String, _ remedy: String) -> Finding {
    Finding(verdict: .advice, text: text, remedy: remedy)
  }
  static func bad(_ text: String, _ remedy: String) -> Finding { Finding(verdict: .bad, text: text, remedy: remedy) }

  /// One line, and the remedy on the next.
  var lines: String {
    let mark =
      switch verdict {
      case .good: "✓"
      case .advice: "–"
      case .bad: "✗"
      }
    return "\(mark) \(text)" + (remedy.map { "\n    → \($0)" } ?? "")
  }
}
