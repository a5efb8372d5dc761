/// The rights of a player in a room.
public enum Role: String, CaseIterable, Sendable {
  /// Has all rights, those of hosts included.
  case host
  /// Plays.
  case player
  /// Hears and reads only.
  case listener

  public var word: String { rawValue }
}

extension Command {
  /// Whether a listener may use the command. Such a command does not change the sound for other
  /// players.
  public var isForListeners: Bool {
    switch self {
    case .listSteps, .listRoomSteps: true
    case .levelMix, .react: true
    case .read, .readAll, .listKits, .listInstruments, .listProgressions, .previewInstrument, .listSamples, .listBlocks,
      .listHits, .listNotes, .chat, .listChat, .becomeHost, .leave,
      .preview,
      .previewSample, .previewBlock, .panic:
      true
    case .project(.list), .project(.listVersions), .take(.list), .search: true
    // A host may make a player a listener while a button is down. The button's release must still
    // work.
    case .release, .cancel: true
    case .set(let setting, _), .toggle(let setting):
      switch setting {
      case .role, .roleOf, .ofSeat(_, .roleOf), .latency, .metronome, .metronomeGain: true
      case .mixGain, .mixMute: true
      default: false
      }
    default: false
    }
  }

  /// Whether a newcomer may use the command while it waits at the door. Such a command changes
  /// nothing that others hear or share: the newcomer's own sound, and what it plays by hand.
  public var isForNewcomers: Bool {
    switch self {
    case .hit, .strike, .pressChord, .keyHeight, .keyBend, .resetPad, .chooseKit, .tuneKit,
      .browseInstruments,
      .browseSample, .effectsOff, .undo, .redo, .groupEdits:
      true
    // A chat line is how a newcomer asks to be let in.
    case .set(let setting, _), .toggle(let setting): isForListeners || setting.isOfOwnSound
    default: isForListeners
    }
  }

  /// Whether it starts a sound by hand.
  public var isPlayed: Bool {
    switch self {
    case .hit, .strike, .pressChord: true
    default: false
    }
  }
}

extension Setting {
  /// Whether it shapes the player's own sound alone, and starts nothing that goes on by itself.
  fileprivate var isOfOwnSound: Bool {
    switch self {
    case .step, .steps, .padSteps, .laneSlot, .layerMute, .layerGain, .tempoVote, .progressionOn,
      .groove,
      .roleOf, .admitted,
      .takenBack:
      false
    default: row.scope == .pad || row.scope == .player || row.scope == .session
    }
  }
}
