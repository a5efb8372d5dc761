internal import JamCore
internal import JamEngine

/// The sounds of a kept room's hits. A first reading notes the wanted ones; a second has them.
final class KeptSounds {
  private(set) var wanted: Set<VoicedSound> = []
  private let pads: [VoicedSound: PlayablePad]
  /// The player whose hits are read: they sound on its bus.
  var player = PlayerID(index: 0)
  /// The place in the room's beats that its new clock begins at.
  var barLine = Beats.zero
  /// The sound of the player's hits, by their numbers, for the log.
  private(set) var definitions: [Int: VoicedHit] = [:]
  /// The least and the greatest number of a hit.
  private(set) var numbers = (least: 0, greatest: 0)

  init(_ pads: [VoicedSound: PlayablePad] = [:]) { self.pads = pads }

  func begin(_ player: PlayerID) {
    self.player = player
    definitions = [:]
  }

  /// Stand-ins for sounds that are not here, by their marks.
  private var away: [Int64: PlayableSound] = [:]

  private func away(_ mark: Int64) -> PlayableSound {
    if let sound = away[mark] { return sound }
    let sound = PlayableSound(awayWith: mark)
    away[mark] = sound
    return sound
  }

  /// - Returns: nil in a first reading, which has no sounds.
  func hit(_ kept: KeptHit) -> LoopHit? {
    wanted.insert(kept.voicing.sound)
    numbers = (min(numbers.least, kept.sequence), max(numbers.greatest, kept.sequence))
    guard let pad = pads[kept.voicing.sound] else { return nil }
    let hit = VoicedHit(kept, on: pad)
    definitions[kept.sequence] = VoicedHit(
      position: .zero, velocity: hit.velocity, length: nil, voicing: hit.voicing, turn: hit.turn)
    let sounding = pad.isAway ? PlayablePad(away(kept.mark)) : pad
    return LoopHit(hit, sounding, number: UInt64(clamping: kept.sequence), by: player)
  }
}

extension LoopHit {
  /// A hit that sounds with the player's bus, by its number.
  init(_ hit: VoicedHit, _ pad: PlayablePad, number: UInt64, by player: PlayerID) {
    let choice = pad.choose(hit.velocity, turn: hit.turn)
    self.init(
      position: hit.position, length: hit.length, sequence: UInt32(truncatingIfNeeded: number),
      velocity: hit.velocity,
      start: RoomState.start(
        of: choice, hit.voicing.pad, hit.velocity, hit.voicing.settings, by: player, number: number),
      sound: choice.sound, voicing: hit.voicing, isStep: hit.isStep, moves: hit.moves)
  }

  init(_ kept: KeptHit, _ pad: PlayablePad, by player: PlayerID) {
    self.init(VoicedHit(kept, on: pad), pad, number: UInt64(clamping: kept.sequence), by: player)
  }
}

extension VoicedHit {
  /// A kept hit. In its turn `pad` plays the sound that the hit played before.
  fileprivate init(_ kept: KeptHit, on pad: PlayablePad) {
    self.init(
      position: kept.position, velocity: kept.velocity, length: kept.length, voicing: kept.voicing,
      turn: pad.turn(of: kept.mark, kept.velocity), isStep: kept.isStep, moves: kept.moves)
  }
}

extension PlayablePad {
  /// The first turn in which a hit plays the sound of that mark; 0 where none does. A hit that was
  /// kept while its sound was away says its turn, which may be any: that of a hit that its client
  /// sounds itself is the hit's number.
  fileprivate func turn(of mark: Int64, _ velocity: Velocity) -> Int {
    if isAway, mark < 0 { return Int(~mark) }
    let asked = mark < 0 ? choose(velocity, turn: Int(~mark)).sound : nil
    let turns = layers.map(\.sounds.count).max() ?? 1
    return (0..<turns).first {
      let sound = choose(velocity, turn: $0).sound
      return asked.map { $0 === sound } ?? (sound.mark == mark)
    } ?? 0
  }
}
