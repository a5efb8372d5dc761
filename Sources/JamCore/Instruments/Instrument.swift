/// What a player's keys play, as its file describes it.
///
/// Thread: any.
public struct Instrument: Hashable, Sendable {
  /// The folder's name.
  public var id: String
  public var name: String
  /// What kind of instrument it is, as `bass` or `keys`.
  public var category: String
  /// Who made it.
  public var author: String
  /// As SPDX writes it.
  public var license: String
  public var credits: String
  /// In lists: the lowest comes first.
  public var order: Double
  public var patch: PatchSettings
  /// What it brings along of the room's delay and reverb.
  public var sends: Sends
  /// Of an instrument of recorded sounds; empty of a synthesiser's.
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

  /// What plays where no file of an instrument is to be had.
  public static let standard = Instrument(id: "plain", name: "Plain", category: "keys")
}
