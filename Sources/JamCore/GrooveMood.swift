/// The mood of a groove that the room makes.
public enum GrooveMood: String, CaseIterable, Sendable {
  case any, happy, sad, dark, dreamy, tense

  public var word: String { rawValue }

  /// The mood of the progressions to choose from; nil takes all.
  public var ofProgressions: ShippedProgression.Mood? {
    switch self {
    case .any: nil
    case .happy: .happy
    case .sad: .sad
    case .dark: .dark
    case .dreamy: .dreamy
    case .tense: .tense
    }
  }
}
