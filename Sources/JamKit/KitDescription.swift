public import JamCore

/// A kit's `kit.json`, read and checked field by field. Its format is in `Protocol/kit.md`.
public struct KitDescription: Sendable {
  /// Sixteen; nil is an empty pad.
  public package(set) var pads: [PadDescription?] = Array(repeating: nil, count: Pad.count)
  public package(set) var credits = ""
  /// The kit's place in a list of kits: lower ones first, −1,000…1,000.
  public internal(set) var order = Self.usualOrder
  /// The package whose files the pads name; nil where the kit carries its sounds.
  public internal(set) var pack: KitPack?
  /// The problems that keep the kit from playing.
  public internal(set) var problems: [KitError] = []
  /// Oddities that do not keep the kit from playing: fields of a newer format, or misspelt ones.
  public internal(set) var remarks: [KitError] = []

  /// Every sound file that is named, also by pads without a place: pads whose number is wrong, or
  /// taken. `kits check` looks at these files.
  var mentions: [SoundMention] = []
  /// Pads of which too little could be read to tell how they sound.
  var unclear: Set<Pad> = []

  /// True for an instrument: its sounds may have loops.
  var hasLoops = false

  var id: String
  package var name = ""
  package var category = ""
  var author = ""
  package var bpm: Float?
  var sends = Sends.none
  var description = ""
  var colours: [String] = []

  /// The fields that the reader asked for, in the kit, its pads and their layers. A test compares
  /// them with `Protocol/kit.schema.json`.
  var askedFor: [Part: Set<String>] = [:]

  enum Part: CaseIterable { case kit, pad, layer }

  static let usualOrder = 100.0

  package init(id: String) { self.id = id }

  /// The kit; nil where `problems` is not empty. Its durations are zero, because no sound was read.
  public var kit: Kit? {
    guard problems.isEmpty else { return nil }
    var kit = Kit(
      id: id, name: name, category: category, description: description, colours: colours,
      pads: pads.map { pad in
        pad.map {
          KitPad(name: $0.name, category: $0.category.rawValue, key: $0.key, duration: .zero, settings: $0.settings)
        }
      })
    kit.author = author
    kit.bpm = bpm
    kit.sends = sends
    return kit
  }
}

extension PadSettings {
  /// The settings that a pad of `category` has where its kit states none.
  package init(defaultsFor category: PadCategory) {
    self.init()
    voices = category.defaultVoices
  }
}
