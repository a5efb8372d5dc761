public import JamCore

/// A kit's `kit.json`, read and checked field by field. Its format is in `Protocol/kit.md`.
public struct KitDescription: Sendable {
  /// Sixteen; nil is an empty pad.
  public internal(set) var pads: [PadDescription?] = Array(repeating: nil, count: Pad.count)
  public internal(set) var credits = ""
  /// What keeps the kit from playing.
  public internal(set) var problems: [KitError] = []
  /// What is odd, but plays: fields of a newer format, or misspelt ones.
  public internal(set) var remarks: [KitError] = []

  var id: String
  var name = ""
  var category = ""
  var description = ""
  var colours: [String] = []

  init(id: String) { self.id = id }

  /// Nil where `problems` is not empty. Durations are zero: no sound was read.
  public var kit: Kit? {
    guard problems.isEmpty else { return nil }
    return Kit(
      id: id, name: name, category: category, description: description, colours: colours,
      pads: pads.map { pad in
        pad.map { KitPad(name: $0.name, category: $0.category.rawValue, duration: .zero, settings: $0.settings) }
      })
  }
}

/// One pad of a `kit.json`.
public struct PadDescription: Hashable, Sendable {
  /// The sound file's path within the kit's folder.
  public var file: String
  public var name: String
  public var category: PadCategory
  /// As `F# minor` or `C`; nil where the sound has no pitch.
  public var key: String?
  public var settings: PadSettings

  public init(
    file: String, name: String, category: PadCategory = .other, key: String? = nil, settings: PadSettings? = nil
  ) {
    self.file = file
    self.name = name
    self.category = category
    self.key = key
    self.settings = settings ?? PadSettings(defaultsFor: category)
  }
}

extension PadSettings {
  /// What a pad of `category` starts from where its kit says nothing.
  init(defaultsFor category: PadCategory) {
    self.init()
    voices = category.defaultVoices
  }
}
