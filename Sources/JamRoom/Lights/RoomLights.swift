internal import JamCore

/// The room's lights, and the numbers that go with them.
struct RoomLights: Equatable, Sendable {
  /// 0 is none.
  var waitingScene: Int
  var launchedScene: Int
  var buildUp: BuildUpState
  /// Somebody started the take that is being recorded.
  var isTakeStarted: Bool
  /// The tempo as it sounds, in beats per minute.
  var tempo: Float
  /// Bars until the drop.
  var bars: Int32

  /// No `init`: an initialiser owns its arguments, and would copy all of them at each look.
  @inline(__always) static func of(
    _ clock: Clock, _ scenes: SceneBook, _ session: Session, at now: Frames
  ) -> RoomLights {
    RoomLights(
      waitingScene: scenes.waiting?.number ?? 0, launchedScene: scenes.launched,
      buildUp: clock.buildUps.told?.state ?? .none,
      isTakeStarted: session.isTakeStarted && !session.take.isEmpty,
      tempo: Float(clock.view.tempo(at: clock.view.beat(at: now)).beatsPerMinute),
      bars: Int32(clamping: clock.buildUps.told?.barsLeft ?? 0))
  }

  /// - Returns: off for a light of a player's.
  func glow(of light: Light) -> Glow {
    switch light {
    case .scene(let number):
      // One that is launched again stays on up to its bar line.
      number == launchedScene ? .on : number == waitingScene ? .waiting : .off
    case .buildUp: buildUp == .none ? .off : buildUp == .waiting ? .waiting : .on
    case .drop: buildUp == .dropping ? .waiting : .off
    case .take: isTakeStarted ? .on : .off
    case .loop, .lane, .kit, .instrument, .catchPlayed, .groove: .off
    }
  }

  /// The settings that differ from those of `old`.
  func changed(from old: RoomLights) -> [Setting] {
    let lights = Light.ofRoom.filter { glow(of: $0) != old.glow(of: $0) }.map { Setting.light($0) }
    return lights + (tempo != old.tempo ? [.soundingTempo] : [])
      + (bars != old.bars ? [.buildUpBars] : [])
  }

  func settingValue(of setting: Setting) -> SettingValue? {
    switch setting {
    case .light(let light): light.isOfRoom ? .float(glow(of: light).number) : nil
    case .soundingTempo: .float(tempo)
    case .buildUpBars: .integer(bars)
    default: nil
    }
  }
}
