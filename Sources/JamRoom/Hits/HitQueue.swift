internal import JamCore

/// Hits that were accepted and do not sound yet: those that wait in the room for their line, with
/// their releases, those that are on their way to the engine, and whatever waits for its timetag.
/// It knows no pad and no player beyond their numbers.
struct HitQueue: Equatable, Sendable {
  /// In the order in which they were played.
  private(set) var waiting: [WaitingHit] = []
  /// Of hits that the grid has moved, in the order in which they were let go.
  private(set) var releases: [WaitingRelease] = []
  /// The time to send the next waiting hit or release to the engine; nil while none waits.
  private(set) var next: Frames?
  /// The time to send the next hit of any roll; nil while none is held.
  var nextRoll: Frames?
  /// Hits whose frame lies further ahead than a live hit's. The one that sounds first stands last.
  private(set) var pending: [PendingHit] = []
  /// Commands that wait for their timetag. The one that is carried out first stands last; those of
  /// one frame go in the order in which they were sent.
  private(set) var scheduled: [ScheduledCommand] = []
  /// The number of hits among them.
  private(set) var scheduledHits = 0
  /// One of them is being carried out.
  var isOnSchedule = false
  /// A take that is played in the room.
  var take: PlayedTake?
  /// While a score is played: hits by their numbers, for a loop's hits name those.
  var played: [UInt32: LoopHit] = [:]
  /// By the low bits of their number, so that a late one can be told to its player. It grows up to
  /// `recentCount`, within memory that a room nobody plays in never touches.
  private var recent = Array(reserving: HitQueue.recentCount) as [RecentHit]

  /// A hit is sent this long before its frame: time to cross threads, and for a release to stop it.
  static let ahead = Frames(480)
  private static let recentCount = 8_192

  /// All that the engine would have to keep. Inlined: a call would get a copy.
  var count: Int { @inline(__always) get { waiting.count + pending.count + scheduledHits } }
  /// Commands that wait for their timetag and are no hits.
  var scheduledOthers: Int { scheduled.count - scheduledHits }
  /// The time to show the next pending hit: as long before its sound as a live one is shown.
  var nextPending: Frames? { pending.last.map { $0.frame - RoomState.liveDelay } }

  // MARK: Scheduled

  mutating func schedule(_ command: ScheduledCommand) {
    // Most lie behind those that wait already, and so near the front.
    let place = scheduled.firstIndex { $0.frame <= command.frame } ?? scheduled.count
    scheduled.insert(command, at: place)
    if command.command.isHit { scheduledHits += 1 }
  }

  /// The one that is carried out first. One waits at least.
  mutating func takeScheduled() -> ScheduledCommand {
    let next = scheduled.removeLast()
    if next.command.isHit { scheduledHits -= 1 }
    return next
  }

  mutating func takeScheduled(where isMeant: (ScheduledCommand) -> Bool) -> [ScheduledCommand] {
    let taken = scheduled.take(where: isMeant)
    scheduledHits -= taken.count { $0.command.isHit }
    return taken
  }

  // MARK: Waiting

  /// - Parameter frame: where it will sound, as the clock is now.
  mutating func wait(_ hit: WaitingHit, until frame: Frames) {
    waiting.append(hit)
    next = min(next ?? Frames(.max), frame - HitQueue.ahead)
  }

  mutating func wait(_ release: WaitingRelease) {
    releases.append(release)
    next = min(next ?? Frames(.max), release.frame - RoomState.liveDelay)
  }

  /// The clock changed, or what waits did.
  mutating func plan(_ view: TempoMapView) {
    next = nil
    var earliest = Frames(.max)
    for hit in waiting { earliest = min(earliest, hit.frame(in: view) - HitQueue.ahead) }
    for release in releases { earliest = min(earliest, release.frame - RoomState.liveDelay) }
    if earliest < Frames(.max) { next = earliest }
  }

  /// A roll, or what plays by itself as one, has a hit at `frame`.
  mutating func planRoll(at frame: Frames) {
    nextRoll = min(nextRoll ?? frame - HitQueue.ahead, frame - HitQueue.ahead)
  }

  /// The hits to send at `now`, by their frames; within one frame as they were played.
  mutating func takeDueHits(at now: Frames, _ view: TempoMapView) -> [(hit: WaitingHit, frame: Frames)] {
    var due: [(hit: WaitingHit, frame: Frames)] = []
    waiting.removeAll { hit in
      let frame = hit.frame(in: view)
      guard frame - HitQueue.ahead <= now else { return false }
      due.append((hit, frame))
      return true
    }
    // A stable sort.
    due.sort { $0.frame < $1.frame }
    return due
  }

  mutating func takeDueReleases(at now: Frames) -> [WaitingRelease] {
    releases.take { $0.frame - RoomState.liveDelay <= now }.sorted { $0.frame < $1.frame }
  }

  /// Those of a pad's hits that sound before `frame`.
  mutating func takeReleases(of id: PlayerID, on pad: Pad, before frame: Frames) -> [WaitingRelease] {
    // Almost always: sorting nothing makes an array, too.
    guard !releases.isEmpty else { return [] }
    return releases.take { $0.player == id && $0.pad == pad && $0.start <= frame }.sorted { $0.frame < $1.frame }
  }

  /// Whether the pad sounds until a release that waits.
  func holds(_ pad: Pad, of id: PlayerID) -> Bool { releases.contains { $0.player == id && $0.pad == pad } }

  mutating func takeWaiting(where isMeant: (WaitingHit) -> Bool) -> [WaitingHit] { waiting.take(where: isMeant) }

  /// The recorded beats of hits that wait to sound a loop later.
  func intervals(of id: PlayerID) -> [Beats] {
    waiting.lazy.filter { $0.player == id && $0.place.delay > .zero }.map(\.place.recorded)
  }

  /// All that the player holds ends at once.
  mutating func dropReleases(of id: PlayerID) { releases.removeAll { $0.player == id } }

  /// The pad is about to sound otherwise: what waits on it will sound as it was played.
  mutating func fix(on pad: Pad, of id: PlayerID, as sound: FixedSound) {
    for i in waiting.indices where waiting[i].player == id && waiting[i].pad == pad && waiting[i].fixed == nil {
      waiting[i].fixed = sound
    }
  }

  /// The finger that hit the pad lets go of it.
  /// - Parameters:
  ///   - heard: the frame that its player was hearing, and its beat.
  /// - Returns: whether any hit waited for that.
  mutating func letGo(of pad: Pad, by id: PlayerID, at frame: Frames, heard: (frame: Frames, beat: Beats)?) -> Bool {
    var isAny = false
    for i in waiting.indices where waiting[i].player == id && waiting[i].pad == pad && waiting[i].held == nil {
      // As long as the finger held it: the heard beat strays less than the arrival.
      let held = waiting[i].place.heard.flatMap { from in heard.map { $0.frame - from } }
      waiting[i].held = max(.zero, held ?? frame - waiting[i].played)
      waiting[i].releaseHeard = heard?.beat
      isAny = true
    }
    return isAny
  }

  /// The coming bars have another length: hits whose line is gone wait for the next line.
  mutating func realign(to new: TempoMap) {
    for i in waiting.indices where waiting[i].place.delay == .zero {
      let place = waiting[i].place
      let line = new.view.line(place.lines, atOrAfter: place.line)
      waiting[i].place.line = line
      waiting[i].place.recorded = place.recorded + (line - place.line)
    }
  }

  /// The transport starts at `frame`: hits move to the first new line at or after their old place.
  mutating func restart(with new: TempoMap, at frame: Frames, from old: TempoMapView) {
    for i in waiting.indices {
      let sounds = max(frame, old.frame(at: waiting[i].place.recorded))
      let line = new.view.line(waiting[i].place.lines, atOrAfter: max(.zero, new.view.beat(at: sounds)))
      waiting[i].place.line = line
      waiting[i].place.recorded = line
    }
    // They have their frames; what that is in the new bars shows as they sound.
    for i in pending.indices { pending[i].recorded = nil }
  }

  // MARK: Pending

  /// - Returns: false beyond what the engine holds: it will be refused.
  mutating func keep(_ hit: PendingHit, limit: Int) -> Bool {
    guard pending.count < limit else { return false }
    // Most lie after those that wait already, and so near the front.
    let place = pending.firstIndex { $0.frame <= hit.frame } ?? pending.count
    pending.insert(hit, at: place)
    return true
  }

  /// The next hit to show at `now`.
  mutating func takePending(until now: Frames) -> PendingHit? {
    guard let hit = pending.last, hit.frame <= now + RoomState.liveDelay else { return nil }
    return pending.removeLast()
  }

  mutating func takePending(where isMeant: (PendingHit) -> Bool) -> [PendingHit] { pending.take(where: isMeant) }

  /// Hits on their way to the pad end at `frame`.
  mutating func shorten(on pad: Pad, of id: PlayerID, at frame: Frames) {
    for i in pending.indices where pending[i].player == id && pending[i].pad == pad && pending[i].frame <= frame {
      pending[i].duration = min(pending[i].duration, frame - pending[i].frame)
    }
  }

  // MARK: On their way

  mutating func note(_ hit: RecentHit) {
    let place = Int(hit.sequence) & (HitQueue.recentCount - 1)
    while recent.count <= place { recent.append(RecentHit()) }
    recent[place] = hit
  }

  /// The hit of that number; nil where it is long over, or was none.
  func recentHit(_ sequence: UInt64) -> (hit: RecentHit, pad: Pad)? {
    let place = Int(sequence) & (HitQueue.recentCount - 1)
    guard place < recent.count, case let hit = recent[place], hit.sequence == sequence,
      let pad = Pad(place: Int(hit.pad))
    else { return nil }
    return (hit, pad)
  }
}

extension Array {
  fileprivate init(reserving count: Int) {
    self = []
    reserveCapacity(count)
  }

  /// Removes the elements that are meant, and returns them in their order.
  fileprivate mutating func take(where isMeant: (Element) -> Bool) -> [Element] {
    guard contains(where: isMeant) else { return [] }
    let taken = filter(isMeant)
    removeAll(where: isMeant)
    return taken
  }
}

/// A hit on its way to the engine.
struct RecentHit: Equatable, Sendable {
  var sequence: UInt64 = 0
  var frame: Frames = .zero
  var player = PlayerID(index: 0)
  var pad: UInt8 = 0
}

/// A hit that was accepted and does not sound yet.
struct PendingHit: Equatable, Sendable {
  var frame: Frames
  var sequence: UInt64
  var player: PlayerID
  /// The player's name at the time of the hit: the player may have left.
  var name: PlayerName
  var pad: Pad
  var velocity: Velocity
  /// Of the sound; 0 on an empty pad.
  var duration: Frames
  /// The place at which the hit is recorded; nil is the place at which it sounds.
  var recorded: Beats?
  /// The number that it has in a loop, where that is another.
  var defined: UInt32?
}
