internal import JamCore

/// The room's lights, and the numbers that go with them.
struct RoomLights: Equatable, Sendable {
  /// 0 is none.
  var waitingScene = 0
  var launchedScene = 0
  var buildUp = BuildUpState.none
  /// Somebody started the take that is being recorded.
  var isTakeStarted = false
  /// The tempo as it sounds, in beats per minute.
  var tempo: Float
  /// Bars until the drop.
  var bars: Int32 = 0

  /// - Returns: off for a light of a player's.
  func glow(of light: Light) -> Glow {
    switch light {
    case .scene(let number): number == waitingScene ? .waiting : number == launchedScene ? .on : .off
    case .buildUp: buildUp == .none ? .off : buildUp == .waiting ? .waiting : .on
    case .drop: buildUp == .dropping ? .waiting : .off
    case .take: isTakeStarted ? .on : .off
    case .loop, .lane, .kit, .instrument: .off
    }
  }

  /// The settings that differ from those of `old`.
  func changed(from old: RoomLights) -> [Setting] {
    let lights = Light.ofRoom.filter { glow(of: $0) != old.glow(of: $0) }.map { Setting.light($0) }
    return lights + (tempo != old.tempo ? [.soundingTempo] : []) + (bars != old.bars ? [.buildUpBars] : [])
  }

  func value(of setting: Setting) -> SettingValue? {
    switch setting {
    case .light(let light): Light.ofRoom.contains(light) ? .float(glow(of: light).number) : nil
    case .soundingTempo: .float(tempo)
    case .buildUpBars: .integer(bars)
    default: nil
    }
  }
}
