internal import JamCore
internal import JamKit

/// An SFZ instrument as a kit: the sixteen lowest keys that have regions, on pads 1–16.
/// - Source: sfzformat.com, "Opcodes".
struct SFZImport {
  let path: String
  /// The folder that holds the file and its sounds; nil is the file's own folder.
  var root: String?
  let limits: Limits

  func read() throws(KitError) -> ImportedKit {
    var file = try SFZFile(path, in: root, limits: limits)
    var kit = ImportedKit(name: file.name)
    kit.notes = file.notes(strangers: \.strangers)
    var byKey: [Int: [SFZRegion]] = [:]
    for region in file.sounding {
      if let keys = region.keys { byKey[keys.lowerBound, default: []].append(region) }
    }
    var groups = SFZChokeGroups(byKey.values.joined())
    for (key, regions) in byKey.sorted(by: { $0.key < $1.key }) {
      guard kit.pads.count < Pad.count else {
        kit.leftOut.append("key \(key) (\(PadName.cleaned(Self.name(of: regions[0]))))")
        continue
      }
      if let pad = pad(key, regions, &file.files, &groups, &kit) { kit.add(pad) }
    }
    kit.notes += file.files.notes
    guard !kit.pads.isEmpty else { throw kit.nothing(.sfz, in: path) }
    return kit
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
        guard let frames = region.frames(of: sound) else {
          notes.append("\(file) left out: its offset is behind its end")
          continue
        }
        takes.append(
          VelocityTake(
            low: region.softest, high: region.loudest, gain: region.gain,
            pitch: region.pitch(files.marks(of: file)?.root),
            turn: region.turn(index), sound: sound.part(frames), source: file))
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

  /// In SFZ, regions for the same velocities sound together unless they take turns. A pad has one
  /// sound at a time, so only the first is kept.
  private func dropSimultaneous(_ takes: inout [VelocityTake], _ regions: [SFZRegion]) -> [String] {
    guard !regions.contains(where: \.takesTurns) else { return [] }
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
    switch first.loopMode {
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
