internal import JamCore
internal import JamEngine

/// The room's pitch, filter and macros, which are played by hand, and the players who hold them.
extension RoomState {
  /// The player has moved the control, and holds it until it is at rest.
  mutating func hold(_ control: PlayedControl, by id: PlayerID) {
    setHolder(of: control, to: isAtRest(control) ? nil : roster[id].name)
  }

  /// Macros spring back at once when the connection of the thumb that holds them is lost.
  mutating func letGoOfMacros(of id: PlayerID, at frame: Frames) {
    guard !mix.holds.isPinned else { return }
    for control in mix.holds.controls(of: roster[id].name) where control.isMacro {
      write(control.setting, to: .float(0), of: id, at: frame)
      tell(control.setting, of: id)
      setHolder(of: control, to: nil)
    }
  }

  /// The player leaves: its controls return to rest a bar later, but where they are pinned.
  mutating func leaveControls(of id: PlayerID, at frame: Frames) {
    let controls = mix.holds.controls(of: roster[id].name)
    guard !controls.isEmpty else { return }
    let beat = clock.view.beat(at: frame)
    let bar = clock.view.signature(at: beat).signature.barLength
    for control in controls {
      if mix.holds.isPinned {
        setHolder(of: control, to: nil)
      } else {
        mix.holds.spring(control, at: max(clock.view.frame(at: beat + bar), frame))
      }
    }
  }

  /// A player who was kept beyond the process's end never came. Its controls stay: after a restart
  /// nothing moves by itself.
  mutating func forgetControls(of id: PlayerID) {
    for control in mix.holds.controls(of: roster[id].name) { setHolder(of: control, to: nil) }
  }

  /// Controls whose players left a bar ago return to rest.
  mutating func springOn(at now: Frames) {
    let due = now + RoomState.liveDelay
    for (control, player) in mix.holds.take(until: due) {
      if !mix.holds.isPinned, let before = roomValue(of: control.setting), before != .float(0) {
        let frame = notBeforeAdvanced(due)
        rest(control, as: player, at: frame)
        // Nobody's edit: a host can bring it back.
        remember(control.setting, before, .float(0), at: frame, by: nil, isOwn: false)
        outbox.append(.tell(.value(control.setting, .float(0)), .everybody))
      }
      tellHolder(of: control)
    }
  }

  /// The control returns to rest, in log and engine, too. Its player is gone.
  mutating func rest(_ control: PlayedControl, as player: PlayerName, at frame: Frames) {
    guard case .mix(let row)? = RoomRow.of(control.setting),
      row.write?(&mix, .float(0)) == true
    else { return }
    // The command is the whole room's: it does not depend on a player.
    let engine = row.engine?(mix, PlayerID(index: 0))
    commit(.command(.set(control.setting, .float(0))), as: player, at: frame, engine: engine)
    if control == .pitch { noteRetuned(at: frame) }
  }

  /// Controls that something else than a hand has set: those at rest are nobody's.
  mutating func settleHolds() {
    for control in PlayedControl.allCases where isAtRest(control) {
      setHolder(of: control, to: nil)
    }
  }

  /// Its controls are a player's under another name.
  mutating func renameHolder(_ old: PlayerName, to new: PlayerName) {
    for control in mix.holds.rename(old, to: new) { tellHolder(of: control) }
  }

  private mutating func setHolder(of control: PlayedControl, to player: PlayerName?) {
    if mix.holds.set(control, to: player) { tellHolder(of: control) }
  }

  private mutating func tellHolder(of control: PlayedControl) {
    let name = mix.holds.player(of: control)?.text ?? ""
    outbox.append(.tell(.value(.holder(control), .text(name)), .everybody))
  }

  private func isAtRest(_ control: PlayedControl) -> Bool {
    switch control {
    case .pitch: mix.pitch == 0
    case .modulation: mix.modulation == 0
    case .throwMacro: mix.effects.throwMacro == 0
    case .washMacro: mix.effects.washMacro == 0
    case .cutMacro: mix.effects.cutMacro == 0
    case .crushMacro: mix.effects.crushMacro == 0
    }
  }
}
