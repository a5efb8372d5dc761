/// The result of one check of the doctor.
package struct Finding: Hashable {
  package enum Verdict: Hashable { case good, advice, bad }

  package var verdict: Verdict
  var text: String
  /// A remedy; nil where none is needed.
  var remedy: String?

  static func good(_ text: String) -> Finding { Finding(verdict: .good, text: text) }
  /// A finding about something that is optional, and would improve things.
  static func advice(_ text: String, _ remedy: String) -> Finding {
    Finding(verdict: .advice, text: text, remedy: remedy)
  }
  static func bad(_ text: String, _ remedy: String) -> Finding { Finding(verdict: .bad, text: text, remedy: remedy) }

  /// The finding on one line, and the remedy on the next.
  package var lines: String {
    let mark =
      switch verdict {
      case .good: "✓"
      case .advice: "–"
      case .bad: "✗"
      }
    return "\(mark) \(text)" + (remedy.map { "\n    → \($0)" } ?? "")
  }
}
