internal import JamCore
internal import JamKit

/// An SFZ instrument as a kit: the sixteen lowest keys that have regions, on pads 1–16.
/// - Source: sfzformat.com, "Opcodes".
struct SFZImport {
  let path: String
  let limits: Limits

  func read() throws(KitError) -> ImportedKit {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[..<$0]) } ?? "."
    let file = slash.map { String(path[path.index(after: $0)...]) } ?? path
    var files = ImportFiles(folder: folder.isEmpty ? "/" : folder, limits: limits)
    var parser = SFZParser(files)
    try parser.parse(file)
    var kit = ImportedKit(name: PadName.cleaned(PadName.stem(of: file)))
    for header in parser.strangers.sorted() { kit.notes.append(ImportNote("<\(header)>", "not carried over")) }
    var byKey: [Int: [SFZRegion]] = [:]
    var faulty: [(text: String, first: String, count: Int)] = []
    for region in parser.regions.map({ SFZRegion($0) }) {
      let name = region.text("sample") ?? "a region"
      if let objection = objection(to: region) {
        kit.notes.append(ImportNote(name, objection))
      } else if let keys = region.keys {
        byKey[keys.lowerBound, default: []].append(region)
        // One line for all that share a header's fault.
        for fault in region.faults {
          if let known = faulty.firstIndex(where: { $0.text == fault }) {
            faulty[known].count += 1
          } else if faulty.count < 200 {
            faulty.append((fault, name, 1))
          }
        }
      }
    }
    for fault in faulty {
      let more = fault.count == 1 ? "" : " and \(fault.count - 1) more"
      kit.notes.append(ImportNote(fault.first + more, fault.text))
    }
    noteStrangers(in: byKey.values.joined(), &kit)
    var groups = SFZChokeGroups(byKey.values.joined())
    for (key, regions) in byKey.sorted(by: { $0.key < $1.key }) {
      guard kit.pads.count < Pad.count else {
        kit.leftOut.append("key \(key) (\(PadName.cleaned(Self.name(of: regions[0]))))")
        continue
      }
      if let pad = pad(key, regions, &files, &groups, &kit) { kit.add(pad) }
    }
    guard !kit.pads.isEmpty else { throw KitError(path, .nothingToImport(.sfz, unread: kit.problems)) }
    return kit
  }

  private func objection(to region: SFZRegion) -> String? {
    if region.sample == nil { return "left out: it names no sample file" }
    if let objection = region.objection { return objection }
    if let trigger = region.text("trigger"), trigger != "attack" { return "left out: its trigger is \(trigger)" }
    return nil
  }

  /// One note an opcode: an instrument has thousands of them.
  private func noteStrangers(in regions: some Sequence<SFZRegion>, _ kit: inout ImportedKit) {
    var counts: [String: Int] = [:]
    for region in regions { for opcode in region.strangers { counts[opcode, default: 0] += 1 } }
    for (opcode, count) in counts.sorted(by: { $0.key < $1.key }) {
      let name = PadName.safe(opcode, atMost: 64, otherwise: "?")
      kit.notes.append(ImportNote(name, "not carried over (\(count) \(count == 1 ? "region" : "regions"))"))
    }
  }

  private func pad(
    _ key: Int, _ regions: [SFZRegion], _ files: inout ImportFiles, _ groups: inout SFZChokeGroups,
    _ kit: inout ImportedKit
  ) -> ImportedPad? {
    var takes: [VelocityTake] = []
    var notes: [String] = []
    for (index, region) in regions.enumerated() {
      guard let file = region.sample else { continue }
      do {
        let sound = try files.sound(file)
        guard let cut = part(of: sound, region) else {
          notes.append("\(file) left out: its offset is behind its end")
          continue
        }
        takes.append(
          VelocityTake(
            low: region.number("lovel", in: 0...127, else: 0) / 127,
            high: region.number("hivel", in: 0...127, else: 127) / 127, gain: region.gain, pitch: region.pitch,
            turn: Int(region.number("seq_position", in: 1...100, else: 1)) * 10_000 + index, sound: cut, source: file))
      } catch {
        kit.problems.append(error)
      }
    }
    let source = "key \(key)"
    guard !takes.isEmpty, let first = regions.first else {
      kit.notes.append(ImportNote(source, "left out: none of its sounds can be read"))
      return nil
    }
    let name = Self.name(of: first)
    var pad = ImportedPad(
      name: PadName.cleaned(name), category: PadCategory(guessedFrom: name), layers: [], source: source)
    notes += dropSimultaneous(&takes, regions)
    notes += pad.setLayers(takes)
    notes += setUp(&pad.settings, regions, &groups)
    kit.notes += notes.map { ImportNote("\(pad.name) (\(source))", PadName.safe($0, atMost: 200)) }
    return pad
  }

  /// Regions for the same velocities sound together unless they take turns; a pad has one sound at a time.
  private func dropSimultaneous(_ takes: inout [VelocityTake], _ regions: [SFZRegion]) -> [String] {
    let takeTurns = regions.contains {
      $0.number("seq_length") ?? 1 > 1 || $0.text("lorand") != nil || $0.text("hirand") != nil
    }
    guard !takeTurns else { return [] }
    var kept: [VelocityTake] = []
    var notes: [String] = []
    for take in takes {
      if kept.contains(where: { $0.low == take.low && $0.high == take.high }) {
        notes.append("\(take.source) left out: a pad has no two sounds at once")
      } else {
        kept.append(take)
      }
    }
    takes = kept
    return notes
  }

  /// From `offset` to `end`; nil where nothing is left.
  private func part(of sound: Sound, _ region: SFZRegion) -> Sound? {
    let start = Int(region.number("offset", in: 0...1e9, else: 0))
    let end = min(Int(region.number("end", in: 0...1e9, else: 1e9)) + 1, sound.frames)
    guard start < end else { return nil }
    // In order: the guard asked.
    return start == 0 && end == sound.frames ? sound : sound.part(start..<end)
  }

  private func setUp(
    _ settings: inout PadSettings, _ regions: [SFZRegion], _ groups: inout SFZChokeGroups
  ) -> [String] {
    var notes: [String] = []
    let first = regions[0]
    let pan = first.number("pan", in: -100...100, else: 0)
    if regions.contains(where: { $0.number("pan", in: -100...100, else: 0) != pan }) {
      notes.append("its regions lie at several places; the pad lies at the first one's")
    }
    settings.pan = Float((pan * 10).rounded() / 1_000)
    switch first.text("loop_mode") ?? first.text("loopmode") {
    case "no_loop": settings.mode = .gate
    case "loop_continuous": settings.mode = .loop
    case "loop_sustain":
      settings.mode = .gate
      notes.append("its loop while it is held left out")
    default: break
    }
    if let voices = first.number("note_polyphony") { settings.voices = UInt8(min(max(voices, 1), 8)) }
    switch groups.choke(of: regions) {
    case .number(let number): settings.choke = number
    case .tooMany: notes.append("its choke group left out: a kit has eight")
    case .none: break
    }
    if let keys = first.keys, keys.count > 1 {
      notes.append("its keys \(keys.lowerBound)–\(keys.upperBound) became one pad, at the lowest one's pitch")
    }
    return notes
  }

  private static func name(of region: SFZRegion) -> String {
    for label in ["region_label", "group_label", "master_label"] {
      if let text = region.text(label), !text.isEmpty { return text }
    }
    return PadName.stem(of: String((region.sample ?? "").split(separator: "/").last ?? "Sound"))
  }
}
