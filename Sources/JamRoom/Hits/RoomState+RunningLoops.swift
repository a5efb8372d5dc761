internal import JamCore
internal import JamEngine

/// Loops of pads and players follow another tempo, if their sounds' beats are known.
extension RoomState {
  /// Whether the sound of the hit's pad follows the tempo. Inlined: each note of a loop asks, and for
  /// a call that only reads, Swift copies the room.
  @inline(__always) func mayFit(_ hit: LoopHit, by id: PlayerID) -> Bool {
    !hit.voicing.pad.isKey && hands[id].pads[hit.voicing.pad.index].settings.beats > 0
  }

  /// A hit of a pad that `mayFit`, with its sound as that follows the tempo now. A loop, a step or a
  /// block holds it.
  func fitted(_ hit: LoopHit, by id: PlayerID) -> LoopHit {
    let pad = hit.voicing.pad
    let state = hands[id].pads[pad.index]
    guard state.sample == hit.voicing.sample,
      state.heardStretch.quality == hit.voicing.settings.stretchQuality,
      let layers = state.sound?.layers, layers.count == 1, layers[0].sounds.count == 1
    else { return hit }
    let ratio = state.soundedSettings.stretch / hit.voicing.settings.stretch
    guard abs(ratio - 1) > 0.000_1 else { return hit }
    var fitted = hit
    fitted.sound = layers[0].sounds[0]
    fitted.start.sample = fitted.sound.view
    fitted.start.use = fitted.sound.use
    fitted.start.startFrame = Int32(saturating: Float(hit.start.startFrame) * ratio)
    fitted.start.decayFrames = Int32(saturating: Float(hit.start.decayFrames) * ratio)
    return fitted
  }

  /// The pad's running loop moves to the clock's place.
  mutating func align(_ pad: Pad, of id: PlayerID, at frame: Frames) {
    guard let voice = follower(on: pad, of: id, at: frame) else { return }
    commitFit(pad, voice, of: id, at: frame)
  }

  /// The pitch of all that sounds is another, by hand or by a build-up.
  mutating func noteRetuned(at frame: Frames) {
    for id in roster.occupied {
      for pad in Pad.all where hands[id][pad].isLooping { hands[id][pad].press.loop?.isAstray = true }
    }
    pulse.retuned = frame
  }

  /// The pad's loop takes over its transposition.
  mutating func noteTransposed(_ pad: Pad, of id: PlayerID, at frame: Frames) {
    let transpose = hands[id][pad].settings.transpose
    guard let loop = hands[id][pad].press.loop, loop.transpose != transpose else { return }
    hands[id][pad].press.loop?.transpose = transpose
    hands[id][pad].press.loop?.isAstray = true
    pulse.retuned = frame
  }

  /// Loops at their own pitch again, or in octaves of it, move to the clock's place, once the pitch
  /// has stood for a moment.
  mutating func bringBackAstray(at now: Frames) {
    guard let retuned = pulse.retuned, now - retuned >= SteadyTempo.patience else { return }
    pulse.retuned = nil
    guard mix.pitch == 0, !clock.buildUps.isRisen else { return }
    let frame = notBeforeAdvanced(now + RoomState.liveDelay)
    for id in roster.occupied where roster.isHere(id) {
      for pad in Pad.all {
        guard let loop = hands[id][pad].press.loop, loop.isAstray, loop.isInTime else { continue }
        hands[id][pad].press.loop?.isAstray = false
        align(pad, of: id, at: frame)
      }
    }
  }

  /// The line of the log that tells the fit that is heard, with what takes a loop's place by it.
  mutating func commitFit(
    _ pad: Pad, _ voice: StartedVoice?, of id: PlayerID, at frame: Frames
  ) {
    commit(
      .command(.fit(pad, hands[id][pad].heardFit)), by: id, at: frame,
      engine: voice.map { .start($0.start) }, reads: voice?.sound)
  }

  /// Beats are counted anew: what goes round counts as begun with the first of them, and where an
  /// outside clock was is not known.
  mutating func countRoundsAnew() {
    clock.outside.follower.place = nil
    for id in roster.occupied {
      for pad in Pad.all where hands[id][pad].isLooping { hands[id][pad].press.loop?.beat = .zero }
    }
  }

  /// The voice that replaces the pad's loop: the pad's present sound, from the clock's place on.
  /// - Returns: nil where nothing of this sound goes round, or where no clock says how far it is.
  func follower(on pad: Pad, of id: PlayerID, at frame: Frames) -> StartedVoice? {
    let state = hands[id][pad]
    guard clock.isPlaying, let loop = state.press.loop, let begin = loop.beat, loop.sample == state.sample,
      state.settings.mode == .loop, let choice = state.sound?.choose(loop.velocity, turn: 0)
    else { return nil }
    let settings = state.hitSettings
    let number = loop.own.chance(else: loop.number)
    var start = start(of: choice, pad, loop.velocity, settings, by: id, number: number)
    start.isOwn = loop.own.isOwn
    let now = clock.view.beat(at: frame)
    let bpm = clock.view.tempo(at: now).beatsPerMinute
    let beats = Double(state.settings.beats * state.heardStretch.factor)
    let round = loop.round(of: start, beats: beats, bpm: bpm)
    guard round > 0 else { return nil }
    let rounds = (now - begin).value / round
    let length = Int64(start.sample.frameCount) - Int64(start.startFrame)
    let entry = Int64(saturating: ((rounds - rounds.rounded(.down)) * Double(length)).rounded())
    start.entryFrame = Int32(truncatingIfNeeded: max(1, entry < length ? entry : 1))
    return StartedVoice(start: start, sound: choice.sound)
  }
}
