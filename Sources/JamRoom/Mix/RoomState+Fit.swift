internal import JamCore

extension PadState {
  /// A sound that is off by less from what its beats ask for stays as it is: 0.2 %.
  private static let slack = 0.002
  /// An outside clock is never quite steady: a sound is not made anew for less than 0.1 %.
  private static let clockSlack = 0.001

  /// How many times as long the sound has to be made to last its beats; 1 where it follows no tempo.
  /// - Parameter isLoose: the tempo is an outside clock's.
  func fit(at bpm: Double, isLoose: Bool) -> Float {
    guard settings.beats > 0, let sound = plainSound?.layers.last?.sounds.first, sound.view.frameCount > 0,
      !sound.isAway
    else { return 1 }
    let frames = sound.view.frameCount
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
  mutating func fitOn(at now: Frames) {
    guard pulse.hasToFit else { return }
    let aligns = pulse.hasToAlign
    pulse.hasToFit = false
    pulse.hasToAlign = false
    fitPads(at: notBeforeAdvanced(now + RoomState.liveDelay), aligns: aligns)
  }

  /// All pads, to the tempo that stands: those first that go round, for each sound takes a moment to make.
  /// - Parameter aligns: loops that go round are put where the clock's beats are, though their sounds stay.
  mutating func fitPads(at frame: Frames, aligns: Bool = false) {
    let isLoose = clock.outside.source != nil
    for isLooping in [true, false] {
      for id in roster.occupied where roster.isHere(id) {
        for pad in Pad.all where hands[id][pad].isLooping == isLooping {
          let state = hands[id][pad]
          let fit = state.fit(at: clock.steady.bpm, isLoose: isLoose)
          guard fit != state.fit || aligns && fit == state.heardFit else { continue }
          self.fit(pad, by: fit, of: id, at: frame)
        }
      }
    }
  }

  /// What was made before plays on until the new sound is ready.
  /// Where it fits already, what goes round is put where the clock is.
  mutating func fit(_ pad: Pad, by fit: Float, of id: PlayerID, at frame: Frames) {
    guard fit != hands[id][pad].fit || fit != hands[id][pad].heardFit else {
      return align(pad, of: id, at: frame)
    }
    hands[id][pad].fit = fit
    guard hands[id][pad].plainSound != nil else { return }
    let beats = SettingValue.float(hands[id][pad].settings.beats)
    orderSound(.pad(.beats, pad), beats, on: pad, of: id, at: frame)
  }
}
