internal import JamCore
internal import JamEngine

/// The sound of a build-up beside the tempo, sent ahead of its frame as rolls are; and its reports.
///
/// All of it is logged as it is sent: a score needs only to repeat it.
extension RoomState {
  /// Of the riser, when a build-up is ended at once: 40 ms.
  static let letGo = Frames(1_920)

  /// Does what is due at `now`.
  mutating func buildUpOn(at now: Frames) {
    guard let next = clock.buildUps.next, next <= now else { return }
    if var running = clock.buildUps.outgoing, let limit = clock.buildUps.current?.start {
      roll(&running, before: limit, at: now)
      rise(&running, before: limit, at: now)
      dropOn(&running, at: now)
      clock.buildUps.outgoing = running
    }
    if var running = clock.buildUps.current {
      roll(&running, before: running.drop, at: now)
      rise(&running, before: running.drop, at: now)
      dropOn(&running, at: now)
      clock.buildUps.current = running
    }
    while let bar = clock.buildUps.takeBar(until: now, clock.view) { tellBuildUp(at: bar) }
    clock.planBuildUps()
  }

  // MARK: The roll

  private mutating func roll(_ running: inout BuildUp, before limit: Beats?, at now: Frames) {
    let silence = clock.buildUps.parts.silence ? running.drop.map { BuildUp.hushBeat(before: $0, clock.view) } : nil
    while let (line, frame) = running.takeLine(before: limit, until: now, clock.view, swing: clock.swing) {
      // A stalled thread does not catch up on missed hits in a burst.
      guard clock.buildUps.parts.roll, frame >= now, silence.map({ line < $0 }) ?? true, let id = running.player,
        let pad = rollPad(of: id)
      else { continue }
      strike(pad, running.velocity(at: line), by: id, at: frame)
    }
  }

  /// The log has it as a player's hit; but no loop takes it down.
  private mutating func strike(_ pad: Pad, _ velocity: Velocity, by id: PlayerID, at frame: Frames) {
    if hands[id][pad].isLooping {
      endLoop(pad, velocity, by: id, at: frame)
    } else {
      sound(pad, velocity, by: id, at: frame, isLive: false, isPlayed: false)
    }
  }

  private func rollPad(of id: PlayerID) -> Pad? {
    Pad(clock.buildUps.parts.pad) ?? pad(of: id, ["snare", "clap", "tom", "percussion"])
  }

  private func pad(of id: PlayerID, _ categories: [String]) -> Pad? {
    for category in categories {
      if let pad = Pad.all.first(where: { hands[id][$0].description?.category == category }) {
        return pad
      }
    }
    return nil
  }

  // MARK: The riser

  /// Beat by beat, straight in between.
  private mutating func rise(_ running: inout BuildUp, before limit: Beats?, at now: Frames) {
    while let (frame, next) = running.takeRise(before: limit, until: now, clock.view) {
      let end = clock.view.frame(at: next)
      if let drop = running.drop, frame >= BuildUp.homeFrame(before: drop, clock.view) { continue }
      guard clock.buildUps.parts.riser, end > now else { continue }
      clock.buildUps.isRisen = true
      commitRise(Float(running.rise(at: next)), over: end - frame, at: frame)
    }
  }

  private mutating func commitRise(_ amount: Float, over length: Frames, at frame: Frames) {
    guard let name = conductor else { return }
    commitRise(amount, frames: Int(length.count), as: name, at: frame)
  }

  mutating func commitRise(_ amount: Float, frames: Int, as name: PlayerName, at frame: Frames) {
    commit(
      .command(.rise(amount, frames: frames)), as: name, at: frame,
      engine: .riser(amount, frames: Int32(clamping: frames)))
  }

  /// The riser lets go of the mix.
  mutating func home(at frame: Frames, over length: Frames) {
    guard clock.buildUps.isRisen else { return }
    clock.buildUps.isRisen = false
    commitRise(0, over: length, at: frame)
    noteRetuned(at: frame + length)
  }

  mutating func unhush(at frame: Frames) {
    guard clock.buildUps.isHushed else { return }
    hush(false, at: frame)
  }

  private mutating func hush(_ isHushed: Bool, at frame: Frames) {
    guard let name = conductor else { return }
    clock.buildUps.isHushed = isHushed
    commitHush(isHushed, as: name, at: frame)
  }

  mutating func commitHush(_ isHushed: Bool, as name: PlayerName, at frame: Frames) {
    commit(.command(.hush(isHushed)), as: name, at: frame, engine: .hush(isHushed))
  }

  /// The log names the player who ordered the build-up, or anybody who is there.
  private var conductor: PlayerName? {
    (clock.buildUps.current?.player.flatMap { roster.here($0) } ?? roster.people.first)?.name
  }

  // MARK: The drop

  private mutating func dropOn(_ running: inout BuildUp, at now: Frames) {
    guard let drop = running.drop else { return }
    let ahead = now + HitQueue.ahead
    let line = clock.view.frame(at: drop)
    let home = BuildUp.homeFrame(before: drop, clock.view)
    // A drop that was ordered within its beat is silent from the order on.
    let silence = max(BuildUp.hushFrame(before: drop, clock.view), now + RoomState.liveDelay)
    if clock.buildUps.parts.silence, !running.isHushSent, silence <= ahead {
      running.isHushSent = true
      if silence + BuildUp.letGoBeforeDrop < home { hush(true, at: silence) }
    }
    if !running.isHome, home <= ahead {
      running.isHome = true
      self.home(at: home, over: BuildUp.letGoBeforeDrop)
      unhush(at: home)
    }
    if !running.isImpactSent, line <= ahead {
      running.isImpactSent = true
      guard clock.buildUps.parts.impact, line >= now, let id = running.player,
        let pad = pad(of: id, ["impact", "cymbal", "kick"])
      else { return }
      strike(pad, .full, by: id, at: line)
    }
  }
}
