internal import JamCore
internal import JamEngine
internal import JamRealtime

/// Catching: what a player just played becomes a layer, though nothing was recorded.
extension RoomState {
  func checkCatch(by id: PlayerID, at frame: Frames) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    let (loop, hits) = (loopers[id].loop, loopers[id].played.hits)
    guard loop.pass == nil else { throw .catchWhileRecording }
    guard hits.contains(where: { $0.frame <= frame }) else { throw .nothingToCatch }
    guard loop.layerCount < limits.layersPerLoop else {
      throw .loopFull(layers: limits.layersPerLoop)
    }
    if !clock.isPlaying { try checkPlay(by: id) }
  }

  mutating func catchPlayed(by id: PlayerID, at moment: Moment) {
    let frame = effectFrame(moment)
    guard loopers[id].loop.pass == nil,
      let number = loopers[id].loop.freeLayer(most: limits.layersPerLoop),
      var phrase = phrase(of: id, at: frame)
    else { return }
    if loopers[id].loop.waitsForTap { loopers[id].loop.forgetWaiting() }
    // In silence the first hit of the phrase is the first beat.
    let isFree = isSilent(for: id, at: frame)
    if isFree {
      restart(by: id, at: moment)
      phrase.move(phrase.line)
    }
    layDown(phrase, as: number, isFree: isFree, of: id, at: frame)
    commit(.command(.catchPlayed), by: id, at: frame)
    tellLoop(of: id)
    planLoop(of: id)
  }

  /// The phrase that was just played, cut to the present loop or to a new one.
  private func phrase(of id: PlayerID, at frame: Frames) -> Phrase? {
    let (view, loop) = (clock.view, loopers[id].loop)
    let played = loopers[id].played.hits.filter { $0.frame <= frame }
    guard let last = played.last else { return nil }
    let bar = view.signature(at: last.beat(view)).signature.barLength
    guard var phrase = Phrase(played, bar: bar, view) else { return nil }
    if loop.isLengthFixed, loop.length > .zero {
      phrase.fit(round: loop.length)
    } else {
      let line = view.barLine(atOrBefore: phrase.line + Loop.earlyBeats)
      let lengths = Set([1, 2, 4, loop.bars]).sorted()
      let isFree = isSilent(for: id, at: frame)
      phrase.fit(lengths: lengths, bar: bar, from: isFree ? phrase.line : line)
    }
    return phrase
  }

  /// Makes a layer of the phrase, and the loop where there is none.
  /// - Parameter isFree: the count begins with the phrase.
  private mutating func layDown(
    _ phrase: Phrase, as number: Int, isFree: Bool, of id: PlayerID, at frame: Frames
  ) {
    let (view, before) = (clock.view, LoopEdit(loopers[id].loop))
    let isNew = phrase.bars > 0
    let line = isFree ? .zero : view.barLine(atOrBefore: phrase.line + Loop.earlyBeats)
    let bar = view.signature(at: line).signature.barLength
    loopers[id].loop.prepare(bars: phrase.bars, bar: bar, from: line)
    let places = phrase.places(
      loopers[id].recordingGrid, view, swing: clock.swing, isBegin: isNew || isFree)
    let length = loopers[id].loop.length
    var hits: [LoopHit] = []
    for (hit, place) in zip(phrase.hits, places) {
      guard var new = voiced(hit.played, of: id, at: frame) else { continue }
      new.position = loopers[id].loop.position(of: place)
      new.length = new.start.isGated ? min(hit.played.held(until: frame, view), length) : nil
      hits.place(new)
    }
    let now = isFree ? .zero : view.beat(at: frame)
    let wasUnrecorded = loopers[id].loop.isUnrecorded
    loopers[id].loop[number] = Layer(tracks: [Track(hits: hits, length: length)], begin: now)
    loopers[id].loop.setPlaying(true)
    let loop = loopers[id].loop
    let edit: Edit = wasUnrecorded ? .loop(before, LoopEdit(loop)) : .layer(number, nil, loop[number])
    remember(edit, of: id, at: frame)
    let away = hits.filter(\.sound.isAway)
    loopers[id].played.forgetAll()
    guard !away.isEmpty else { return }
    order(away.map { VoicedHit(silent: $0) }, for: .back, of: id, at: frame)
  }

  /// A hit as it sounded, under a number of its own: the log says how it sounds, also to a take
  /// that began since. Its place and its length are not known yet.
  /// - Returns: nil where the pad is empty by now.
  mutating func voiced(_ played: PlayedHit, of id: PlayerID, at frame: Frames) -> LoopHit? {
    let (pad, fixed) = (played.pad, played.voicing.map { loopers[id].played.voicings[Int($0)] })
    let voicing = fixed ?? voicing(of: pad, of: id)
    var sound = hands.read(pad, of: id) { $0.sound }
    if fixed != nil { sound = self.sound(of: voicing.sound) ?? .away(turn: Int(played.turn)) }
    guard let sound else { return nil }
    commit(.command(.define(voicing, played.velocity, turn: Int(played.turn))), by: id, at: frame)
    let hit = VoicedHit(
      position: .zero, velocity: played.velocity, length: nil, voicing: voicing,
      turn: Int(played.turn))
    return LoopHit(hit, sound, number: session.tally.sequence, by: id)
  }
}

extension VoicedHit {
  /// The order for the sound of a hit, which is not in memory.
  fileprivate init(silent hit: LoopHit) {
    self.init(position: .zero, velocity: hit.velocity, length: nil, voicing: hit.voicing, turn: 0)
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
