internal import JamCore
internal import JamEngine

/// Players' mixes of their own: heard in their own streams alone. None of it is in the log.
extension RoomState {
  /// Sets how loud somebody is in the player's own streams.
  mutating func setMix(
    _ setting: Setting, to value: SettingValue, by id: PlayerID, at frame: Frames
  ) {
    var entry: MyMix.Entry
    switch (setting, value) {
    case (.mixGain(let name), .float(let gain)):
      entry = channels[id].mine[name]
      entry.gain = setting.row.kind.bounded(gain)
    case (.mixMute(let name), .bool(let isMuted)):
      entry = channels[id].mine[name]
      entry.isMuted = isMuted
    default: return
    }
    if let gone = channels[id].mine.change(to: entry) { mixAgain(gone, of: id, at: frame) }
    mixOnCues(of: id, entry.name, at: frame)
  }

  /// The player hears all as everybody does.
  mutating func levelMix(by id: PlayerID, at frame: Frames) {
    let names = channels[id].mine.entries.map(\.name)
    channels[id].mine.forgetAll()
    for name in names { mixAgain(name, of: id, at: frame) }
  }

  /// A visitor with the token of a player who left finds the mix again that this player had.
  mutating func bringMix(to id: PlayerID, of visitor: Visitor, at frame: Frames) {
    guard let mix = roster.known.mix(of: visitor), !mix.isEmpty, channels[id].mine.isEmpty else {
      return
    }
    channels[id].mine = mix
    for entry in mix.entries { mixAgain(entry.name, of: id, at: frame) }
  }

  /// Somebody has the place now, or another name: each cue has that bus as its player mixes it.
  mutating func mixBus(of id: PlayerID, at frame: Frames) {
    let name = roster[id].name
    for number in cues.places.indices {
      guard let listener = cues.places[number]?.player else { continue }
      tellCueGain(number, of: id, channels[listener].mine[name].factor, at: frame)
    }
    for listener in present where !channels[listener].mine[name].isLevel {
      tell(.mixGain(name), of: listener)
      tell(.mixMute(name), of: listener)
    }
  }

  /// The player's cues have everybody of that name as its mix says.
  private mutating func mixOnCues(of id: PlayerID, _ name: PlayerName, at frame: Frames) {
    guard let bus = roster.holder(of: name) else { return }
    let gain = channels[id].mine[name].factor
    for number in cues.places.indices where cues.places[number]?.player == id {
      tellCueGain(number, of: bus, gain, at: frame)
    }
  }

  /// The player hears that name otherwise than it knows.
  private mutating func mixAgain(_ name: PlayerName, of id: PlayerID, at frame: Frames) {
    mixOnCues(of: id, name, at: frame)
    tell(.mixGain(name), of: id)
    tell(.mixMute(name), of: id)
  }
}
