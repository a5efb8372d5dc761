public import JamCore

/// The room's takes.
extension Room {
  func carryOut(_ order: TakeOrder) {
    guard let takes else {
      return change { state, frame in
        state.takeAnswered(order, .refused(.takesNotKept), at: frame)
      }
    }
    takes.carryOut(order, in: name) { [thread] answer in
      thread.submit {
        self.assumeIsolated { room in
          room.change { state, frame in state.takeAnswered(order, answer, at: frame) }
        }
      }
    }
  }

  /// A take has begun, or is otherwise than it was.
  public func takeIs(_ item: TakeItem) { change { state, _ in state.takeIs(item) } }
  /// The progress of a file that somebody wants.
  public func exportIs(_ export: ExportState) { change { state, _ in state.exportIs(export) } }
  /// A take was deleted, or forgotten.
  public func takeGone(_ id: String) { change { state, _ in state.takeGone(id) } }
  /// - Parameter id: the take that is recorded from now on; empty where none is.
  public func takes(_ id: String, isStarted: Bool) {
    change { state, _ in state.takes(id, isStarted: isStarted) }
  }
}
