internal import JamCore
internal import JamEngine
internal import JamRealtime

/// Catching: what a player just played becomes a layer, though nothing was recorded.
extension RoomState {
  func checkCatch(by id: PlayerID, at frame: Frames) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    let looper = loopers[id]
    guard looper.loop.pass == nil else { throw .catchWhileRecording }
    guard looper.hasPlayed(until: frame) else { throw .nothingToCatch }
    guard looper.loop.layerCount < limits.layersPerLoop else {
      throw .loopFull(layers: limits.layersPerLoop)
    }
    if !clock.isPlaying { try checkPlay(by: id) }
  }

  mutating func catchPlayed(by id: PlayerID, at moment: Moment) {
    let (frame, looper) = (effectFrame(moment), loopers[id])
    let isFree = isSilent(for: id, at: frame)
    guard looper.loop.pass == nil,
      let number = looper.loop.freeLayer(most: limits.layersPerLoop),
      var phrase = looper.phrase(until: frame, clock.view, isFree: isFree)
    else { return }
    // In silence the first hit of the phrase is the first beat.
    if isFree {
      restart(by: id, at: moment)
      phrase.move(phrase.line)
    }
    layDown(phrase, as: number, isFree: isFree, of: id, at: frame)
    commit(.command(.catchPlayed), by: id, at: frame)
    tellLoop(of: id)
    planLoop(of: id)
  }

  /// Makes a layer of the phrase, and the loop where there is none.
  /// - Parameter isFree: the count begins with the phrase.
  private mutating func layDown(
    _ phrase: Phrase, as number: Int, isFree: Bool, of id: PlayerID, at frame: Frames
  ) {
    let view = clock.view
    let line = isFree ? .zero : view.barLine(atOrBefore: phrase.line + Loop.earlyBeats)
    var looper = loopers[id]
    let bar = view.signature(at: line).signature.barLength
    looper.loop.prepare(bars: phrase.bars, bar: bar, from: line)
    let places = phrase.places(
      looper.recordingGrid, view, swing: clock.swing, isBegin: isFree || phrase.bars > 0)
    var hits: [LoopHit] = []
    for (hit, place) in zip(phrase.hits, places).suffix(limits.hitsPerLayer) {
      guard var new = voiced(hit.played, of: id, at: frame) else { continue }
      new.position = looper.loop.position(of: place)
      let held = min(hit.played.held(until: frame, view), looper.loop.length)
      new.length = new.start.isGated ? held : nil
      hits.place(new)
    }
    guard !hits.isEmpty else { return }
    let now = isFree ? .zero : view.beat(at: frame)
    let edit = loopers[id].layDown(hits, as: number, in: looper.loop, from: now)
    remember(edit, of: id, at: frame)
    let away = hits.filter(\.sound.isAway).map { VoicedHit(silent: $0) }
    if !away.isEmpty { order(away, for: .back, of: id, at: frame) }
  }

  /// A hit as it sounded, under a number of its own: the log says how it sounds, also to a take
  /// that began since. Its place and its length are not known yet.
  /// - Returns: nil where the pad is empty by now, and was not changed before that.
  mutating func voiced(_ played: PlayedHit, of id: PlayerID, at frame: Frames) -> LoopHit? {
    let turn = Int(played.turn)
    let fixed = loopers[id].played.sound(of: played)
    let voicing = fixed?.voicing ?? voicing(of: played.pad, of: id)
    var sound = hands.read(played.pad, of: id) { $0.sound }
    if let fixed { sound = fixed.sound ?? self.sound(of: voicing.sound) ?? .away(turn: turn) }
    guard let sound else { return nil }
    commit(.command(.define(voicing, played.velocity, turn: turn)), by: id, at: frame)
    let hit = VoicedHit(
      position: .zero, velocity: played.velocity, length: nil, voicing: voicing, turn: turn)
    return LoopHit(hit, sound, number: session.tally.sequence, by: id)
  }
}

extension VoicedHit {
  /// The order for the sound of a hit, which is not in memory.
  fileprivate init(silent hit: LoopHit) {
    self.init(
      position: .zero, velocity: hit.velocity, length: nil, voicing: hit.voicing, turn: 0)
  }
}

extension Looper {
  /// Whether its player hit something that sounded up to `frame`, and that no layer has.
  fileprivate func hasPlayed(until frame: Frames) -> Bool {
    played.hits.contains { $0.frame <= frame }
  }

  /// The phrase that was just played, cut to the present loop or to a new one.
  /// - Parameter isFree: a new loop begins with the first hit, and not on a bar line.
  fileprivate func phrase(until frame: Frames, _ view: TempoMapView, isFree: Bool) -> Phrase? {
    let hits = played.hits.filter { $0.frame <= frame }
    guard let last = hits.last else { return nil }
    let bar = view.signature(at: last.beat(view)).signature.barLength
    guard var phrase = Phrase(hits, bar: bar, view) else { return nil }
    if loop.isLengthFixed, loop.length > .zero {
      phrase.fit(round: loop.length)
    } else {
      let line = view.barLine(atOrBefore: phrase.line + Loop.earlyBeats)
      let lengths = Set([1, 2, 4, loop.bars]).sorted()
      phrase.fit(lengths: lengths, bar: bar, from: isFree ? phrase.line : line)
    }
    return phrase
  }

  /// Puts caught hits in as a layer, and forgets them as hits to catch.
  /// - Parameter ready: the loop with the length and the beginning for it.
  fileprivate mutating func layDown(
    _ hits: [LoopHit], as number: Int, in ready: Loop, from now: Beats
  ) -> Edit {
    let (before, isFirst) = (LoopEdit(loop), loop.isUnrecorded)
    loop = ready
    if loop.waitsForTap { loop.forgetWaiting() }
    loop[number] = Layer(tracks: [Track(hits: hits, length: loop.length)], begin: now)
    loop.setPlaying(true)
    played.forgetAll()
    return isFirst ? .loop(before, LoopEdit(loop)) : .layer(number, nil, loop[number])
  }
}

extension Loop {
  /// Gives a new loop its length, and a standing one its beginning, for a caught layer.
  /// - Parameters:
  ///   - bars: of a new loop; 0 is the present loop.
  ///   - line: the bar line on which the loop begins, unless it goes round.
  fileprivate mutating func prepare(bars: Int, bar: Beats, from line: Beats) {
    if bars > 0 {
      // Steps go on as they are.
      if isEmpty { origin = line }
      recordedBars = bars
      length = bar * bars
    } else if !isPlaying {
      origin = line
    }
  }
}
