internal import JamCore

/// The room's project, and the catalogue of all.
extension Room {
  func carryOut(_ order: ProjectOrder) {
    guard let projects else {
      return change { state, frame, effects in
        state.projectAnswered(order, .refused(.projectsNotKept), at: frame, &effects)
      }
    }
    let image = look { ProjectImage(of: copy $0) }
    projects.carryOut(order, of: image, in: name) { [thread] answer in
      thread.submit {
        self.assumeIsolated { room in
          room.change { state, frame, effects in state.projectAnswered(order, answer, at: frame, &effects) }
        }
      }
    }
  }

  /// The project is not the room's any more: its music plays on without a name.
  public func projectGone(_ project: GoneProject) {
    change { state, _, effects in state.projectGone(project, &effects) }
  }
}
