public import JamCore

/// A command whose timetag lies ahead. It waits in the room, and is carried out as if it had been
/// sent at its time.
public struct ScheduledCommand: Equatable, Sendable {
  public let command: Command
  public let player: PlayerID
  /// The connection that answers go to.
  public let origin: Origin
  /// The arrival, until the command's turn comes; then the moment for carrying it out.
  var moment: Moment
  /// The frame at which it takes effect.
  let frame: Frames
  /// Whether it may be a host's.
  let hasRights: Bool

  /// A hit says by itself what sounds. It goes to the engine so long before its frame, so that a
  /// thread which wakes late makes no hit late.
  static let ahead = Frames.milliseconds(40)

  /// The time for carrying it out, as a command that comes then without a timetag.
  var due: Frames { frame - RoomState.liveDelay }

  /// Whether a hand does it to a pad or a key.
  var isPlayed: Bool {
    switch command {
    case .hit, .strike, .release, .pressChord, .keyHeight, .keyBend: true
    default: false
    }
  }

  /// Whether it orders a build-up, or plays a take.
  var isBuildUp: Bool { if case .buildUp = command { true } else { false } }
  var isTake: Bool { if case .take(.play) = command { true } else { false } }

  /// Sets its arrival to its due time. A hit by ear keeps its arrival, by which the beat is known.
  mutating func becomeDue() {
    let isByEar = moment.heard != nil && isPlayed
    moment = isByEar ? Moment(arrival: moment.arrival, tagged: frame, heard: moment.heard) : Moment(arrival: due)
  }

  /// Before its time.
  mutating func goAhead(at now: Frames) { moment = Moment(arrival: now, tagged: frame) }
}
