/// A request for the room's project. A project is the room's music with a name.
public enum ProjectCommand: Hashable, Sendable {
  /// Begins an empty project. `measures` nil takes the standard number of measures.
  case new(String, measures: Int?)
  /// Keeps a version that players can return to. The label may be empty.
  case save(label: String)
  /// Version nil is the latest state.
  case open(String, version: Int?)
  /// Copies the project to this name, and goes on with the copy.
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
  /// Bars of a new player's loop, 1…64.
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

/// The last change of a room's project.
public enum ProjectDeed: String, Sendable {
  /// No change since the room began.
  case none
  case begun = "new"
  case opened = "open"
  case saved = "save"
  case copied = "copy"
  case renamed = "name"
  /// The room's project was deleted. The music goes on without a name.
  case deleted = "delete"
  /// Another room opened the project while this room was closed. The music goes on without a name.
  case elsewhere
}

/// The state of the room's project, as the room tells it.
public struct ProjectReport: Hashable, Sendable {
  public var project: OpenProject
  public var deed: ProjectDeed
  /// The name of the player who made the change; empty where no player made it.
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
  /// The players who have a part in the project.
  public var players: [String]
  public var versions: Int
  /// The time of the last change, in seconds since 1970.
  public var changed: Int64
  /// The room that plays the project; empty where none does.
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

/// A saved version of a project.
public struct ProjectVersion: Hashable, Sendable {
  public var project: String
  /// Counted from 1.
  public var number: Int
  public var label: String
  /// Seconds since 1970.
  public var saved: Int64

  public init(project: String, number: Int, label: String, saved: Int64) {
    self.project = project
    self.number = number
    self.label = label
    self.saved = saved
  }
}
