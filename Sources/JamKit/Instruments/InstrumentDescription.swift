public import JamCore

/// An `instrument.json`, read and checked field by field. Its format is in
/// `Protocol/instruments.md`.
public struct InstrumentDescription: Sendable {
  /// Nil where anything is wrong with the file.
  public var instrument: Instrument? { problems.isEmpty ? described : nil }
  /// The problems of the file. An instrument with a problem does not play at all.
  public internal(set) var problems: [KitError] = []
  /// The sounds of each zone.
  public internal(set) var layers: [[LayerDescription]] = []

  var described: Instrument
  /// The files that zones name, read like the files of a kit's pads.
  var sounds: KitDescription

  init(id: String) {
    described = Instrument(id: id, name: id)
    sounds = KitDescription(id: id)
    sounds.hasLoops = true
  }
}

extension InstrumentDescription {
  /// - Parameters:
  ///   - bytes: the file's content.
  ///   - file: its path, for error texts.
  init(id: String, reading bytes: [UInt8], of file: String) {
    self.init(id: id)
    do throws(KitError) {
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
    if reader.value("format") == nil {
      reader.report("format", .missing(what: "\"format\": \(InstrumentFolder.format)"))
    }
    _ = reader.integer("format", in: InstrumentFolder.format...InstrumentFolder.format)
    let nameLimit = Limits.standard.nameCharacters
    described.name = reader.text("name", atMost: nameLimit, needed: true) ?? described.id
    described.category = reader.text("category", atMost: nameLimit) ?? ""
    described.author = reader.text("author", atMost: nameLimit) ?? ""
    described.license = reader.text("license", atMost: nameLimit) ?? ""
    described.credits = reader.text("credits", atMost: 1_000) ?? ""
    described.order = reader.number("order", in: -1_000...1_000) ?? 0
    described.sends = reader.sends(remarks: &problems)
    let isSampled = reader.value("zones") != nil
    if isSampled { readZones(&reader) }
    if !isSampled, reader.value("patch") == nil {
      let example = "{ \"osc1/shape\": \"saw\" }"
      reader.report("patch", .missing(what: "its settings, as \(example), or zones of recorded sounds"))
    }
    var patch = isSampled ? PatchSettings.ofSamples : PatchSettings()
    var patchReader = FieldReader(reader.object("patch") ?? [:], file: reader.file, prefix: "patch, ")
    for setting in PatchSetting.allCases {
      guard let value = patchReader.value(of: setting.row.path, as: setting.row.kind) else { continue }
      if isSampled, !setting.isOfSamples { patchReader.report(setting.row.path, .conflict(with: "zones")) }
      patch[setting] = value
    }
    described.patch = patch
    problems = reader.problems + reader.strangers + problems + patchReader.problems + patchReader.strangers
  }

  private mutating func readZones(_ reader: inout FieldReader) {
    sounds.readPack(&reader)
    guard let list = reader.list("zones") else { return }
    guard (1...InstrumentZone.most).contains(list.count) else {
      reader.report(
        "zones", .outOfRange(found: "a list of \(list.count)", expected: "1–\(InstrumentZone.most) zones"))
      return
    }
    var zones: [ZoneKeys] = []
    for (index, var zoneReader) in reader.objects("zones") {
      zones.append(ZoneKeys(&zoneReader, index))
      layers.append(sounds.readLayers(&zoneReader))
      problems += zoneReader.problems + zoneReader.strangers
    }
    problems += sounds.problems + sounds.remarks
    guard problems.isEmpty, reader.problems.isEmpty else { return }
    described.zones = ZoneKeys.spread(zones, &reader)
  }
}

/// A zone's keys as the file states them.
private struct ZoneKeys {
  let index: Int
  var zone: InstrumentZone
  var hasLow: Bool
  var hasHigh: Bool

  init(_ reader: inout FieldReader, _ index: Int) {
    self.index = index
    let notes = 0...Pad.keyCount - 1
    let root = reader.integer("root", in: notes)
    if root == nil, reader.value("root") == nil {
      reader.report("root", .missing(what: "the note that was recorded, 0–127, 60 being the middle C"))
    }
    let (low, high) = (reader.integer("low", in: notes), reader.integer("high", in: notes))
    (hasLow, hasHigh) = (low != nil, high != nil)
    zone = InstrumentZone(
      root: root ?? 60, low: low ?? root ?? 60, high: high ?? root ?? 60,
      tune: Float(reader.number("tune", in: InstrumentZone.tunes, unit: " cents") ?? 0),
      gain: Float(reader.number("gain", in: Decibels.levels, unit: " dB") ?? 0))
  }

  /// A zone that names no keys gets the keys that are nearer to its root than to its neighbours'
  /// roots, up to its reach.
  static func spread(_ zones: [ZoneKeys], _ reader: inout FieldReader) -> [InstrumentZone] {
    var spread = zones
    let order = zones.indices.sorted { (zones[$0].zone.root, $0) < (zones[$1].zone.root, $1) }
    for (place, index) in order.enumerated() {
      let root = zones[index].zone.root
      if !zones[index].hasLow {
        let below = place > 0 ? zones[order[place - 1]].zone.root : -1_000
        spread[index].zone.low = max(0, root - InstrumentZone.reach, below + (root - below) / 2 + 1)
      }
      if !zones[index].hasHigh {
        let above = place + 1 < order.count ? zones[order[place + 1]].zone.root : 1_000
        spread[index].zone.high = min(Pad.keyCount - 1, root + InstrumentZone.reach, root + (above - root) / 2)
      }
    }
    check(spread, &reader)
    return spread.map(\.zone)
  }

  private static func check(_ zones: [ZoneKeys], _ reader: inout FieldReader) {
    for each in zones {
      let (zone, field) = (each.zone, "zones[\(each.index)], ")
      if zone.low > zone.high {
        reader.report(field + "low", .outOfRange(found: "\(zone.low)", expected: "its high, \(zone.high), or less"))
      }
      for (name, note) in [("low", zone.low), ("high", zone.high)] where !zone.reaches(note) {
        let reach = InstrumentZone.reach
        reader.report(
          field + name,
          .outOfRange(found: "\(note)", expected: "a note within \(reach) semitones of its root, \(zone.root)"))
      }
    }
    let order = zones.sorted { ($0.zone.low, $0.index) < ($1.zone.low, $1.index) }
    for (lower, upper) in zip(order, order.dropFirst()) where upper.zone.low <= lower.zone.high {
      reader.report(
        "zones[\(upper.index)], low",
        .outOfRange(
          found: "\(upper.zone.low)",
          expected: "more than \(lower.zone.high), where zones[\(lower.index)] ends: two zones have no key in common"))
    }
  }
}

extension InstrumentZone {
  /// Whether a pad could be transposed that far.
  fileprivate func reaches(_ note: Int) -> Bool {
    abs(Float(note - root) + tune / 100) <= Float(InstrumentZone.reach)
  }
}

extension FieldReader {
  /// Two frames of a file, `[first, end]`; nil where it is missing or wrong.
  mutating func loop(_ field: String) -> SoundLoop? {
    guard let value = value(field) else { return nil }
    let loop = FieldReader.loop(value)
    if loop == nil { report(field, .wrongType(expected: FieldReader.loopForm, found: value.kind)) }
    return loop
  }

  /// One loop, or null, for each of `count` files.
  mutating func loops(_ field: String, count: Int) -> [SoundLoop?] {
    guard let list = list(field) else { return [] }
    guard list.count == count else {
      report(
        field, .outOfRange(found: "a list of \(list.count)", expected: "\(count), one for each file; null is none"))
      return []
    }
    return list.enumerated().map { index, value in
      if case .null = value { return nil }
      let loop = FieldReader.loop(value)
      if loop == nil {
        report("\(field)[\(index)]", .wrongType(expected: FieldReader.loopForm, found: value.kind))
      }
      return loop
    }
  }

  private static let loopForm = "two frames of the file, the second one the greater, as [2000, 96000]"

  private static func loop(_ value: JSONValue) -> SoundLoop? {
    guard case .array(let list) = value, list.count == 2, case .number(let start) = list[0],
      case .number(let end) = list[1], SoundLoop.places.contains(start), SoundLoop.places.contains(end),
      start == start.rounded(), end == end.rounded()
    else { return nil }
    return SoundLoop(start: Int(saturating: start), end: Int(saturating: end))
  }
}
