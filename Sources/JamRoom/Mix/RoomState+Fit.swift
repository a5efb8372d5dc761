internal import JamCore

extension PadState {
  /// A sound that is off by less from what its beats ask for stays as it is: 0.2 %.
  private static let slack = 0.002
  /// An outside clock is never quite steady: a sound is not made anew for less than 0.1 %.
  private static let clockSlack = 0.001

  /// How many times as long the sound must last to fill its beats; 1 where it follows no tempo.
  /// - Parameter isLoose: the tempo is an outside clock's.
  func fit(at bpm: Double, isLoose: Bool) -> Float {
    guard settings.beats > 0, let sound = plainSound?.layers.last?.sounds.first, sound.view.frameCount > 0,
      !sound.isAway
    else { return 1 }
    let frames = sound.view.frameCount
    let exact = PadFit.factor(beats: Double(settings.beats), seconds: Double(frames) / 48_000, bpm: bpm)
    // A loop repeats often: a frame is as much as may be missing.
    let slack = settings.mode == .loop ? 1 / Double(frames) : PadState.slack
    if abs(exact - 1) <= slack { return 1 }
    if isLoose, abs(exact / Double(fit) - 1) < PadState.clockSlack { return fit }
    return Float(exact)
  }
}

/// Sounds with known beats (`/pad/<n>/beats`) fill them at the room's tempo, once it is steady.
///
/// Fitting is no edit: it follows from beats and tempo. A score holds when each fitted sound came.
extension RoomState {
  mutating func fitOn(at now: Frames) {
    guard pulse.hasToFit else { return }
    let aligns = pulse.hasToAlign
    pulse.hasToFit = false
    pulse.hasToAlign = false
    fitPads(at: notBeforeAdvanced(now + RoomState.liveDelay), aligns: aligns)
  }

  /// Fits all pads to the steady tempo; loops come first, for each sound takes a moment to make.
  /// - Parameter aligns: running loops move to the clock's beats, even if their sounds stay.
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

  /// The old sound plays on until the new one is ready. If the sound fits already, its loop moves
  /// to the clock's place.
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
