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

  /// A project has another name now, or is none any more.
  public func projectGone(_ name: String, now new: String?, by player: String) {
    change { state, _, effects in state.projectGone(name, now: new, by: player, &effects) }
  }

  /// The room's music as it is now.
  public var projectImage: ProjectImage { look { ProjectImage(of: copy $0) } }
}
