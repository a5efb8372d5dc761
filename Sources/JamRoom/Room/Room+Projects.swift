internal import JamCore

/// The room's project, and the catalogue of all.
extension Room {
  func carryOut(_ order: ProjectOrder) {
    guard let projects else {
      return change { state, frame in
        state.projectAnswered(order, .refused(.projectsNotKept), at: frame)
      }
    }
    let image = look { ProjectImage(of: copy $0) }
    projects.carryOut(order, of: image, in: name) { answer in
      self.submit { $0.change { state, frame in state.projectAnswered(order, answer, at: frame) } }
    }
  }

  /// The project is not the room's any more: its music plays on without a name.
  public func projectGone(_ project: GoneProject) {
    change { state, _ in state.projectGone(project) }
  }
}
