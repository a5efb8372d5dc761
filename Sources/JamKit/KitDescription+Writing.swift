import JamCore

extension KitDescription {
  /// The text of a `kit.json`, one line for each pad, without what is at its default.
  var json: String {
    var lines = ["\"format\": \(Self.format)", "\"name\": \(quoted(name))"]
    if !category.isEmpty { lines.append("\"category\": \(quoted(category))") }
    if order != Self.usualOrder { lines.append("\"order\": \(legible(order))") }
    if !description.isEmpty { lines.append("\"description\": \(quoted(description))") }
    if !colours.isEmpty { lines.append("\"colours\": [\(colours.map(quoted).joined(separator: ", "))]") }
    if !credits.isEmpty { lines.append("\"credits\": \(quoted(credits))") }
    let pads = zip(Pad.all, pads).compactMap { number, pad in pad.map { "    { \(fields(of: $0, number)) }" } }
    lines.append("\"pads\": [\n\(pads.joined(separator: ",\n"))\n  ]")
    return "{\n" + lines.map { "  " + $0 }.joined(separator: ",\n") + "\n}\n"
  }

  private func fields(of pad: PadDescription, _ number: Pad) -> String {
    let usual = PadSettings(defaultsFor: pad.category)
    let settings = pad.settings
    var fields = ["\"pad\": \(number.number)", sounds(of: pad), "\"name\": \(quoted(pad.name))"]
    fields.append("\"category\": \(quoted(pad.category.rawValue))")
    if let key = pad.key { fields.append("\"key\": \(quoted(key))") }
    if settings.gain != usual.gain { fields.append("\"gain\": \(legible(settings.gain))") }
    if settings.pan != usual.pan { fields.append("\"pan\": \(legible(settings.pan))") }
    for (name, value) in [
      ("panRandom", settings.panRandom), ("start", settings.start), ("decay", settings.decay),
      ("transpose", settings.transpose), ("transposeRandom", settings.transposeRandom),
    ] where value != 0 {
      fields.append("\"\(name)\": \(legible(value))")
    }
    if settings.stretch != usual.stretch { fields.append("\"stretch\": \(legible(settings.stretch))") }
    if settings.stretchQuality != usual.stretchQuality {
      fields.append("\"stretchQuality\": \(quoted(settings.stretchQuality.rawValue))")
    }
    if settings.choke != usual.choke { fields.append("\"choke\": \(settings.choke)") }
    if settings.voices != usual.voices { fields.append("\"voices\": \(settings.voices)") }
    if settings.mode != usual.mode { fields.append("\"mode\": \(quoted(settings.mode.rawValue))") }
    return fields.joined(separator: ", ")
  }

  /// `file` where that says it all.
  private func sounds(of pad: PadDescription) -> String {
    if pad.layers == [LayerDescription(files: [pad.file])] { return "\"file\": \(quoted(pad.file))" }
    let layers = pad.layers.map { layer in
      var fields: [String] = []
      if layer.upTo != 1 { fields.append("\"upTo\": \(legible(layer.upTo))") }
      if layer.gain != 0 { fields.append("\"gain\": \(legible(layer.gain))") }
      fields.append("\"files\": [\(layer.files.map(quoted).joined(separator: ", "))]")
      return "{ \(fields.joined(separator: ", ")) }"
    }
    return "\"layers\": [\(layers.joined(separator: ", "))]"
  }
}

/// RFC 8259 §7; control characters never come in, for every reader refuses them.
func quoted(_ text: String) -> String {
  "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] } + "\""
}
