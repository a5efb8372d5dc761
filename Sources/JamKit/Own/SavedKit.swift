public import JamCore

/// The pads of a player, as they are saved into a kit's folder.
///
/// Thread: any; immutable.
public struct SavedKit: Sendable {
  public struct SavedPad: Sendable {
    public var name: String
    public var category: String
    public var key: String?
    public var settings: PadSettings
    /// From the softest to the loudest, one at least; not stretched.
    public var layers: [SoundLayer]

    public init(name: String, category: String, key: String?, settings: PadSettings, layers: [SoundLayer]) {
      self.name = name
      self.category = category
      self.key = key
      self.settings = settings
      self.layers = layers
    }
  }

  public var name: String
  public var description: String
  public var colours: [String]
  /// The player who saves the kit, and the room's tempo.
  public var author = ""
  public var bpm: Float?
  /// The sends to the room's delay and reverb.
  public var sends = Sends.none
  /// Sixteen; nil is an empty pad.
  public var pads: [SavedPad?]

  public init(name: String, description: String, colours: [String], pads: [SavedPad?]) {
    self.name = name
    self.description = description
    self.colours = colours
    self.pads = pads
  }
}

extension SavedKit {
  /// Writes the kit into a new folder in `parent`: completely, or not at all.
  /// - Parameters:
  ///   - isTaken: whether an id is in use. A used id gets a number behind it.
  ///   - order: the kit's place in lists.
  /// - Thread: any that may wait.
  public func write(in parent: String, order: Double, isTaken: (String) -> Bool) throws(KitError) -> KitFolder {
    try Files.makeFolder(parent)
    let stem = PadName.slug(name)
    var id = stem
    var number = 2
    while isTaken(id) || Files.exists(Files.joined(parent, id)) {
      id = "\(stem)-\(number)"
      number += 1
    }
    var draft = KitDescription(id: id)
    draft.name = PadName.safe(name, atMost: Limits.standard.nameCharacters)
    draft.category = "saved"
    draft.description = PadName.safe(description, atMost: 200, otherwise: "")
    draft.colours = colours
    draft.author = PadName.safe(author, atMost: Limits.standard.nameCharacters, otherwise: "")
    draft.bpm = bpm
    draft.sends = sends
    draft.order = order
    var files: [(name: String, bytes: [UInt8])] = []
    var names: [ContentHash: String] = [:]
    for (pad, saved) in zip(Pad.all, pads) {
      guard let saved else { continue }
      draft.pads[pad.index] = try description(of: saved, on: pad, &files, &names)
    }
    let folder = KitFolder(Files.joined(parent, id))
    try KitWriter.write(draft, files, to: folder.path)
    return folder
  }

  private func description(
    of pad: SavedPad, on number: Pad, _ files: inout [(name: String, bytes: [UInt8])],
    _ names: inout [ContentHash: String]
  ) throws(KitError) -> PadDescription {
    let two = number.number < 10 ? "0\(number.number)" : "\(number.number)"
    let stem = "\(two)-\(PadName.slug(pad.name))"
    let isAlone = pad.layers.count == 1 && pad.layers[0].sounds.count == 1
    var layers: [LayerDescription] = []
    var count = 0
    for layer in pad.layers {
      var description = LayerDescription(upTo: layer.upTo, gain: layer.gain, files: [])
      for sound in layer.sounds {
        count += 1
        if names[sound.hash] == nil {
          let file = isAlone ? "\(stem).flac" : "\(stem)-\(count).flac"
          files.append((file, try Sound(sound).encoded(.flac24, named: file, effort: 0)))
          names[sound.hash] = file
        }
        description.files.append(names[sound.hash] ?? "")
      }
      layers.append(description)
    }
    var settings = pad.settings
    settings.mute = false
    settings.solo = false
    // `layers` includes the softer layers that were computed, so reading the kit again must compute
    // none.
    return PadDescription(
      layers: layers, name: PadName.safe(pad.name, atMost: Limits.standard.nameCharacters),
      category: PadCategory(rawValue: pad.category) ?? .other, key: pad.key, settings: settings, darker: 0)
  }
}

extension Sound {
  /// The sound in `memory`, as a sound of 24 bits.
  package init(_ memory: SampleMemory) {
    let view = memory.view
    let channels = view.isStereo ? 2 : 1
    var interleaved: [Float] = []
    interleaved.reserveCapacity(Int(view.frameCount) * channels)
    for frame in 0..<Int(view.frameCount) {
      interleaved.append(view.left[frame])
      if view.isStereo { interleaved.append(view.right[frame]) }
    }
    self.init(interleaved: interleaved, channels: channels, rate: Int(Frames.perSecond), depth: .twentyFour)
  }
}
