public import JamCore

/// A folder with an `instrument.json`, and the sounds of a sampled instrument. It lies beside the
/// folders of kits. Its name is the instrument's id.
public struct InstrumentFolder: Hashable, Sendable {
  public let path: String
  /// The folders of the packages that hold sounds for instruments.
  let packs: PackPlaces

  static let fileName = "instrument.json"
  private static let byteLimit = 64 << 10
  static let format = 1

  public init(_ path: String, packs: PackPlaces = .standard) {
    self.path = path
    self.packs = packs
  }

  public var id: String { KitFolder(path).id }

  var holdsInstrument: Bool { Files.exists(Files.joined(path, InstrumentFolder.fileName)) }

  /// `path` itself if it holds an `instrument.json`, else the folders in it that do, sorted by
  /// name.
  public static func folders(in path: String, packs: PackPlaces = .standard) -> [InstrumentFolder] {
    let itself = InstrumentFolder(path, packs: packs)
    if itself.holdsInstrument { return [itself] }
    let names = (Files.isFolder(path) ? Files.names(in: path) : nil) ?? []
    return names.sorted().map { InstrumentFolder(Files.joined(path, $0), packs: packs) }.filter(\.holdsInstrument)
  }

  /// Reads the file.
  /// - Returns: the instrument, nil where anything is wrong with it; and all problems.
  /// - Thread: any; not real-time safe.
  public func read() -> (instrument: Instrument?, problems: [KitError]) {
    let description = describe()
    return (description.instrument, description.problems)
  }

  /// Reads the file, and no sound.
  /// - Thread: any; not real-time safe.
  public func describe() -> InstrumentDescription {
    let file = Files.joined(path, InstrumentFolder.fileName)
    var description: InstrumentDescription
    do throws(KitError) {
      description = InstrumentDescription(
        id: id, reading: try Files.read(file, limit: InstrumentFolder.byteLimit), of: file)
    } catch {
      description = InstrumentDescription(id: id)
      description.problems.append(error)
    }
    if !KitFolder.isID(id) { description.problems.insert(KitError(path, .badID), at: 0) }
    return description
  }

  /// Everything that is wrong with the instrument: its file, and each of its sounds.
  /// - Thread: any; decodes every sound, not real-time safe.
  public func check(limits: Limits = .standard) -> [KitError] {
    let description = describe()
    guard let instrument = description.instrument, instrument.isSampled else { return description.problems }
    if let problem = source(of: description).problem(with: description.sounds) { return [problem] }
    var sounds = KitSounds(place: source(of: description), store: SoundStore(), limits: limits)
    var problems: [KitError] = []
    for mention in description.mentions {
      do throws(KitError) {
        _ = try sounds.load(mention.file, loop: mention.loop)
      } catch {
        problems.append(KitError(error.file, field: error.field ?? mention.field, error.reason))
      }
    }
    return problems
  }

  func source(of description: InstrumentDescription) -> SoundSource {
    SoundSource(KitFolder(path, packs: packs), description.sounds.pack)
  }

  /// Reads, decodes and resamples every sound of a sampled instrument; zone i is pad i.
  /// - Throws: `KitError` with the first problem that keeps it from playing; nothing stays
  ///   allocated then.
  func load(sharing store: SoundStore, limits: Limits) throws(KitError) -> LoadedKit {
    let description = describe()
    guard let instrument = description.instrument, instrument.isSampled else {
      throw description.problems.first ?? KitError(path, field: "zones", .missing(what: "recorded sounds"))
    }
    var sounds = KitSounds(place: source(of: description), store: store, limits: limits)
    var layers = [[SoundLayer]](repeating: [], count: Pad.count)
    var pads: [KitPad?] = []
    for (index, zone) in instrument.zones.enumerated() {
      for layer in description.layers[index] {
        var memories: [SampleMemory] = []
        for (turn, file) in layer.files.enumerated() {
          memories.append(try sounds.load(file, loop: layer.loop(of: turn)))
        }
        layers[index].append(SoundLayer(upTo: layer.upTo, gain: layer.gain, sounds: memories))
      }
      var settings = PadSettings()
      settings.mode = .gate
      settings.gain = zone.gain
      pads.append(
        KitPad(
          name: "\(instrument.name) \(zone.root)", category: "other",
          duration: layers[index].last?.sounds.first?.view.duration ?? .zero, settings: settings))
    }
    let kit = Kit(id: instrument.id, name: instrument.name, category: instrument.category, pads: pads)
    return LoadedKit(kit: kit, layers: layers, zones: instrument.zones)
  }
}

extension InstrumentDescription {
  /// Every file that a zone names, with its loop.
  fileprivate var mentions: [(file: String, loop: SoundLoop?, field: String)] {
    layers.enumerated().flatMap { zone, layers in
      layers.enumerated().flatMap { layer, description in
        description.files.enumerated().map { turn, file in
          (file, description.loop(of: turn), "zones[\(zone)], layers[\(layer)], files[\(turn)]")
        }
      }
    }
  }
}
