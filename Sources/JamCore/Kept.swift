/// A part of a room's state that outlives the process. Its name is unique in its room.
public struct KeptItem: Hashable, Sendable {
  /// Words with slashes between them, from the general to the particular: `player/3/pad/5`. ASCII
  /// without spaces.
  public var name: String
  public var values: [KeptValue]

  public init(_ name: String, _ values: [KeptValue]) {
    self.name = name
    self.values = values
  }
}

/// A value in a kept item. Each case has an OSC type.
public enum KeptValue: Hashable, Sendable {
  case integer(Int64)
  case number(Float)
  case flag(Bool)
  case text(String)
}

/// A change of the kept state. Either the whole change is kept, or no part of it.
public struct KeptChange: Hashable, Sendable {
  /// The change replaces the whole kept state.
  public var isWhole: Bool
  /// Names to forget, each with all names below it (`player/3` includes `player/3/pad/5`). They are
  /// forgotten before `items` are added.
  public var gone: [String]
  /// Each item replaces the item that had its name.
  public var items: [KeptItem]

  public init(isWhole: Bool = false, gone: [String] = [], items: [KeptItem] = []) {
    self.isWhole = isWhole
    self.gone = gone
    self.items = items
  }

  /// Whether the change changes nothing.
  public var isEmpty: Bool { !isWhole && gone.isEmpty && items.isEmpty }
}
