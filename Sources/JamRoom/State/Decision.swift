public import JamCore

/// What comes of a command, or of time going by: what the world is asked to do, and how the state is afterwards.
///
/// A room steps its state in place: a hit costs microseconds, and a copy of the state would cost more. A step is a decision that
/// is applied at once, and the tests hold it to that. Whoever looks ahead, or keeps what changed, decides and applies one after
/// the other.
public struct Decision: Sendable {
  /// In the order in which they must be carried out: the log's lines and the engine's commands with their numbers and frames, what
  /// is told, and what is ordered.
  public let effects: [Effect]
  public let change: RoomChange

  /// The log's lines among the effects.
  public var entries: [LogEntry] {
    effects.compactMap { if case .log(let entry) = $0 { entry } else { nil } }
  }

  /// Why the command was refused; nil where it was not.
  public var refusal: Refusal? {
    for case .tell(.refused(_, let refusal), .asker) in effects { return refusal }
    return nil
  }
}

extension RoomState {
  /// What would come of a command of a player now. Nothing changes.
  public func decide(_ command: Command, by id: PlayerID, at moment: Moment) -> Decision {
    decide { state, effects in state.step(command, by: id, at: moment, &effects) }
  }

  /// What comes of all that is due by itself at `frame`: beats, loops' hits, rolls, hits that wait, build-ups, votes. Nothing changes.
  public func due(until frame: Frames) -> Decision {
    decide { state, effects in
      if state.findDeadline() <= frame { state.tick(at: frame, &effects) }
    }
  }

  private func decide(_ body: (inout RoomState, inout [Effect]) -> Void) -> Decision {
    var (next, effects) = (self, [Effect]())
    body(&next, &effects)
    return Decision(effects: effects, change: RoomChange(from: self, to: next))
  }
}
