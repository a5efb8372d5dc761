internal import JamCore
internal import JamKit

/// Turns an imported instrument into the files and the description that are written.
struct InstrumentFinisher {
  private(set) var instrument: Instrument
  /// The layers of each zone.
  private(set) var layers: [[LayerDescription]] = []
  /// The files, by name in the instrument's folder.
  private(set) var files: [(name: String, bytes: [UInt8])] = []
  private(set) var notes: [ImportNote] = []
  private(set) var problems: [KitError] = []
  /// The source of each zone.
  private(set) var sources: [String] = []

  private var names: [ContentHash: String] = [:]
  /// The loudness of each zone's hardest layer at full velocity.
  private var loudness: [(root: Int, value: Double)] = []

  /// The loudness of the instruments that come with the server, in LUFS at full velocity.
  static let target = -16.0

  init(id: String, _ imported: ImportedInstrument) throws(KitError) {
    instrument = Instrument(id: id, name: PadName.safe(imported.kit.name, atMost: Limits.standard.nameCharacters))
    instrument.credits = PadName.safe(imported.kit.credits, atMost: 1_000, otherwise: "", keepingSlashes: true)
    instrument.category = imported.kit.category
    instrument.patch = .ofSamples
    if let release = imported.release {
      instrument.patch.amp.release = PadSetting.release.row.kind.bounded(Float(release.rounded()))
    }
    for (pad, zone) in zip(imported.kit.pads, imported.zones) { try add(pad, zone) }
    level()
  }

  private mutating func add(_ pad: ImportedPad, _ zone: InstrumentZone) throws(KitError) {
    var zone = zone
    var made: [LayerDescription] = []
    var gains: [Double] = []
    var loudest: Double?
    for layer in pad.layers {
      let repaired: SoundRepair.Result
      do throws(KitError) {
        repaired = try SoundRepair.repair(
          layer.sounds, named: pad.source, keepingEnds: layer.loops.contains { $0 != nil })
      } catch {
        problems.append(error)
        continue
      }
      notes += repaired.notes.map { ImportNote(pad.source, $0) }
      // If a sound was left out, the loops no longer match the sounds, so all loops are dropped.
      let loops = repaired.sounds.count == layer.sounds.count ? layer.loops : []
      var description = LayerDescription(upTo: layer.upTo, files: [])
      for (turn, sound) in repaired.sounds.enumerated() {
        let bytes = try sound.flac(named: pad.source)
        description.files.append(keep(bytes, zone.root))
        let loop = loops.indices.contains(turn) ? loops[turn].flatMap { $0.end <= sound.frames ? $0 : nil } : nil
        description.loops.append(loop)
      }
      if description.loops.allSatisfy({ $0 == nil }) { description.loops = [] }
      gains.append(layer.gain + repaired.loss)
      made.append(description)
      loudest = repaired.sounds.first.flatMap { Loudness.momentaryMaximum(of: $0) }
    }
    guard !made.isEmpty else { return }
    made[made.count - 1].upTo = 1
    let greatest = gains.max() ?? 0
    zone.gain = Self.gain(greatest)
    for index in made.indices { made[index].gain = Self.gain(gains[index] - greatest) }
    if let loudest, let last = gains.last { loudness.append((zone.root, loudest + last)) }
    instrument.zones.append(zone)
    layers.append(made)
    sources.append(pad.source)
  }

  /// Makes the instrument as loud as the others, measured at the zone nearest to middle C.
  private mutating func level() {
    guard let middle = loudness.min(by: { abs($0.root - 60) < abs($1.root - 60) }) else { return }
    instrument.patch.gain = Self.gain(Self.target - middle.value)
  }

  private mutating func keep(_ bytes: [UInt8], _ root: Int) -> String {
    let hash = bytes.withUnsafeBytes { ContentHash($0) }
    if let name = names[hash] { return name }
    let taken = files.filter { $0.name.hasPrefix("\(root)-") }.count
    let name = "\(root)-\(taken + 1).flac"
    names[hash] = name
    files.append((name, bytes))
    return name
  }

  /// Bounded to a level's range, in tenths of dB.
  private static func gain(_ decibels: Double) -> Float {
    let bounded = min(max(decibels, Decibels.levels.lowerBound), Decibels.levels.upperBound)
    return Float((bounded * 10).rounded() / 10)
  }
}
