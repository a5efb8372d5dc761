internal import JamCore

/// Reads the fields of one JSON object and collects all problems with them.
package struct FieldReader {
  let file: String
  /// The text in front of each field's name, as `pad 3, `.
  let prefix: String
  private let fields: [String: JSONValue]
  /// The fields that were asked for.
  private(set) var known: Set<String> = []
  package private(set) var problems: [KitError] = []

  package init(_ fields: [String: JSONValue], file: String, prefix: String = "") {
    self.fields = fields
    self.file = file
    self.prefix = prefix
  }

  package mutating func report(_ field: String, _ reason: KitError.Reason) {
    problems.append(KitError(file, field: prefix + field, reason))
  }

  mutating func report(_ problem: KitError) { problems.append(problem) }

  /// The field's value; nil where it is missing or null.
  package mutating func value(_ field: String) -> JSONValue? {
    known.insert(field)
    if case .null? = fields[field] { return nil }
    return fields[field]
  }

  /// One line of text without control characters; nil where it is missing or wrong.
  package mutating func text(_ field: String, atMost limit: Int, needed: Bool = false) -> String? {
    guard let value = value(field) else {
      if needed { report(field, .missing(what: "a text of \(limit) characters at most")) }
      return nil
    }
    guard case .string(let text) = value else {
      report(field, .wrongType(expected: "a text", found: value.kind))
      return nil
    }
    guard !text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) else {
      report(field, .outOfRange(found: "a control character", expected: "plain text on one line"))
      return nil
    }
    guard text.count <= limit, !needed || !text.isEmpty else {
      report(field, .outOfRange(found: "a text of \(text.count) characters", expected: "1–\(limit)"))
      return nil
    }
    return text
  }

  package mutating func number(_ field: String, in range: ClosedRange<Double>, unit: String = "") -> Double? {
    guard let value = value(field) else { return nil }
    guard case .number(let number) = value else {
      report(field, .wrongType(expected: "a number", found: value.kind))
      return nil
    }
    guard range.contains(number) else {
      let (lowest, highest) = (legible(range.lowerBound), legible(range.upperBound))
      let expected = (lowest == highest ? lowest : "\(lowest)…\(highest)") + unit
      report(field, .outOfRange(found: legible(number), expected: expected))
      return nil
    }
    return number
  }

  package mutating func integer(_ field: String, in range: ClosedRange<Int>) -> Int? {
    guard let number = number(field, in: Double(range.lowerBound)...Double(range.upperBound)) else { return nil }
    guard number == number.rounded() else {
      report(field, .wrongType(expected: "a whole number", found: legible(number)))
      return nil
    }
    return Int(number)
  }

  package mutating func flag(_ field: String) -> Bool? {
    guard let value = value(field) else { return nil }
    if case .bool(let flag) = value { return flag }
    report(field, .wrongType(expected: "true or false", found: value.kind))
    return nil
  }

  package mutating func choice<Choice: RawRepresentable & CaseIterable>(_ field: String, of type: Choice.Type)
    -> Choice?
  where Choice.RawValue == String {
    choice(field, among: type.allCases.map(\.rawValue)).flatMap { Choice(rawValue: $0) }
  }

  /// One of the words.
  mutating func choice(_ field: String, among choices: [String]) -> String? {
    guard let value = value(field) else { return nil }
    let expected = "one of " + choices.joined(separator: " ")
    if case .string(let word) = value {
      if choices.contains(word) { return word }
      report(field, .outOfRange(found: "\"\(word)\"", expected: expected))
    } else {
      report(field, .wrongType(expected: expected, found: value.kind))
    }
    return nil
  }

  package mutating func list(_ field: String) -> [JSONValue]? {
    guard let value = value(field) else { return nil }
    guard case .array(let list) = value else {
      report(field, .wrongType(expected: "a list", found: value.kind))
      return nil
    }
    return list
  }

  package mutating func object(_ field: String) -> [String: JSONValue]? {
    guard let value = value(field) else { return nil }
    guard case .object(let object) = value else {
      report(field, .wrongType(expected: "an object", found: value.kind))
      return nil
    }
    return object
  }

  /// Readers of the objects in a list. An entry that is no object is reported. The problems of each
  /// reader are its own.
  mutating func objects(_ field: String) -> [(index: Int, reader: FieldReader)] {
    (list(field) ?? []).enumerated().compactMap { index, value in
      let name = "\(field)[\(index)]"
      guard case .object(let fields) = value else {
        report(name, .wrongType(expected: "an object", found: value.kind))
        return nil
      }
      return (index, FieldReader(fields, file: file, prefix: "\(prefix)\(name), "))
    }
  }

  /// Fields that nobody asked for, each with the known field that was probably meant.
  package var strangers: [KitError] {
    fields.keys.filter { !known.contains($0) }.sorted().map { field in
      KitError(file, field: prefix + field, .unknownField(near: nearest(to: field, among: known)))
    }
  }

}

/// A number as text, without a fraction where it is whole.
package func legible(_ number: some BinaryFloatingPoint & LosslessStringConvertible) -> String {
  number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
}

/// The number with one decimal.
package func tenths(_ value: Double) -> String {
  let scaled = Int(saturating: (abs(value) * 10).rounded())
  return "\(value < 0 && scaled > 0 ? "-" : "")\(scaled / 10).\(scaled % 10)"
}
