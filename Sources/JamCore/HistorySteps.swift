/// The last steps of a history, for whoever shows it: what an undo would take back, and a redo do again.
public struct HistorySteps: Hashable, Sendable {
  /// One edit.
  public struct Step: Hashable, Sendable {
    public var what: Undone
    /// Of one setting: its value before and after.
    public var values: Values?
    /// Of a player's: it is one of the whole room's values.
    public var isOfRoom = false

    public init(_ what: Undone, _ values: Values? = nil, isOfRoom: Bool = false) {
      self.what = what
      self.values = values
      self.isOfRoom = isOfRoom
    }
  }

  public struct Values: Hashable, Sendable {
    public var before: SettingValue
    public var after: SettingValue

    public init(_ before: SettingValue, _ after: SettingValue) {
      self.before = before
      self.after = after
    }
  }

  /// The next one first; `most` of them at most.
  public var undo: [Step]
  public var redo: [Step]
  /// How many there are in all.
  public var undoCount: Int
  public var redoCount: Int

  public static let most = 16

  public init(undo: [Step], of undoCount: Int, redo: [Step], of redoCount: Int) {
    self.undo = undo
    self.undoCount = undoCount
    self.redo = redo
    self.redoCount = redoCount
  }
}
