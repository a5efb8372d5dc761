/// Any JSON value. A reader can check each field by itself and report all problems at once.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The kind in words, for an error text.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// - Throws: `KitError` naming `file`, with line and column in its text.
  package init(reading bytes: [UInt8], of file: String) throws(KitError) {
    var repeats: [JSONReader.Repeat] = []
    self = try JSONValue(reading: bytes, of: file, repeats: &repeats)
    if let first = repeats.first { throw KitError(file, .notJSON(cause: first.place.description)) }
  }

  /// Reads on behind a repeated name.
  /// - Parameter repeats: gets each repeated name.
  init(reading bytes: [UInt8], of file: String, repeats: inout [JSONReader.Repeat]) throws(KitError) {
    var reader = JSONReader(bytes)
    do {
      self = try reader.readDocument()
    } catch {
      throw KitError(file, .notJSON(cause: error.description))
    }
    repeats = reader.repeats
  }
}
