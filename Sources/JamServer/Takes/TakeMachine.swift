import JamCore
import JamRealtime
import JamRoom

/// Decides what of a room's log makes a recording: from the first hit after a quiet to the next quiet. It knows no files and no clock.
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
  /// Somebody started it: it goes on over any quiet.
  var isHeld = false
  /// Nil after a failure, until the room was handed in.
  private var base: Base?
  private var since: [LogEntry] = []
  private var heard = (at: HostTime(nanoseconds: 0), frame: Frames.zero)
  private var begun = Frames.zero
  private var hasAsked = false
  private var endsNow = false

  init(tempo: Tempo, quietMilliseconds: Double = 30_000) {
    self.quietMilliseconds = quietMilliseconds
    base = .opening(tempo)
  }

  mutating func take(_ item: Item, at now: HostTime) -> [Act] {
    switch item {
    case .entry(let entry):
      if entry.action.sounds {
        heard = (now, max(heard.frame, entry.frame))
        if !isOverdue && !endsNow { hasAsked = false }
      }
      if isRecording { return [.write(entry)] }
      guard base != nil else { return [] }
      since.append(entry)
      return entry.action.sounds ? begin(at: entry.frame) : []
    case .image(let image):
      guard isRecording else {
        (base, since) = (.image(image), [])
        return []
      }
      guard hasAsked else { return [] }
      (base, since, isRecording, hasAsked, endsNow) = (.image(image), [], false, false, false)
      return [.end(at: heard.frame)]
    }
  }

  /// A recording begins at `frame`, whether anything sounds or not.
  mutating func begin(at frame: Frames) -> [Act] {
    guard !isRecording else {
      // Whoever holds on to one that was about to end keeps it.
      hasAsked = false
      return []
    }
    guard let base else { return [] }
    defer { since = [] }
    (isRecording, hasAsked, begun) = (true, false, frame)
    heard.frame = max(heard.frame, frame)
    return [.begin(base, since, at: frame)]
  }

  /// Call it about once a second.
  /// - Parameter frame: the room's moment.
  mutating func look(isSounding: Bool, frame: Frames, at now: HostTime) -> [Act] {
    guard isRecording else { return [] }
    // What sounds once the room was asked for may be of the next recording.
    if !hasAsked, isSounding || isHeld { heard = (now, max(heard.frame, frame)) }
    guard !hasAsked, endsNow || isOverdue || now.milliseconds(since: heard.at) >= quietMilliseconds else { return [] }
    hasAsked = true
    return [.askForImage]
  }

  private var isOverdue: Bool { isRecording && heard.frame - begun >= TakeMachine.most }

  /// - Parameter endingNow: the recording ends, whatever sounds.
  mutating func letGo(endingNow: Bool) { (isHeld, endsNow) = (false, endingNow && isRecording) }

  /// What could not be written ends here: the next recording begins with the room as it is then.
  mutating func giveUp() { (base, isRecording, hasAsked, endsNow, since) = (nil, false, false, false, []) }
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
}
