internal import JamCore
internal import JamRealtime

/// The recorded beat of a hit, and the beat that its player heard; nil is not known.
struct RecordedPlace: Equatable, Sendable {
  var beat: Beats
  var heard: Beats?
  /// So much later it sounds: a loop, for who is far away.
  var delay = Beats.zero
}

/// `live` sounds and is recorded at arrival; `heard` sounds then, but is recorded at the beat its
/// player heard; `interval` is recorded as either and sounds a loop later. Grids move the recorded
/// place.
extension RoomState {
  /// Whether `checkPlay` may refuse a hit, or a chord of at most all places. Inlined: each hit
  /// asks. To ask `checkPlay` itself, Swift copies the room.
  @inline(__always) func mayRefuseHit(by id: PlayerID, at moment: Moment) -> Bool {
    moment.heard != nil
      || mayMove(of: id, heard: nil) && queue.count + Pad.placeCount >= setup.limits.pendingHits / 4
  }

  /// Asks whether the player can have heard what it says.
  func checkHeard(_ moment: Moment, of id: PlayerID) throws(Refusal) {
    guard let heard = moment.heard, let frame = moment.heardFrame else { return }
    guard hands[id].timing != .live || !hands[id].hasChosenTiming else { throw .heardWhileLive }
    let behind = moment.arrival - frame
    // Audio due at the arrival was rendered a buffer at once.
    guard behind >= .zero - .buffer else { throw .heardInFuture(heard, by: .zero - behind) }
    guard behind <= limits.heardBehind else { throw .heardTooLongAgo(heard, by: behind, most: limits.heardBehind) }
    guard frame >= roster[id].joined else { throw .heardBeforeJoining(heard, by: roster[id].joined - frame) }
  }

  /// A player that says what it hears: its light takes that in. Without a chosen timing it plays by
  /// ear from now on.
  mutating func takeAtItsWord(_ id: PlayerID, at moment: Moment) {
    if let heard = moment.heardFrame,
      roster.noteHeard(moment.arrival - heard, by: id, at: moment.arrival)
    {
      // Rooms without lights are not looked at, unless the snapshot says that there is one to come.
      outbox.append(.peopleChanged)
    }
    guard hands[id].timing == .live, !hands[id].hasChosenTiming else { return }
    hands[id].timing = .heard
    commit(.command(.set(.timing, .text(Timing.heard.word))), by: id, at: effectFrame(moment))
    tell(.timing, of: id)
  }

  /// The frame nearest to `present` of which only the low 32 bits are known: they wrap every day.
  static func unwrap(_ low: UInt32, near present: Frames) -> Frames {
    present + Frames(Int64(Int32(bitPattern: low &- UInt32(truncatingIfNeeded: present.count))))
  }

  /// Whether `place` can be another than where a hit arrives. Inlined: each hit asks.
  @inline(__always) func mayMove(of id: PlayerID, heard: Frames?) -> Bool {
    heard != nil || hands[id].quantize != .off || hands[id].timing == .interval
  }

  /// The place of a hit that would sound at `frame`; nil leaves it, as a stopped transport does.
  func place(of id: PlayerID, at frame: Frames, heard: Frames?) -> GridPlace? {
    guard clock.isPlaying else { return nil }
    let delay = hands[id].timing == .interval ? interval(of: id, at: frame) : .zero
    var place = gridPlace(of: id, at: heard ?? frame)
    if place == nil, heard != nil || delay > .zero {
      let beat = clock.view.beat(at: heard ?? frame)
      place = GridPlace(isLate: true, line: beat, lines: GridLines(.off), recorded: beat)
    }
    place?.delay = delay
    place?.heard = heard
    // After late hearing, or with a short loop: the same place in the first loop that is not over.
    while delay > .zero, let sounds = place?.sounds, clock.view.frame(at: sounds) < frame { place?.delay += delay }
    return place
  }

  /// The delay of a far player: the length of its loop, or of the loop that it would record now.
  private func interval(of id: PlayerID, at frame: Frames) -> Beats {
    let loop = loopers[id].loop
    if let length = loop.knownLength { return length }
    return clock.view.signature(at: clock.view.beat(at: frame)).signature.barLength * loop.bars
  }

  /// Hits that wait for a loop that will not come round: the transport stopped.
  mutating func withdrawIntervals() {
    withdrawWaiting() { $0.place.delay > .zero }
  }
}

extension Moment {
  /// The frame that the player says it was hearing; nil where it says nothing.
  var heardFrame: Frames? { heard.map { RoomState.unwrap($0, near: arrival) } }
}
