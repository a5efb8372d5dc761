/// What a player may ask of the room's project: its music as a thing with a name.
public enum ProjectCommand: Hashable, Sendable {
  /// An empty one; nil are as many measures as newcomers have.
  case new(String, measures: Int?)
  /// Names a version to come back to; the label may be empty.
  case save(label: String)
  /// Nil is how it was last.
  case open(String, version: Int?)
  /// The music gets this name too, and is played on under it.
  case copy(String)
  case rename(String)
  case delete(String)
  case list
  case listVersions(String)
}

/// The project that a room plays.
public struct OpenProject: Hashable, Sendable {
  /// Empty where the music has no name yet.
  public var name: String
  /// Bars of a newcomer's loop, 1…64.
  public var measures: Int
  /// The version that was saved or opened last; 0 is none.
  public var version: Int
  public var label: String

  public init(name: String = "", measures: Int = OpenProject.standardMeasures, version: Int = 0, label: String = "") {
    self.name = name
    self.measures = measures
    self.version = version
    self.label = label
  }

  public static let standardMeasures = 4
  public static let measuresRange = Limits.bars
}

/// What was done last to the project of a room.
public enum ProjectDeed: String, Sendable {
  /// Nothing since the room began.
  case none
  case begun = "new"
  case opened = "open"
  case saved = "save"
  case copied = "copy"
  case renamed = "name"
  /// Its project was deleted: the music goes on without a name.
  case deleted = "delete"
  /// Another room opened it while this one was closed: the music goes on without a name.
  case elsewhere
}

/// What a room tells of its project.
public struct ProjectReport: Hashable, Sendable {
  public var project: OpenProject
  public var deed: ProjectDeed
  /// By whom; empty where that is nobody's.
  public var player: String

  public init(_ project: OpenProject, _ deed: ProjectDeed = .none, by player: String = "") {
    self.project = project
    self.deed = deed
    self.player = player
  }
}

/// A project in the list.
public struct ProjectItem: Hashable, Sendable {
  public var name: String
  public var measures: Int
  public var bpm: Float
  public var signature: String
  /// Who has a part in it.
  public var players: [String]
  public var versions: Int
  /// When it was last changed, in seconds since 1970.
  public var changed: Int64
  /// The room that plays it; empty where none does.
  public var room: String

  public init(
    name: String, measures: Int, bpm: Float, signature: String, players: [String], versions: Int, changed: Int64,
    room: String = ""
  ) {
    self.name = name
    self.measures = measures
    self.bpm = bpm
    self.signature = signature
    self.players = players
    self.versions = versions
    self.changed = changed
    self.room = room
  }
}

/// A version of a project that somebody saved.
public struct ProjectVersion: Hashable, Sendable {
  public var project: String
  /// From 1.
  public var number: Int
  public var label: String
  /// In seconds since 1970.
  public var saved: Int64

  public init(project: String, number: Int, label: String, saved: Int64) {
    self.project = project
    self.number = number
    self.label = label
    self.saved = saved
  }
}
