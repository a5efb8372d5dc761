import JamCore
import JamRealtime
import JamRoom

/// Decides which part of a room's log is a recording: from the first hit after a silence to the
/// next silence. The machine knows no files and no clock.
///
/// Where everybody has left, loops that play on count as music for one more bar, and as silence
/// after that.
struct TakeMachine {
  /// The state of the room when a recording's entries begin.
  enum Base {
    /// The room was just opened, with this tempo.
    case opening(Tempo)
    indirect case image(RoomImage)
  }

  enum Item {
    case entry(LogEntry)
    // An array has thousands of entries. Without `indirect`, each would be as large as a room's
    // image.
    indirect case image(RoomImage)
  }

  enum Act {
    /// A recording begins with the state of the room and the entries since then. `at` is the first
    /// frame that has to be heard.
    indirect case begin(Base, [LogEntry], at: Frames)
    case write(LogEntry)
    /// Asks for an image of the room as it is now. The recording ends when the image arrives.
    case askForImage
    /// The recording is over. `at` is the frame at which it fell silent.
    case end(at: Frames)
  }

  /// A recording ends after a silence of this length, and at the latest when it is `most` long.
  let quietMilliseconds: Double
  static let most = Frames.seconds(12 * 60 * 60)

  private(set) var isRecording = false
  /// Somebody started the recording by hand. It then continues through any silence, until the last
  /// player leaves the room.
  var isHeld = false
  /// The state of the room that the next recording begins with. Nil after a failure, until the next
  /// image arrives.
  private var base: Base?
  private var since: [LogEntry] = []
  private var heard = (at: HostTime(nanoseconds: 0), frame: Frames.zero)
  private var begun = Frames.zero
  private var hasAsked = false
  private var endsNow = false
  /// The room's frame up to which loops count as music: a bar after everybody has left. Nil while
  /// somebody is in the room.
  private var loopsCountUntil: Frames?
  /// Loops were heard that are neither in `base` nor in `since`. A new image of the room is needed
  /// before loops can begin a recording.
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
      // Hits of loops that play to an empty room are not kept: hours of them could collect for a
      // recording that may never begin.
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

  /// Call this before the entries of a turn are taken.
  /// - Parameters:
  ///   - isDeserted: nobody is in the room.
  ///   - frame: the room's frame now.
  ///   - bar: the length of a bar now.
  mutating func note(isDeserted: Bool, at frame: Frames, bar: Frames) {
    guard isDeserted else { return loopsCountUntil = nil }
    if loopsCountUntil == nil { loopsCountUntil = frame + bar }
  }

  private func isAlone(at frame: Frames) -> Bool { loopsCountUntil.map { frame > $0 } ?? false }

  /// Begins a recording at `frame`, whether anything sounds or not.
  mutating func begin(at frame: Frames) -> [Act] {
    guard !isRecording else {
      // A recording that was about to end goes on, because somebody wants to keep it.
      hasAsked = false
      return []
    }
    guard let base else { return [] }
    defer { since = [] }
    (isRecording, hasAsked, isBehind, begun) = (true, false, false, frame)
    heard.frame = max(heard.frame, frame)
    return [.begin(base, since, at: frame)]
  }

  /// Call this about once a second.
  /// - Parameter frame: the room's frame now.
  mutating func look(isSounding: Bool, frame: Frames, at now: HostTime) -> [Act] {
    // Somebody is in the room again, and hears the loops that played to an empty room.
    guard isRecording else { return isBehind && loopsCountUntil == nil ? [.askForImage] : [] }
    // After the machine has asked for an image, a sound may already belong to the next recording.
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

  /// - Parameter endingNow: the recording ends now, even while something sounds.
  mutating func letGo(endingNow: Bool) { (isHeld, endsNow) = (false, endingNow && isRecording) }

  /// Ends a recording that could not be written. The next recording begins with the next image of
  /// the room.
  mutating func giveUp() {
    (base, isRecording, hasAsked, endsNow, since) = (nil, false, false, false, [])
    (isHeld, isBehind) = (false, false)
  }
}

extension LogAction {
  /// Whether the action makes a sound.
  var sounds: Bool {
    guard case .command(let command) = self else { return false }
    return switch command {
    case .hit, .strike, .loopHit, .rise: true
    default: false
    }
  }

  /// Whether somebody hits a pad now; false for hits that a loop plays.
  fileprivate var isByHand: Bool {
    guard case .command(let command) = self else { return false }
    return switch command {
    case .hit, .strike: true
    default: false
    }
  }
}
