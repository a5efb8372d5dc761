import JamCore
import JamRealtime
import JamRoom

/// Decides what of a room's log makes a recording: from the first hit after a quiet to the next quiet. It knows no files and no clock.
///
/// Loops that play on while nobody is in the room count for one bar more, and then as quiet.
struct TakeMachine {
  /// What the room was when a recording's entries begin.
  enum Base {
    /// Just opened.
    case opening(Tempo)
    indirect case image(RoomImage)
  }

  enum Item {
    case entry(LogEntry)
    // Entries come by the thousand: an image beside them must not make each as large as a room.
    indirect case image(RoomImage)
  }

  enum Act {
    /// A recording begins with what the room was and what was done since; `at` is the moment that is to be heard first.
    indirect case begin(Base, [LogEntry], at: Frames)
    case write(LogEntry)
    /// The room is to be handed in as it is now: the recording ends there.
    case askForImage
    /// The recording is over; `at` is where it fell silent.
    case end(at: Frames)
  }

  /// A recording ends once nothing has sounded for so long, and at the latest after `most`.
  let quietMilliseconds: Double
  static let most = Frames.seconds(12 * 60 * 60)

  private(set) var isRecording = false
  /// Somebody started it: it goes on over any quiet, as long as somebody is in the room.
  var isHeld = false
  /// Nil after a failure, until the room was handed in.
  private var base: Base?
  private var since: [LogEntry] = []
  private var heard = (at: HostTime(nanoseconds: 0), frame: Frames.zero)
  private var begun = Frames.zero
  private var hasAsked = false
  private var endsNow = false
  /// The room's moment up to which loops count, a bar after everybody has left. Nil while somebody
  /// is in the room.
  private var loopsCountUntil: Frames?
  /// Loops were heard that are neither in `base` nor in `since`. The room is handed in again before
  /// loops begin a recording.
  private var isBehind = false

  init(tempo: Tempo, quietMilliseconds: Double = 30_000) {
    self.quietMilliseconds = quietMilliseconds
    base = .opening(tempo)
  }

  mutating func take(_ item: Item, at now: HostTime) -> [Act] {
    switch item {
    case .entry(let entry):
      let sounds = entry.action.sounds
      let isLoopAlone = sounds && !entry.action.isByHand && isAlone(at: entry.frame)
      if sounds, !isLoopAlone {
        heard = (now, max(heard.frame, entry.frame))
        if !isOverdue && !endsNow { hasAsked = false }
      }
      if isRecording { return [.write(entry)] }
      guard base != nil else { return [] }
      // Hours of them are not kept for a recording that may never begin.
      isBehind = isBehind || isLoopAlone
      if sounds, !entry.action.isByHand, isBehind { return [] }
      since.append(entry)
      return sounds ? begin(at: entry.frame) : []
    case .image(let image):
      guard isRecording else {
        (base, since, isBehind) = (.image(image), [], false)
        return []
      }
      guard hasAsked else { return [] }
      (base, since, isRecording, hasAsked, endsNow) = (.image(image), [], false, false, false)
      (isHeld, isBehind) = (false, false)
      return [.end(at: heard.frame)]
    }
  }

  /// Call it before the entries of a turn are taken.
  /// - Parameters:
  ///   - isDeserted: nobody is in the room.
  ///   - frame: the room's moment.
  ///   - bar: how long a bar is then.
  mutating func note(isDeserted: Bool, at frame: Frames, bar: Frames) {
    guard isDeserted else { return loopsCountUntil = nil }
    if loopsCountUntil == nil { loopsCountUntil = frame + bar }
  }

  private func isAlone(at frame: Frames) -> Bool { loopsCountUntil.map { frame > $0 } ?? false }

  /// A recording begins at `frame`, whether anything sounds or not.
  mutating func begin(at frame: Frames) -> [Act] {
    guard !isRecording else {
      // Whoever holds on to one that was about to end keeps it.
      hasAsked = false
      return []
    }
    guard let base else { return [] }
    defer { since = [] }
    (isRecording, hasAsked, isBehind, begun) = (true, false, false, frame)
    heard.frame = max(heard.frame, frame)
    return [.begin(base, since, at: frame)]
  }

  /// Call it about once a second.
  /// - Parameter frame: the room's moment.
  mutating func look(isSounding: Bool, frame: Frames, at now: HostTime) -> [Act] {
    // Somebody is in the room again, and hears the loops that went round alone.
    guard isRecording else { return isBehind && loopsCountUntil == nil ? [.askForImage] : [] }
    // What sounds once the room was asked for may be of the next recording.
    if !hasAsked, isSounding || isHeld { hear(at: frame, now) }
    guard !hasAsked, endsNow || isOverdue || now.milliseconds(since: heard.at) >= quietMilliseconds else { return [] }
    hasAsked = true
    return [.askForImage]
  }

  private mutating func hear(at frame: Frames, _ now: HostTime) {
    if isAlone(at: frame) {
      heard.frame = max(heard.frame, loopsCountUntil ?? frame)
    } else {
      heard = (now, max(heard.frame, frame))
    }
  }

  private var isOverdue: Bool { isRecording && heard.frame - begun >= TakeMachine.most }

  /// - Parameter endingNow: the recording ends, whatever sounds.
  mutating func letGo(endingNow: Bool) { (isHeld, endsNow) = (false, endingNow && isRecording) }

  /// What could not be written ends here: the next recording begins with the room as it is then.
  mutating func giveUp() {
    (base, isRecording, hasAsked, endsNow, since) = (nil, false, false, false, [])
    (isHeld, isBehind) = (false, false)
  }
}

extension LogAction {
  /// It makes a sound.
  var sounds: Bool {
    guard case .command(let command) = self else { return false }
    return switch command {
    case .hit, .strike, .loopHit, .rise: true
    default: false
    }
  }

  /// Somebody hits something now: no loop plays it.
  fileprivate var isByHand: Bool {
    guard case .command(let command) = self else { return false }
    return switch command {
    case .hit, .strike: true
    default: false
    }
  }
}
