import JamCore

extension KitDescription {
  static let format = 1
  static let fileName = "kit.json"
  static let byteLimit = 256 << 10

  /// - Parameters:
  ///   - bytes: the file's content.
  ///   - file: its path, for error texts.
  init(id: String, reading bytes: [UInt8], of file: String) {
    self.init(id: id)
    do {
      guard case .object(let fields) = try JSONValue(reading: bytes, of: file) else {
        problems.append(KitError(file, .wrongType(expected: "an object { … }", found: "something else")))
        return
      }
      read(FieldReader(fields, file: file))
    } catch {
      problems.append(error)
    }
  }

  private mutating func read(_ reader: FieldReader) {
    var reader = reader
    if reader.value("format") == nil { reader.report("format", .missing(what: "\"format\": \(Self.format)")) }
    _ = reader.integer("format", in: Self.format...Self.format)
    let nameLimit = Limits.standard.nameCharacters
    name = reader.text("name", atMost: nameLimit, needed: true) ?? id
    category = reader.text("category", atMost: nameLimit) ?? ""
    description = reader.text("description", atMost: 200) ?? ""
    credits = reader.text("credits", atMost: 1_000) ?? ""
    order = reader.number("order", in: -1_000...1_000) ?? Self.usualOrder
    colours = readColours(&reader)
    let pads = reader.list("pads")
    if let pads {
      for (index, value) in pads.enumerated() { readPad(value, at: index, file: reader.file) }
    }
    if pads?.isEmpty ?? true { reader.report("pads", .noPads) }
    problems = reader.problems + problems
    remarks = reader.strangers + remarks
    askedFor[.kit] = reader.known
  }

  private func readColours(_ reader: inout FieldReader) -> [String] {
    guard let list = reader.list("colours") else { return [] }
    let colours = list.compactMap { value in
      if case .string(let text) = value, Self.isColour(text) { text } else { nil as String? }
    }
    guard colours.count == list.count, colours.count == 2 else {
      reader.report("colours", .wrongType(expected: "two as [\"#rrggbb\", \"#rrggbb\"]", found: "something else"))
      return []
    }
    return colours
  }

  private static func isColour(_ text: String) -> Bool {
    text.utf8.count == 7 && text.first == "#" && text.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
  }

  private mutating func readPad(_ value: JSONValue, at index: Int, file: String) {
    guard case .object(let fields) = value else {
      problems.append(KitError(file, field: "pads[\(index)]", .wrongType(expected: "an object", found: value.kind)))
      return
    }
    var numberReader = FieldReader(fields, file: file, prefix: "pads[\(index)], ")
    guard let number = numberReader.integer("pad", in: 1...Pad.count), let pad = Pad(number) else {
      if numberReader.problems.isEmpty { numberReader.report("pad", .missing(what: "its number, 1–\(Pad.count)")) }
      problems += numberReader.problems
      return
    }
    var reader = FieldReader(fields, file: file, prefix: "pad \(number), ")
    _ = reader.value("pad")
    if pads[pad.index] != nil { reader.report("pad", .duplicate(what: "pad \(number)")) }
    let layers = readLayers(&reader)
    let category = reader.choice("category", of: PadCategory.self) ?? .other
    pads[pad.index] = PadDescription(
      layers: layers, name: reader.text("name", atMost: Limits.standard.nameCharacters, needed: true) ?? "",
      category: category, key: reader.text("key", atMost: 16),
      settings: PadSettings(reading: &reader, defaults: PadSettings(defaultsFor: category)))
    problems += reader.problems
    remarks += reader.strangers
    askedFor[.pad, default: []].formUnion(reader.known)
  }
}
