/// A kit's description: everything but the sound.
public struct Kit: Hashable, Sendable {
  /// The folder's name: lower-case letters, digits and hyphens.
  public var id: String
  public var name: String
  public var category: String
  public var description: String
  /// The author's name; empty where the kit names none.
  public var author = ""
  /// The tempo for which the kit is meant; nil where the kit names none.
  public var bpm: Float?
  /// How much of the kit's sound goes to the room's delay and reverb.
  public var sends = Sends.none
  /// Two CSS hex colours in the form `#rrggbb`.
  public var colours: [String]
  /// Sixteen pads; nil is an empty pad.
  public var pads: [KitPad?]

  public init(
    id: String, name: String, category: String = "", description: String = "", colours: [String] = [],
    pads: [KitPad?] = []
  ) {
    self.id = id
    self.name = name
    self.category = category
    self.description = description
    self.colours = colours
    self.pads = (0..<Pad.count).map { $0 < pads.count ? pads[$0] : nil }
  }

  public subscript(pad: Pad) -> KitPad? { pads[pad.index] }
}

/// One pad of a kit.
public struct KitPad: Hashable, Sendable {
  public var name: String
  /// kick, snare, clap, hat, cymbal, tom, percussion, bass, chord, lead, voice, fx, riser, impact,
  /// loop or other.
  public var category: String
  public var isKick: Bool { category == "kick" }
  /// The musical key or pitch, such as `F# minor` or `A`; nil where the sound has none.
  public var key: String?
  /// The sound's length at 48 kHz.
  public var duration: Frames
  /// The kit's own settings for the pad; `/pad/<n>/reset` returns to them.
  public var settings: PadSettings

  public init(
    name: String, category: String, key: String? = nil, duration: Frames, settings: PadSettings = PadSettings()
  ) {
    self.name = name
    self.category = category
    self.key = key
    self.duration = duration
    self.settings = settings
  }
}
