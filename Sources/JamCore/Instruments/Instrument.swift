/// An instrument for a player's keys, as its file describes it.
///
/// Thread: any.
public struct Instrument: Hashable, Sendable {
  /// The folder's name.
  public var id: String
  public var name: String
  /// The kind of instrument, such as `bass` or `keys`.
  public var category: String
  /// The author's name.
  public var author: String
  /// The SPDX identifier of the licence.
  public var license: String
  public var credits: String
  /// The place in lists: the lowest comes first.
  public var order: Double
  public var patch: PatchSettings
  /// How much of the instrument's sound goes to the room's delay and reverb.
  public var sends: Sends
  /// The zones of a sampled instrument; empty for a synthesiser.
  public var zones: [InstrumentZone]

  public init(
    id: String, name: String, category: String = "", author: String = "", license: String = "",
    credits: String = "", order: Double = 0, patch: PatchSettings = PatchSettings(),
    sends: Sends = .none, zones: [InstrumentZone] = []
  ) {
    self.id = id
    self.name = name
    self.category = category
    self.author = author
    self.license = license
    self.credits = credits
    self.order = order
    self.patch = patch
    self.sends = sends
    self.zones = zones
  }

  public var isSampled: Bool { !zones.isEmpty }

  /// The instrument that plays where no instrument's file is available.
  public static let standard = Instrument(id: "plain", name: "Plain", category: "keys")
}
