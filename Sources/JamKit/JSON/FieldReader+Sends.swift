import JamCore

extension FieldReader {
  /// `"sends": { "delay": 0.2, "reverb": 0.3 }`, of a kit or an instrument; `.none` where the field
  /// is missing.
  /// - Parameter remarks: gets the unknown fields in it.
  mutating func sends(remarks: inout [KitError]) -> Sends {
    guard let fields = object("sends") else { return .none }
    var reader = FieldReader(fields, file: file, prefix: prefix + "sends, ")
    let sends = Sends(
      delay: reader.number("delay", in: 0...1).map { Float($0) } ?? 0,
      reverb: reader.number("reverb", in: 0...1).map { Float($0) } ?? 0)
    for problem in reader.problems { report(problem) }
    remarks += reader.strangers
    return sends
  }
}

extension Sends {
  /// The text in a `kit.json`; nil where both sends are 0.
  var json: String? {
    let fields = [("delay", delay), ("reverb", reverb)].filter { $0.1 != 0 }.map { "\"\($0.0)\": \(legible($0.1))" }
    return fields.isEmpty ? nil : "\"sends\": { \(fields.joined(separator: ", ")) }"
  }
}
