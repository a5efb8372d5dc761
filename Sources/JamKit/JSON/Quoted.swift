/// A text as a JSON string (RFC 8259 §7). Control characters need no escapes here, because every
/// reader refuses them.
func quoted(_ text: String) -> String {
  "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] } + "\""
}
