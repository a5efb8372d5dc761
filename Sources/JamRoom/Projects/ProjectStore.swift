public import JamCore

/// The server's store of projects, for all its rooms.
///
/// Thread: any; it must not wait.
public protocol ProjectStore: AnyObject, Sendable {
  /// Carries out what a room orders.
  /// - Parameters:
  ///   - image: the room's music now.
  ///   - call: is called once, on any thread.
  func carryOut(
    _ order: ProjectOrder, of image: ProjectImage, in room: PlayerName,
    then call: @escaping @Sendable (ProjectAnswer) -> Void)
  /// The room's music has changed since it was kept last, or the room ends.
  func keep(_ image: ProjectImage, as project: OpenProject, in room: PlayerName)
  /// The room plays that project since before the server started, or not after all.
  func plays(_ project: OpenProject, in room: PlayerName)
}

/// A room's request to the catalogue.
public struct ProjectOrder: Hashable, Sendable {
  public let command: ProjectCommand
  /// The player who asks; the place may be somebody else's when the answer comes.
  public let player: PlayerID
  public let name: String
  public let token: String
  /// The owner of the quota for saving.
  public let saver: String
  /// The project that the room plays.
  public let playing: OpenProject
}

/// A project that its room does not play any more, though nobody there has said so.
public struct GoneProject: Hashable, Sendable {
  public let name: String
  public let deed: ProjectDeed
  /// The player's name; empty where it was nobody's deed.
  public let player: String

  public init(name: String, deed: ProjectDeed, player: String = "") {
    self.name = name
    self.deed = deed
    self.player = player
  }
}

/// The outcome of an order.
public enum ProjectAnswer: Sendable {
  /// The room is to play it.
  case opened(OpenProject, KeptProject, ProjectDeed)
  /// The room's music has this name now.
  case playing(OpenProject, ProjectDeed)
  case items([ProjectItem])
  case versions([ProjectVersion])
  case deleted(String)
  case refused(Refusal)
}
