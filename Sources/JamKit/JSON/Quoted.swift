/// A text as JSON writes it (RFC 8259 §7); control characters never come in, for every reader refuses them.
func quoted(_ text: String) -> String {
  "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] } + "\""
}
