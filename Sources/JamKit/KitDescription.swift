public import JamCore

/// A kit's `kit.json`, read and checked field by field. Its format is in `Protocol/kit.md`.
public struct KitDescription: Sendable {
  /// Sixteen; nil is an empty pad.
  public package(set) var pads: [PadDescription?] = Array(repeating: nil, count: Pad.count)
  public package(set) var credits = ""
  /// Where in a list of kits it stands: lower ones first, −1,000…1,000.
  public internal(set) var order = Self.usualOrder
  /// The package whose files the pads name; nil of a kit that carries its sounds.
  public internal(set) var pack: KitPack?
  /// What keeps the kit from playing.
  public internal(set) var problems: [KitError] = []
  /// What is odd, but plays: fields of a newer format, or misspelt ones.
  public internal(set) var remarks: [KitError] = []

  /// Every sound file that is named, also by pads without a place (their number is wrong, or another's): what `kits check` looks at.
  var mentions: [SoundMention] = []
  /// Pads of which too little could be read to tell how they sound.
  var unclear: Set<Pad> = []

  /// An instrument's: its sounds may go round.
  var hasLoops = false

  var id: String
  package var name = ""
  package var category = ""
  var author = ""
  package var bpm: Float?
  var sends = Sends.none
  var description = ""
  var colours: [String] = []

  /// The fields that the reader asked for, in the kit, its pads and their layers: what `Protocol/kit.schema.json` must name.
  var askedFor: [Part: Set<String>] = [:]

  enum Part: CaseIterable { case kit, pad, layer }

  static let usualOrder = 100.0

  package init(id: String) { self.id = id }

  /// Nil where `problems` is not empty. Durations are zero: no sound was read.
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
  /// What a pad of `category` starts from where its kit says nothing.
  package init(defaultsFor category: PadCategory) {
    self.init()
    voices = category.defaultVoices
  }
}
