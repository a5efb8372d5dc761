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
      var repeats: [JSONReader.Repeat] = []
      guard case .object(let fields) = try JSONValue(reading: bytes, of: file, repeats: &repeats) else {
        problems.append(KitError(file, .wrongType(expected: "an object { … }", found: "something else")))
        return
      }
      read(FieldReader(fields, file: file))
      for each in repeats.reversed() {
        let what = "\"\(each.name)\" (line \(each.place.line), column \(each.place.column))"
        problems.insert(KitError(file, field: padName(in: each.field, of: fields), .duplicate(what: what)), at: 0)
      }
    } catch {
      problems.append(error)
    }
  }

  /// Turns `pads[2], gain` into `pad 3, gain`, where the entry states its number.
  private func padName(in field: String, of fields: [String: JSONValue]) -> String {
    guard field.hasPrefix("pads["), let end = field.firstIndex(of: "]"), field[end...].count > 1,
      let index = Int(field[..<end].dropFirst(5)), case .array(let list)? = fields["pads"],
      list.indices.contains(index),
      case .object(let entry) = list[index], case .number(let number)? = entry["pad"],
      let pad = Int(exactly: number).flatMap({ Pad($0) })
    else { return field }
    return "pad \(pad.number)\(field[end...].dropFirst())"
  }

  private mutating func read(_ reader: FieldReader) {
    var reader = reader
    if reader.value("format") == nil { reader.report("format", .missing(what: "\"format\": \(Self.format)")) }
    _ = reader.integer("format", in: Self.format...Self.format)
    let nameLimit = Limits.standard.nameCharacters
    name = reader.text("name", atMost: nameLimit, needed: true) ?? id
    category = reader.text("category", atMost: nameLimit) ?? ""
    description = reader.text("description", atMost: 200) ?? ""
    author = reader.text("author", atMost: nameLimit) ?? ""
    bpm = reader.number("bpm", in: Tempo.range).map { Float($0) }
    sends = reader.sends(remarks: &remarks)
    credits = reader.text("credits", atMost: 1_000) ?? ""
    order = reader.number("order", in: -1_000...1_000) ?? Self.usualOrder
    colours = readColours(&reader)
    readPack(&reader)
    let pads = reader.list("pads")
    if let pads {
      for (index, value) in pads.enumerated() { readPad(value, at: index, file: reader.file) }
    }
    if pads?.isEmpty ?? true { reader.report("pads", .noPads) }
    problems = reader.problems + problems
    remarks = reader.strangers + remarks
    askedFor[.kit] = reader.known
  }

  /// Reads the package that holds the kit's sounds.
  mutating func readPack(_ reader: inout FieldReader) {
    guard let package = reader.text("pack", atMost: 64) else { return }
    pack = KitPack.named(package)
    if pack == nil {
      let known = KitPack.all.map(\.package).joined(separator: " or ")
      reader.report("pack", .outOfRange(found: "\"\(package)\"", expected: known))
    }
  }

  private func readColours(_ reader: inout FieldReader) -> [String] {
    guard let value = reader.value("colours") else { return [] }
    let right = "two colours, as [\"#e0452b\", \"#1d1d22\"]"
    guard case .array(let list) = value else {
      reader.report("colours", .wrongType(expected: right, found: value.kind))
      return []
    }
    if list.count != 2 { reader.report("colours", .outOfRange(found: "a list of \(list.count)", expected: right)) }
    var colours: [String] = []
    for (index, value) in list.enumerated() {
      guard case .string(let text) = value else {
        reader.report("colours[\(index)]", .wrongType(expected: "a text as \"#e0452b\"", found: value.kind))
        continue
      }
      if Self.isColour(text) {
        colours.append(text)
      } else {
        reader.report(
          "colours[\(index)]",
          .outOfRange(found: "\"\(text.prefix(32))\"", expected: "# and six hexadecimal digits, as \"#e0452b\""))
      }
    }
    return list.count == 2 && colours.count == 2 ? colours : []
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
    let pad = numberReader.integer("pad", in: 1...Pad.count).flatMap { Pad($0) }
    if pad == nil, numberReader.problems.isEmpty {
      numberReader.report("pad", .missing(what: "its number, 1–\(Pad.count)"))
    }
    problems += numberReader.problems
    // A pad without a valid number is still read, so that its other problems are reported
    // too.
    var reader = FieldReader(fields, file: file, prefix: pad.map { "pad \($0.number), " } ?? numberReader.prefix)
    _ = reader.value("pad")
    if let pad, pads[pad.index] != nil { reader.report("pad", .duplicate(what: "pad \(pad.number)")) }
    let firstMention = mentions.count
    let layers = readLayers(&reader)
    let darker = reader.number("darker", in: PadDescription.darkerRange, unit: " dB").map { Float($0) }
    let category = reader.choice("category", of: PadCategory.self) ?? .other
    let described = PadDescription(
      layers: layers, name: reader.text("name", atMost: Limits.standard.nameCharacters, needed: true) ?? "",
      category: category, key: reader.text("key", atMost: 16),
      settings: PadSettings(reading: &reader, defaults: PadSettings(defaultsFor: category)), darker: darker)
    problems += reader.problems
    for index in mentions[firstMention...].indices {
      mentions[index].pad = String(reader.prefix.dropLast(2))
      mentions[index].start = Double(described.settings.start)
      mentions[index].loops = described.settings.mode == .loop
      mentions[index].stretch = Double(described.settings.stretch)
    }
    if let pad {
      pads[pad.index] = described
      if problems.contains(where: { reader.shapesSound($0) }) { unclear.insert(pad) } else { unclear.remove(pad) }
    }
    remarks += reader.strangers
    askedFor[.pad, default: []].formUnion(reader.known)
  }
}

extension FieldReader {
  /// Whether `problem` concerns a field of this pad that decides how the pad sounds.
  fileprivate func shapesSound(_ problem: KitError) -> Bool {
    guard let field = problem.field, field.hasPrefix(prefix) else { return false }
    let name = field.dropFirst(prefix.count).prefix { $0 != "[" }
    return ["file", "layers", "start", "decay", "transpose", "stretch"].contains(name)
  }
}
