public import JamCore

/// The room's takes.
extension Room {
  func carryOut(_ order: TakeOrder) {
    guard let takes else {
      return change { state, frame, effects in
        state.takeAnswered(order, .refused(.takesNotKept), at: frame, &effects)
      }
    }
    takes.carryOut(order, in: name) { [thread] answer in
      thread.submit {
        self.assumeIsolated { room in
          room.change { state, frame, effects in state.takeAnswered(order, answer, at: frame, &effects) }
        }
      }
    }
  }

  /// A take has begun, or is otherwise than it was.
  public func takeIs(_ item: TakeItem) { change { state, _, effects in state.takeIs(item, &effects) } }
  /// How far a file is that somebody wants.
  public func exportIs(_ export: ExportState) { change { state, _, effects in state.exportIs(export, &effects) } }
  /// A take was deleted, or forgotten.
  public func takeGone(_ id: String) { change { state, _, effects in state.takeGone(id, &effects) } }
  /// - Parameter id: the take that is recorded from now on; empty where none is.
  public func takes(_ id: String, isStarted: Bool) {
    change { state, _, effects in state.takes(id, isStarted: isStarted, &effects) }
  }
}
