package import JamCore

/// Writes a sampled instrument as a folder.
package enum InstrumentWriter {
  /// - Parameters:
  ///   - layers: of each zone.
  ///   - files: by name in the instrument's folder.
  ///   - path: the folder to create; its name becomes the instrument's id.
  /// - Throws: `KitError`; the folder is written completely or not at all.
  package static func write(
    _ instrument: Instrument, _ layers: [[LayerDescription]], _ files: [(name: String, bytes: [UInt8])], to path: String
  ) throws(KitError) {
    try KitWriter.write(files + [(InstrumentFolder.fileName, Array(json(instrument, layers).utf8))], to: path)
  }

  /// The text of an `instrument.json`, one line for each zone, without settings that have their
  /// default.
  package static func json(_ instrument: Instrument, _ layers: [[LayerDescription]]) -> String {
    var lines = ["\"format\": \(InstrumentFolder.format)", "\"name\": \(instrument.name.quotedJSON)"]
    if !instrument.category.isEmpty {
      lines.append("\"category\": \(instrument.category.quotedJSON)")
    }
    if instrument.order != 0 { lines.append("\"order\": \(legible(instrument.order))") }
    if !instrument.author.isEmpty { lines.append("\"author\": \(instrument.author.quotedJSON)") }
    if !instrument.license.isEmpty { lines.append("\"license\": \(instrument.license.quotedJSON)") }
    if !instrument.credits.isEmpty { lines.append("\"credits\": \(instrument.credits.quotedJSON)") }
    let patch = PatchSetting.allCases.compactMap { setting -> String? in
      guard setting.isOfSamples, case .float(let number) = instrument.patch[setting],
        instrument.patch[setting] != PatchSettings.ofSamples[setting]
      else { return nil }
      return "\(setting.row.path.quotedJSON): \(legible(number))"
    }
    if !patch.isEmpty { lines.append("\"patch\": { \(patch.joined(separator: ", ")) }") }
    let zones = zip(instrument.zones, layers).map { "    { \(fields(of: $0, $1)) }" }
    lines.append("\"zones\": [\n\(zones.joined(separator: ",\n"))\n  ]")
    return "{\n" + lines.map { "  " + $0 }.joined(separator: ",\n") + "\n}\n"
  }

  private static func fields(of zone: InstrumentZone, _ layers: [LayerDescription]) -> String {
    var fields = ["\"root\": \(zone.root)", "\"low\": \(zone.low)", "\"high\": \(zone.high)"]
    if zone.tune != 0 { fields.append("\"tune\": \(legible(zone.tune))") }
    if zone.gain != 0 { fields.append("\"gain\": \(legible(zone.gain))") }
    if layers.count == 1, layers[0].files.count == 1, layers[0].gain == 0 {
      fields.append("\"file\": \(layers[0].files[0].quotedJSON)")
      if let loop = layers[0].loop(of: 0) { fields.append("\"loop\": \(text(of: loop))") }
      return fields.joined(separator: ", ")
    }
    let texts = layers.map { layer in
      var fields: [String] = []
      if layer.upTo != 1 { fields.append("\"upTo\": \(legible(layer.upTo))") }
      if layer.gain != 0 { fields.append("\"gain\": \(legible(layer.gain))") }
      fields.append("\"files\": [\(layer.files.map(\.quotedJSON).joined(separator: ", "))]")
      if layer.loops.contains(where: { $0 != nil }) {
        fields.append("\"loops\": [\(layer.loops.map { $0.map(text) ?? "null" }.joined(separator: ", "))]")
      }
      return "{ \(fields.joined(separator: ", ")) }"
    }
    fields.append("\"layers\": [\(texts.joined(separator: ", "))]")
    return fields.joined(separator: ", ")
  }

  private static func text(of loop: SoundLoop) -> String { "[\(loop.start), \(loop.end)]" }
}
