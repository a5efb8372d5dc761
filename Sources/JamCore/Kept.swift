/// One thing that outlives the process, under a name of its own in its room.
public struct KeptItem: Hashable, Sendable {
  /// Words between slashes, from the general to the particular: `player/3/pad/5`. ASCII without spaces.
  public var name: String
  public var values: [KeptValue]

  public init(_ name: String, _ values: [KeptValue]) {
    self.name = name
    self.values = values
  }
}

/// A part of a kept thing: what OSC has a type for.
public enum KeptValue: Hashable, Sendable {
  case integer(Int64)
  case number(Float)
  case flag(Bool)
  case text(String)
}

/// What is kept otherwise than before, all of it or nothing of it.
public struct KeptChange: Hashable, Sendable {
  /// Nothing is kept but what this brings.
  public var isWhole: Bool
  /// Names that are forgotten, each with all that lies under it (`player/3`: also `player/3/pad/5`), before `items` come.
  public var gone: [String]
  /// Each takes the place of what had its name.
  public var items: [KeptItem]

  public init(isWhole: Bool = false, gone: [String] = [], items: [KeptItem] = []) {
    self.isWhole = isWhole
    self.gone = gone
    self.items = items
  }

  /// Whether nothing is otherwise.
  public var isEmpty: Bool { !isWhole && gone.isEmpty && items.isEmpty }
}
