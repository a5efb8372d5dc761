public import JamCore

/// The room's takes.
extension Room {
  func carryOut(_ order: TakeOrder) {
    guard let takes else {
      return change { state, frame in
        state.takeAnswered(order, .refused(.takesNotKept), at: frame)
      }
    }
    takes.carryOut(order, in: name) { answer in
      self.submit { $0.change { state, frame in state.takeAnswered(order, answer, at: frame) } }
    }
  }

  /// A take has begun, or is otherwise than it was.
  public func takeIs(_ item: TakeItem) { tell(.takeItem(item)) }
  /// The progress of a file that somebody wants.
  public func exportIs(_ export: ExportState) { tell(.export(export)) }
  /// A take was deleted, or forgotten.
  public func takeGone(_ id: String) { tell(.takeGone(id)) }
  /// - Parameter id: the take that is recorded from now on; empty where none is.
  public func takes(_ id: String, isStarted: Bool) {
    change { state, _ in state.takes(id, isStarted: isStarted) }
  }

  private func tell(_ event: Event) { change { state, _ in state.outbox.append(.tell(event, .everybody)) } }
}
