internal import JamCore

/// What people ask of the room's project. The catalogue of projects is the server's: its answers come back as `projectAnswered`.
extension RoomState {
  func checkProject(_ command: ProjectCommand, by id: PlayerID) throws(Refusal) {
    switch command {
    case .new(let name, _):
      try requireOpening(by: id)
      guard RoomState.isProjectName(name) else { throw .badProjectName }
    case .open: try requireOpening(by: id)
    case .save(let label):
      guard label.isEmpty || ShownName.isValid(label) else { throw .badProjectName }
      guard !session.isOpeningProject else { throw .projectBusy }
    case .copy(let name), .rename(let name):
      guard RoomState.isProjectName(name) else { throw .badProjectName }
      guard !session.isOpeningProject else { throw .projectBusy }
    case .delete: try roster.requireHost(id, for: .deleteProject)
    case .list, .listVersions: break
    }
  }

  mutating func project(_ command: ProjectCommand, by id: PlayerID, at moment: Moment) {
    if command.isOpening { session.isOpeningProject = true }
    outbox.append(
      .project(
        ProjectOrder(
          command: command, player: id, name: roster[id].name.text, token: roster[id].token, saver: roster[id].saver,
          playing: session.project)))
  }

  /// To whatever reads a URL, `.` and `..` are ways.
  private static func isProjectName(_ name: String) -> Bool { ShownName.isValid(name) && name != "." && name != ".." }

  /// Everybody's music goes: what a host has locked stays.
  private func requireOpening(by id: PlayerID) throws(Refusal) {
    for lock in [Lock.tempo, .loops, .kits, .key] { try roster.requireUnlocked(lock, id) }
    guard !session.isOpeningProject else { throw .projectBusy }
  }

  /// What came of an order.
  /// - Parameter frame: where it takes effect.
  mutating func projectAnswered(_ order: ProjectOrder, _ answer: ProjectAnswer, at frame: Frames) {
    let asker = roster.player(token: order.token)
    let name = asker.map { roster[$0].name.text } ?? ""
    switch answer {
    case .opened(let facts, let project, let deed):
      // Whoever asked has gone: anybody who is here opens it.
      guard let player = asker ?? roster.people.first?.id else {
        session.isOpeningProject = false
        return outbox.append(.projectNotTaken(facts.name))
      }
      prepare(project, facts, deed, by: player, at: frame)
    case .playing(let facts, let deed):
      // It may be another's by now.
      guard session.project.name == order.playing.name else { return }
      session.project = facts
      tellProject(deed, by: name)
    case .items(let items):
      let events = items.map { Event.projectItem($0) }
      outbox.append(.tell(.together(events), asker.map { .player($0) } ?? .asker))
    case .versions(let versions):
      let events = versions.map { Event.projectVersion($0) }
      outbox.append(.tell(.together(events), asker.map { .player($0) } ?? .asker))
    case .deleted(let name): outbox.append(.tell(.projectGone(name), .everybody))
    case .refused(let refusal):
      if order.command.isOpening { session.isOpeningProject = false }
      if let asker { outbox.append(.tell(.refused(.project(order.command), refusal), .player(asker))) }
    }
  }

  /// The project is not the room's any more: its music plays on without a name.
  mutating func projectGone(_ project: GoneProject) {
    guard session.project.name == project.name else { return }
    session.project = OpenProject(measures: session.project.measures)
    tellProject(project.deed, by: project.player)
  }
}

extension ProjectCommand {
  /// Whether the room plays something else then.
  var isOpening: Bool {
    switch self {
    case .new, .open: true
    default: false
    }
  }
}
