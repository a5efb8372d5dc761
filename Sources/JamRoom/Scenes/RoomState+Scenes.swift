internal import JamCore
internal import JamEngine

/// Scenes: what plays now is kept, and played again from a bar line on, for everybody at once.
///
/// Keeping a scene is an edit of the room. Launching, as playing, is none: all music stays there.
extension RoomState {
  /// The loops and lanes that play now, or will from the next bar line on, of all who have any.
  func sceneThatPlays() -> Scene? {
    let parts = players.compactMap { Scene.Part(of: $0) }
    return parts.isEmpty ? nil : Scene(parts.sorted { $0.player.text < $1.player.text })
  }

  func checkKeepScene() throws(Refusal) {
    if sceneThatPlays() == nil { throw .nothingForScene }
  }

  func checkSetScene(_ setting: Setting, to value: SettingValue, by id: PlayerID) throws(Refusal) {
    try SceneBook.check(setting, value, limits)
    try roster.requireUnlocked(.loops, id)
  }

  func checkLaunchScene(_ number: Int, by id: PlayerID) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    guard library.scenes[number].scene != nil else { throw .sceneEmpty(number) }
    if !clock.isPlaying { try checkPlay(by: id) }
  }

  /// On the next bar line. A transport that stands starts, at bar 1.
  mutating func launchScene(_ number: Int, by id: PlayerID, at moment: Moment) {
    play(by: id, at: moment)
    let frame = effectFrame(moment)
    let line = clock.barLine(atOrAfter: frame)
    library.scenes.waiting = WaitingScene(number: number, player: id, line: line)
    commit(.command(.launchScene(number)), by: id, at: frame)
    tell(.sceneWaiting, of: id)
  }

  mutating func sceneOn(at now: Frames) {
    guard clock.isPlaying, let waiting = library.scenes.waiting, waiting.deadline(clock.view) <= now
    else { return }
    let frame = clock.view.frame(at: waiting.line)
    library.scenes.waiting = nil
    // The music of before sounds up to the line.
    playLoops(at: now, until: frame - Frames(1))
    tell(.sceneWaiting, of: waiting.player)
    let mayLaunch = !roster.isHere(waiting.player) || roster.isUnlocked(.loops, waiting.player)
    guard mayLaunch, let scene = library.scenes[waiting.number].scene else { return }
    launch(scene, on: waiting.line, at: notBeforeAdvanced(frame))
    library.scenes.launched = waiting.number
    tell(.sceneLaunched, of: waiting.player)
  }

  private mutating func launch(_ scene: Scene, on line: Beats, at frame: Frames) {
    for part in scene.parts {
      guard let id = roster.holder(of: part.player) else { continue }
      launchLoop(part, of: id, on: line)
      for number in loopers[id].lanes.indices.map({ $0 + 1 }) {
        launchLane(number, part.lanes[number], of: id, on: line, at: frame)
      }
      if write(.mute, to: .bool(part.isMuted), of: id, at: frame) { tell(.mute, of: id) }
      for pad in Pad.all where hands[id][pad].settings.mute != part.mutedPads.contains(pad) {
        let setting = Setting.pad(.mute, pad)
        _ = setPad(setting, to: .bool(part.mutedPads.contains(pad)), by: id, at: frame)
        tell(setting, of: id)
      }
      planLoop(of: id)
      tellLoop(of: id)
    }
  }

  /// A pass under way, or waiting for the line, is left alone: nobody's recording is cut off.
  private mutating func launchLoop(_ part: Scene.Part, of id: PlayerID, on line: Beats) {
    guard !loopers[id].loop.isBusy, !loopers[id].loop.isEmpty else { return }
    loopers[id].loop.mute(part.mutedLayers, at: line)
    if loopers[id].loop.isPlaying != part.loops { begin(part.loops ? .play : .stop, of: id, at: line) }
  }

  private mutating func launchLane(
    _ number: Int, _ action: LaneAction?, of id: PlayerID, on line: Beats, at frame: Frames
  ) {
    guard !loopers[id].lanes[number - 1].isEmpty else { return }
    let isOther = loopers[id].lanes[number - 1].launch(action, on: line)
    if action == nil, loopers[id].focus?.lane == number { endFocus(of: id, at: frame) }
    if isOther { tellLane(number, of: id) }
  }
}

extension Scene.Part {
  /// Nil where there is nothing that could play.
  fileprivate init?(of player: Player) {
    guard !player.looper.loop.isEmpty || player.looper.lanes.contains(where: { !$0.isEmpty }) else { return nil }
    self.init(player: player.name)
    isMuted = player.channel.isMuted
    mutedPads = Set(Pad.all.filter { player.hands[$0].settings.mute })
    loops = !player.looper.loop.isEmpty && player.looper.loop.willPlay
    mutedLayers = Set(
      player.looper.loop.layers.indices.filter { player.looper.loop.layers[$0]?.isMutedByPlayer == true }
        .map { $0 + 1 })
    for (index, lane) in player.looper.lanes.enumerated() where !lane.isEmpty { lanes[index + 1] = lane.playing }
  }
}

extension Loop {
  /// Whether it goes round, or is to from the next bar line on.
  fileprivate var willPlay: Bool {
    switch waiting?.action {
    case .stop, .clear: false
    case .play, .record, .overdub: true
    case nil: isPlaying
    }
  }
}
