/// What somebody in a room may do.
public enum Role: String, CaseIterable, Sendable {
  /// Everything, and what only hosts may do.
  case host
  /// Plays.
  case player
  /// Hears and reads.
  case listener

  public var word: String { rawValue }
}

extension Command {
  /// Whether a listener may ask for it: it changes nothing that others hear.
  public var isForListeners: Bool {
    switch self {
    case .listSteps, .listRoomSteps: true
    case .read, .readAll, .listKits, .listInstruments, .listProgressions, .previewInstrument, .listSamples, .listBlocks,
      .listHits, .listNotes, .chat, .listChat, .becomeHost, .leave,
      .preview,
      .previewSample, .previewBlock, .panic:
      true
    case .project(.list), .project(.listVersions), .take(.list), .search: true
    // The button that was down when a host made one a listener comes up.
    case .release, .cancel: true
    case .set(let setting, _), .toggle(let setting):
      switch setting {
      case .role, .roleOf, .latency, .metronome, .metronomeGain: true
      default: false
      }
    default: false
    }
  }
}
