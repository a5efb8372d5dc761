/// A progression that comes with the program, and the styles and moods that it suits.
public struct ShippedProgression: Hashable, Sendable {
  public enum Style: String, CaseIterable, Sendable {
    case pop, house, techno, trance
    case hipHop = "hip-hop"
    case soul, jazz, blues, reggae, latin, ambient, film

    public var word: String { rawValue }
  }

  public enum Mood: String, CaseIterable, Sendable {
    case happy, sad, dark, dreamy, tense

    public var word: String { rawValue }
  }

  public let progression: Progression
  public let style: Style
  public let mood: Mood
  public var name: String { progression.name }

  /// All names are different.
  public static let all: [ShippedProgression] = rows.compactMap { name, style, mood, text in
    guard let progression = try? Progression(name: name, text: text) else { return nil }
    return ShippedProgression(progression: progression, style: style, mood: mood)
  }

  static let rows: [(name: String, style: Style, mood: Mood, text: String)] = [
    ("Four chords", .pop, .happy, "I V vi IV"),
    ("Fifties", .pop, .happy, "I vi IV V"),
    ("Singer", .pop, .sad, "vi IV I V"),
    ("Canon", .pop, .dreamy, "I V vi iii IV I IV V"),
    ("Royal road", .pop, .dreamy, "IVmaj7 V7 iii7 vi7"),
    ("Goodbye", .pop, .sad, "I I/7 vi7 I/5 IVmaj7 iv6 I V7sus4:2 V7:2"),
    ("Sunday piano", .house, .happy, "ii7 iii7 IVmaj7 V7sus4"),
    ("Deep", .house, .dreamy, "i9 iv9 i9 v7"),
    ("Hands up", .house, .happy, "IV V vi vi7/5"),
    ("Basement", .house, .dark, "i7 bVI7 bVIImaj7:2 v7:2 i7"),
    ("Machine", .techno, .dark, "i:16 bII:8 i:8"),
    ("Warehouse", .techno, .tense, "i5:8 bIII5 bII5"),
    ("Sirens", .techno, .tense, "i:8 bVI/1 viidim7/1"),
    ("Sunrise", .trance, .happy, "vi IV I V/7"),
    ("Anthem", .trance, .sad, "i VI III VII"),
    ("Lift", .trance, .dreamy, "i v/b7 VI VIIsus4:2 VII:2"),
    ("Corner", .hipHop, .dark, "i7 iv7 i7 V7#9"),
    ("Night bus", .hipHop, .sad, "ii9 V13 Imaj9 vi9"),
    ("Dust", .hipHop, .dreamy, "IVmaj9 iii7 ii9 Imaj7"),
    ("Sunny side", .soul, .happy, "I iii7 IV V7sus4"),
    ("Slow dance", .soul, .dreamy, "Imaj9 VI7b9 ii9 V13"),
    ("Stand up", .soul, .tense, "i7:2 IV9:2 i7:2 V7#9:2"),
    ("Two five one", .jazz, .happy, "ii7 V7 Imaj7 Imaj7"),
    ("Minor two five one", .jazz, .dark, "iim7b5 V7b9 i6 i6"),
    ("Turnaround", .jazz, .happy, "Imaj7:2 vi7:2 ii7:2 V7:2"),
    ("Rhythm bridge", .jazz, .tense, "V7/vi:8 V7/ii:8 V7/V:8 V7:8"),
    ("Leaves", .jazz, .sad, "iv7 bVII7 bIIImaj7 bVImaj7 iim7b5 V7b9 i6 i6"),
    ("Twelve bars", .blues, .happy, "I7 IV7 I7 I7 IV7 IV7 I7 I7 V7 IV7 I7 V7"),
    ("Minor blues", .blues, .sad, "i7 i7 i7 i7 iv7 iv7 i7 i7 bVI7 V7 i7 V7"),
    ("Eight bars", .blues, .sad, "I7 V7 IV7 IV7 I7 V7 I7:2 IV7:2 I7:2 V7:2"),
    ("One drop", .reggae, .happy, "I IV I V"),
    ("Skank", .reggae, .dark, "i:8 iv v"),
    ("Dub", .reggae, .dreamy, "i7:8 bVIImaj7:8"),
    ("Andalusian", .latin, .dark, "i VII VI V7"),
    ("Montuno", .latin, .happy, "I:2 IV:2 V7:2 IV:2"),
    ("Bossa", .latin, .dreamy, "Imaj9 II9 ii9 bII7 Imaj9"),
    ("Tango", .latin, .tense, "i iv6 V7b9 i"),
    ("Drift", .ambient, .dreamy, "Iadd9:8 IVmaj9:8"),
    ("Fog", .ambient, .sad, "iadd9:8 bVImaj9:8 iv9:8 v7:8"),
    ("Horizon", .ambient, .happy, "Isus2:8 II/1:8 IVmaj7/1:8 I:8"),
    ("Hero", .film, .happy, "I bVI bVII I"),
    ("Loss", .film, .sad, "i VI/1 iv/1 i"),
    ("Stranger", .film, .dark, "i bvi i bII"),
    ("Stars", .film, .dreamy, "I bIII IV bVI"),
    ("Chase", .film, .tense, "i i/b7 bvi Vaug"),
    ("Wonder", .film, .dreamy, "I II bVII IV"),
  ]
}
