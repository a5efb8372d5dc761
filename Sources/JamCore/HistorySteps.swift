/// The last steps of a history, for display: the steps that undo would revert, and those that redo
/// would repeat.
public struct HistorySteps: Hashable, Sendable {
  /// One edit.
  public struct Step: Hashable, Sendable {
    public var what: Undone
    /// The value before and after, where the step changed one setting.
    public var values: Values?
    /// In a player's history: whether the step changed a value of the whole room.
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

  /// The next step comes first. Each list holds at most `most` steps.
  public var undo: [Step]
  public var redo: [Step]
  /// The number of all steps.
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
