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
      default: false
      }
    default: false
    }
  }
}
