internal import JamCore

/// Hands a room on to be kept, soon after something of it has changed.
///
/// A copy shares the state's memory until the state changes. It costs tens of microseconds, so
/// seldom that the room's hits do not notice. Thread: the room's.
final class RoomKeeper {
  private let hand: @Sendable (RoomImage) -> Void
  /// The time to hand the room on; nil while nothing has changed.
  private(set) var deadline: Frames?
  private var last = Frames(-1_000_000)

  /// Changes within this are handed on together.
  private static let every = Frames.milliseconds(50)

  init(_ hand: @escaping @Sendable (RoomImage) -> Void) { self.hand = hand }

  /// Something has changed.
  func note(at now: Frames) {
    if deadline == nil { deadline = max(now, last + RoomKeeper.every) }
  }

  /// Whether to hand the room on now. It does not get the state, which would be copied.
  func takeDue(at now: Frames) -> Bool {
    guard let deadline, deadline <= now else { return false }
    self.deadline = nil
    last = now
    return true
  }

  /// Hands on the present room.
  func keep(_ state: RoomState, at now: Frames) { hand(RoomImage(of: state, at: now)) }

  /// The room ends here: as it is now, it begins again when somebody comes.
  func close(_ state: RoomState, at now: Frames) { hand(RoomImage(of: state, at: now, isClosed: true)) }
}

extension LogAction {
  /// It is over as soon as it has sounded: nothing of it is kept.
  var goesBy: Bool {
    guard case .command(let command) = self else { return false }
    return switch command {
    case .hit, .strike, .release, .cancel, .loopHit, .rise, .hush, .chord: true
    default: false
    }
  }
}

extension Event {
  /// It tells of a moment, or answers: the kept state is as it was.
  var goesBy: Bool {
    switch self {
    case .beat, .nextBeat, .position, .loopPosition, .meter, .clip, .loudness, .receipt, .late, .hit, .refused,
      .journal, .playerLight, .levellerGain, .reacted:
      true
    case .value(let setting, _):
      switch setting {
      case .padLit, .padPending: true
      default: false
      }
    default: false
    }
  }
}
