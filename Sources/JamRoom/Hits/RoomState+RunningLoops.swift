internal import JamCore
internal import JamEngine

/// How what goes round on pads and in loops follows another tempo, where its sound knows its beats.
extension RoomState {
  /// A hit that a loop, a step or a block holds: where its pad's sound follows the tempo, it has that sound as it is now.
  func fitted(_ hit: LoopHit, by id: PlayerID) -> LoopHit {
    guard !hit.voicing.pad.isKey else { return hit }
    let state = roster[id][hit.voicing.pad]
    guard state.settings.beats > 0, state.sample == hit.voicing.sample,
      state.heardStretch.quality == hit.voicing.settings.stretchQuality,
      let layers = state.sound?.layers, layers.count == 1, layers[0].sounds.count == 1
    else { return hit }
    let ratio = state.heardSettings.fitted(by: state.heardFit).stretch / hit.voicing.settings.stretch
    guard abs(ratio - 1) > 0.000_1 else { return hit }
    var fitted = hit
    fitted.sound = layers[0].sounds[0]
    fitted.start.sample = fitted.sound.view
    fitted.start.use = fitted.sound.use
    fitted.start.startFrame = Int32(saturating: Float(hit.start.startFrame) * ratio)
    fitted.start.decayFrames = Int32(saturating: Float(hit.start.decayFrames) * ratio)
    return fitted
  }

  /// What goes round on the pad goes on where the clock is. Its line in the log tells the fit that it has.
  mutating func align(_ pad: Pad, of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    guard let voice = takeOver(pad, of: id, at: frame) else { return }
    commit(
      .command(.fit(pad, roster[id][pad].heardFit)), by: roster[id].name, at: frame, engine: .start(voice.start),
      reads: voice.sound, &effects)
  }

  /// Beats are counted anew: what goes round counts as begun with the first of them.
  mutating func forgetRounds() {
    for id in roster.occupied {
      for pad in Pad.all where roster[id][pad].isLooping { roster[id][pad].loop?.beat = .zero }
    }
  }

  /// What goes round on the pad goes on with the sound that the pad has now, at the place where the clock is.
  /// - Returns: nil where nothing of this sound goes round, or where no clock says how far it is.
  func takeOver(_ pad: Pad, of id: PlayerID, at frame: Frames) -> StartedVoice? {
    let state = roster[id][pad]
    guard clock.isPlaying, let loop = state.loop, let begin = loop.beat, loop.sample == state.sample,
      state.settings.mode == .loop, let choice = state.sound?.choose(loop.velocity, turn: 0)
    else { return nil }
    let settings = state.settings.fitted(by: state.heardFit)
    var start = start(of: choice, pad, loop.velocity, settings, by: id, number: loop.number)
    let now = clock.view.beat(at: frame)
    let bpm = clock.view.tempo(at: now).beatsPerMinute
    let round = loop.round(of: start, beats: Double(state.settings.beats * state.settings.stretch), bpm: bpm)
    guard round > 0 else { return nil }
    let rounds = (now - begin).value / round
    let length = Int64(start.sample.frameCount) - Int64(start.startFrame)
    let entry = Int64(saturating: ((rounds - rounds.rounded(.down)) * Double(length)).rounded())
    start.entryFrame = Int32(truncatingIfNeeded: max(1, entry < length ? entry : 1))
    return StartedVoice(start: start, sound: choice.sound)
  }
}
