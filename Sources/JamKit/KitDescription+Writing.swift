import JamCore

extension KitDescription {
  /// The text of a `kit.json`, one line for each pad, without settings that have their default.
  var json: String {
    var lines = ["\"format\": \(Self.format)", "\"name\": \(name.quotedJSON)"]
    if !category.isEmpty { lines.append("\"category\": \(category.quotedJSON)") }
    if order != Self.usualOrder { lines.append("\"order\": \(legible(order))") }
    if !description.isEmpty { lines.append("\"description\": \(description.quotedJSON)") }
    let shown = colours.map(\.quotedJSON).joined(separator: ", ")
    if !colours.isEmpty { lines.append("\"colours\": [\(shown)]") }
    if !author.isEmpty { lines.append("\"author\": \(author.quotedJSON)") }
    if let bpm { lines.append("\"bpm\": \(legible(bpm))") }
    if let sends = sends.json { lines.append(sends) }
    if !credits.isEmpty { lines.append("\"credits\": \(credits.quotedJSON)") }
    if let pack { lines.append("\"pack\": \(pack.package.quotedJSON)") }
    let pads = zip(Pad.all, pads).compactMap { number, pad in pad.map { "    { \(fields(of: $0, number)) }" } }
    lines.append("\"pads\": [\n\(pads.joined(separator: ",\n"))\n  ]")
    return "{\n" + lines.map { "  " + $0 }.joined(separator: ",\n") + "\n}\n"
  }

  private func fields(of pad: PadDescription, _ number: Pad) -> String {
    var fields = ["\"pad\": \(number.number)", sounds(of: pad), "\"name\": \(pad.name.quotedJSON)"]
    fields.append("\"category\": \(pad.category.rawValue.quotedJSON)")
    if pad.darker != PadDescription.defaultDarker(pad.category, layers: pad.layers.count) {
      fields.append("\"darker\": \(legible(pad.darker))")
    }
    if let key = pad.key { fields.append("\"key\": \(key.quotedJSON)") }
    fields += pad.settings.json(beyond: PadSettings(defaultsFor: pad.category))
    return fields.joined(separator: ", ")
  }

  /// `file` where a single file is enough, else `layers`.
  private func sounds(of pad: PadDescription) -> String {
    if pad.layers == [LayerDescription(files: [pad.file])] { return "\"file\": \(pad.file.quotedJSON)" }
    let layers = pad.layers.map { layer in
      var fields: [String] = []
      if layer.upTo != 1 { fields.append("\"upTo\": \(legible(layer.upTo))") }
      if layer.gain != 0 { fields.append("\"gain\": \(legible(layer.gain))") }
      fields.append("\"files\": [\(layer.files.map(\.quotedJSON).joined(separator: ", "))]")
      return "{ \(fields.joined(separator: ", ")) }"
    }
    return "\"layers\": [\(layers.joined(separator: ", "))]"
  }
}
