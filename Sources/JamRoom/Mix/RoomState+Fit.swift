internal import JamCore
internal import JamEngine

extension PadState {
  /// A sound that is off by less from what its beats ask for stays as it is: 0.2 %.
  private static let slack = 0.002
  /// An outside clock is never quite steady: a sound is not made anew for less than 0.1 %.
  private static let clockSlack = 0.001

  /// How many times as long the sound has to be made to last its beats; 1 where it follows no tempo.
  /// - Parameter isLoose: the tempo is an outside clock's.
  func fit(at bpm: Double, isLoose: Bool) -> Float {
    guard settings.beats > 0, let frames = plainSound?.layers.last?.sounds.first?.view.frameCount, frames > 0 else {
      return 1
    }
    let exact = PadFit.factor(beats: Double(settings.beats), seconds: Double(frames) / 48_000, bpm: bpm)
    // What goes round comes round often: there a frame is as much as may be missing.
    let slack = settings.mode == .loop ? 1 / Double(frames) : PadState.slack
    if abs(exact - 1) <= slack { return 1 }
    if isLoose, abs(exact / Double(fit) - 1) < PadState.clockSlack { return fit }
    return Float(exact)
  }
}

/// Sounds that know their beats (`/pad/<n>/beats`) last them at the room's tempo, once that has stood for a moment.
///
/// To fit a sound is no edit: it follows from the beats and the tempo. Its score holds when each fitted sound came in.
extension RoomState {
  mutating func fitOn(at now: Frames, _ effects: inout [Effect]) {
    guard pulse.hasToFit else { return }
    pulse.hasToFit = false
    fitPads(at: notBeforeAdvanced(now + RoomState.liveDelay), &effects)
  }

  /// All pads, to the tempo that stands.
  mutating func fitPads(at frame: Frames, _ effects: inout [Effect]) {
    let isLoose = clock.outside.source != nil
    for id in roster.occupied where roster.isHere(id) {
      for pad in Pad.all {
        let fit = roster[id][pad].fit(at: clock.steady.bpm, isLoose: isLoose)
        guard fit != roster[id][pad].fit else { continue }
        self.fit(pad, by: fit, of: id, at: frame, &effects)
      }
    }
  }

  /// What was made before plays on until the new sound is ready.
  mutating func fit(_ pad: Pad, by fit: Float, of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    roster[id][pad].fit = fit
    guard roster[id][pad].plainSound != nil else { return }
    roster[id][pad].stretchOrders += 1
    let beats = SettingValue.float(roster[id][pad].settings.beats)
    orderSound(.pad(.beats, pad), beats, on: pad, of: id, at: frame, &effects)
  }

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

  /// Beats are counted anew: nobody knows any more where what goes round began.
  mutating func forgetRounds() {
    for id in roster.occupied {
      for pad in Pad.all where roster[id][pad].isLooping { roster[id][pad].loop?.beat = nil }
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

/// A pad's loop that goes round.
struct RunningLoop: Equatable, Sendable {
  /// Of the press that started it.
  let number: UInt64
  let sample: SampleID
  let velocity: Velocity
  /// Where it began; nil where the clock stood then, or began anew since.
  var beat: Beats?

  /// How many beats one round takes.
  /// - Parameter beats: that the whole sound has by its settings: it may last half or twice as many, or four times.
  func round(of start: VoiceStart, beats: Double, bpm: Double) -> Double {
    let whole = Double(start.sample.frameCount)
    let measured = whole / 48_000 * bpm / 60
    guard beats > 0, measured > 0 else { return 0 }
    var lasting = beats
    while lasting < measured * 0.75 { lasting *= 2 }
    while lasting > measured * 1.5 { lasting /= 2 }
    return lasting * (whole - Double(start.startFrame)) / whole / Double(start.rate)
  }
}
