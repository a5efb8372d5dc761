import JamCore

extension KitDescription {
  /// The layers that a pad's `file` or `layers` names, from the softest to the loudest.
  mutating func readLayers(_ reader: inout FieldReader) -> [LayerDescription] {
    let stated = reader.value("layers")
    let list = reader.list("layers")
    let isMissing = stated == nil && reader.value("file") == nil
    if isMissing { reader.report("file", .missing(what: "a sound's path, or layers in its place")) }
    let file = isMissing ? nil : reader.text("file", atMost: 255, needed: stated == nil)
    if let file {
      if let reason = KitFolder.objection(to: file) { reader.report("file", reason) }
      mentions.append(SoundMention(file: file, field: reader.prefix + "file"))
    }
    let isRecorded = reader.flag("recorded") ?? false
    let loop = hasLoops && file != nil ? reader.loop("loop") : nil
    guard stated != nil else {
      return file.map { [LayerDescription(files: [$0], loops: loop.map { [$0] } ?? [])] } ?? []
    }
    if reader.value("file") != nil { reader.report("file", .conflict(with: "layers")) }
    let layers = list.map { readLayers($0, &reader) } ?? []
    return isRecorded ? layers.map(\.asRecorded) : layers
  }

  private mutating func readLayers(_ list: [JSONValue], _ reader: inout FieldReader) -> [LayerDescription] {
    guard LayerDescription.counts.contains(list.count) else {
      reader.report("layers", Self.wrongCount(list.count, of: "layers"))
      return []
    }
    var layers: [LayerDescription] = []
    for (index, value) in list.enumerated() {
      let isLast = index == list.count - 1
      guard let layer = readLayer(value, "layers[\(index)]", above: layers.last?.upTo ?? 0, isLast, &reader) else {
        continue
      }
      layers.append(layer)
    }
    return layers
  }

  private mutating func readLayer(
    _ value: JSONValue, _ name: String, above lower: Float, _ isLast: Bool, _ pad: inout FieldReader
  ) -> LayerDescription? {
    guard case .object(let fields) = value else {
      pad.report(name, .wrongType(expected: "an object", found: value.kind))
      return nil
    }
    var reader = FieldReader(fields, file: pad.file, prefix: "\(pad.prefix)\(name), ")
    let upTo = readUpTo(&reader, above: lower, isLast)
    let gain = reader.number("gain", in: LayerDescription.gains, unit: " dB") ?? 0
    let files = readFiles(&reader)
    let loops = hasLoops ? reader.loops("loops", count: files.count) : []
    problems += reader.problems
    remarks += reader.strangers
    askedFor[.layer, default: []].formUnion(reader.known)
    return LayerDescription(upTo: upTo, gain: Float(gain), files: files, loops: loops)
  }

  private func readUpTo(_ reader: inout FieldReader, above lower: Float, _ isLast: Bool) -> Float {
    guard reader.value("upTo") != nil else {
      if !isLast { reader.report("upTo", .missing(what: "its highest velocity, 0…1; only the last layer needs none")) }
      return 1
    }
    guard let upTo = reader.number("upTo", in: 0...1) else { return 1 }
    if isLast, upTo != 1 {
      reader.report(
        "upTo", .outOfRange(found: legible(upTo), expected: "1, or leave it out: the last layer ends there"))
    } else if Float(upTo) <= lower {
      reader.report("upTo", .outOfRange(found: legible(upTo), expected: "more than the layer before has"))
    }
    return Float(upTo)
  }

  private mutating func readFiles(_ reader: inout FieldReader) -> [String] {
    guard let list = reader.list("files") else {
      if reader.value("files") == nil { reader.report("files", .missing(what: "a list of sound files, one at least")) }
      return []
    }
    guard LayerDescription.counts.contains(list.count) else {
      reader.report("files", Self.wrongCount(list.count, of: "files"))
      return []
    }
    var files: [String] = []
    for (index, value) in list.enumerated() {
      var item = FieldReader(["files": value], file: reader.file)
      if let file = item.text("files", atMost: 255, needed: true) {
        files.append(file)
        mentions.append(SoundMention(file: file, field: "\(reader.prefix)files[\(index)]"))
      }
      let problem = item.problems.first?.reason ?? files.last.flatMap { KitFolder.objection(to: $0) }
      if let problem { reader.report("files[\(index)]", problem) }
    }
    return files
  }

  private static func wrongCount(_ count: Int, of what: String) -> KitError.Reason {
    let counts = LayerDescription.counts
    return .outOfRange(
      found: "a list of \(count)", expected: "\(counts.lowerBound)–\(counts.upperBound) \(what)")
  }
}
