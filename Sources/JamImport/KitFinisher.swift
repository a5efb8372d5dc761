internal import JamCore
internal import JamKit

/// Turns an imported kit into the files and the description that are written. It repairs or leaves
/// out everything that `kits check` would reject.
struct KitFinisher {
  private(set) var description: KitDescription
  /// The files, by name in the kit's folder.
  private(set) var files: [(name: String, bytes: [UInt8])] = []
  private(set) var notes: [ImportNote] = []
  private(set) var problems: [KitError] = []
  /// The source of each pad.
  private(set) var sources: [String] = []

  private var names: [ContentHash: String] = [:]
  private var likenesses: [PadLikeness: String] = [:]

  init(id: String, _ kit: ImportedKit) throws(KitError) {
    description = KitDescription(id: id)
    description.name = PadName.safe(kit.name, atMost: Limits.standard.nameCharacters)
    description.credits = PadName.safe(kit.credits, atMost: 1_000, otherwise: "", keepingSlashes: true)
    description.category = kit.category
    description.bpm = kit.bpm
    for pad in kit.pads { try add(pad) }
  }

  /// Writes the kit.
  /// - Parameter levels: whether the beat is brought to the loudness that all kits have.
  mutating func write(to path: String, levels: Bool, limits: Limits) throws(KitError) {
    guard levels else { return try KitWriter.write(description, files, to: path) }
    let levelled = try KitWriter.writeLevelled(description, files, to: path, limits: limits)
    description = levelled.description
    guard let before = levelled.before else { return }
    let (loudness, change) = (Self.gainText(before.integrated), Self.gainText(abs(levelled.change)))
    let turned = "all pads were turned \(levelled.change < 0 ? "down" : "up") by \(change) dB"
    notes.append(ImportNote(description.name, "its demo beat was at \(loudness) LUFS: \(turned)"))
  }

  private mutating func add(_ pad: ImportedPad) throws(KitError) {
    let index = sources.count
    var finished: [LayerDescription] = []
    var gains: [Double] = []
    var made: [(hash: ContentHash, bytes: [UInt8])] = []
    var contents: [[ContentHash]] = []
    for layer in pad.layers {
      let repaired: SoundRepair.Result
      do {
        repaired = try SoundRepair.repair(
          layer.sounds, named: pad.source, keepingEnds: pad.settings.mode == .loop)
      } catch {
        problems.append(error)
        continue
      }
      notes += repaired.notes.map { ImportNote(pad.name, $0) }
      if repaired.loss > 0 {
        let loss = legible((repaired.loss * 10).rounded() / 10)
        notes.append(ImportNote(pad.name, "turned down by \(loss) dB, to below 0 dBTP, and its gain up by as much"))
      }
      var hashes: [ContentHash] = []
      for sound in repaired.sounds {
        let bytes = try sound.flac(named: pad.source)
        let hash = bytes.withUnsafeBytes { ContentHash($0) }
        made.append((hash, bytes))
        hashes.append(hash)
      }
      contents.append(hashes)
      gains.append(layer.gain + repaired.loss)
      finished.append(LayerDescription(upTo: layer.upTo, files: []))
    }
    guard !finished.isEmpty else { return }
    // The loudest layer that is left must reach full velocity.
    finished[finished.count - 1].upTo = 1
    let settings = balance(&finished, gains, pad)
    let likeness = PadLikeness(settings, layers: contents)
    if let twin = likenesses[likeness] {
      notes.append(ImportNote(pad.name, "left out: it is the same as \(twin)"))
      return
    }
    likenesses[likeness] = pad.name
    keep(made, of: pad.name, at: index)
    for (layer, hashes) in contents.enumerated() { finished[layer].files = hashes.compactMap { names[$0] } }
    let name = PadName.safe(pad.name, atMost: Limits.standard.nameCharacters)
    description.pads[index] = PadDescription(layers: finished, name: name, category: pad.category, settings: settings)
    sources.append(pad.source)
  }

  /// Divides the layers' gains between them and the pad: the pad gets the greatest.
  private mutating func balance(
    _ layers: inout [LayerDescription], _ gains: [Double], _ pad: ImportedPad
  ) -> PadSettings {
    let greatest = gains.max() ?? 0
    var settings = pad.settings
    let wanted = Double(pad.settings.gain) + greatest
    settings.gain = Self.gain(wanted)
    if abs(Double(settings.gain) - wanted) > 0.1 {
      notes.append(ImportNote(pad.name, "its gain of \(Self.gainText(wanted)) dB became \(legible(settings.gain)) dB"))
    }
    for index in layers.indices { layers[index].gain = Self.gain(gains[index] - greatest) }
    return settings
  }

  private mutating func keep(_ made: [(hash: ContentHash, bytes: [UInt8])], of name: String, at index: Int) {
    let number = index + 1
    let stem = "\(number < 10 ? "0" : "")\(number)-\(PadName.slug(PadName.cleaned(name)))"
    for (position, sound) in made.enumerated() where names[sound.hash] == nil {
      let file = made.count == 1 ? "\(stem).flac" : "\(stem)-\(position + 1).flac"
      names[sound.hash] = file
      files.append((file, sound.bytes))
    }
  }

  /// Bounded to a pad's range, in tenths of dB.
  private static func gain(_ decibels: Double) -> Float {
    let bounded = min(max(decibels, Decibels.levels.lowerBound), Decibels.levels.upperBound)
    return Float((bounded * 10).rounded() / 10)
  }

  private static func gainText(_ decibels: Double) -> String {
    legible((min(max(decibels, -999), 999) * 10).rounded() / 10)
  }
}
