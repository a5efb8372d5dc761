internal import JamCore

/// A value of JSON with the order of its members, so that the same layout gives the same text.
indirect enum LayoutJSON {
  case text(String)
  case number(Double)
  case truth(Bool)
  case list([LayoutJSON])
  case object([(String, LayoutJSON)])

  /// The text, with each object of a list on a line of its own.
  var text: String {
    switch self {
    case .text(let text): JSONText.quoted(text, for: .markup)
    case .number(let number): TouchOSCText.number(number)
    case .truth(let isTrue): isTrue ? "true" : "false"
    case .list(let items):
      items.isEmpty ? "[]" : "[\n" + items.map(\.text).joined(separator: ",\n") + "\n]"
    case .object(let members):
      "{"
        + members.map { JSONText.quoted($0.0, for: .required) + ": " + $0.1.text }.joined(
          separator: ", ") + "}"
    }
  }
}
