extension ChordType {
  /// The type by the text behind a root's name, in any of the ways in which musicians write it:
  /// `maj7`, `M7`, `Δ`.
  /// - Returns: nil for an unknown type.
  public init?(written text: some StringProtocol) {
    guard let type = ChordType.byWord[ChordType.plain(text)] else { return nil }
    self = type
  }

  /// Whether the third is minor; nil without a third.
  public var hasMinorThird: Bool? {
    intervals.contains(4) ? false : intervals.contains(3) ? true : nil
  }

  /// Removes parentheses, which mean nothing, and gives each sign one form.
  private static func plain(_ text: some StringProtocol) -> String {
    var plain = ""
    for letter in text {
      switch letter {
      case "(", ")": continue
      case "♭": plain += "b"
      case "♯": plain += "#"
      case "°", "º": plain += "dim"
      case "ø": plain += "h"
      case "Δ", "△": plain += text.last == letter ? "maj7" : "maj"
      default: plain.append(letter)
      }
    }
    return plain
  }

  private static let byWord: [String: ChordType] = {
    var table: [String: ChordType] = [:]
    for type in allCases {
      for word in [type.suffix] + type.otherWords { table[plain(word)] = type }
    }
    return table
  }()

  private var otherWords: [String] {
    switch self {
    case .major: ["maj", "M", "major"]
    case .minor: ["min", "mi", "minor"]
    case .diminished: ["o", "mb5"]
    case .augmented: ["+", "#5"]
    case .suspended2: []
    case .suspended4: ["sus"]
    case .major7: ["M7", "ma7", "Δ", "major7"]
    case .dominant7: ["dom7"]
    case .minor7: ["min7", "mi7"]
    case .diminished7: ["o7"]
    case .halfDiminished: ["ø", "ø7", "min7b5"]
    case .power: []
    case .sixth: ["maj6", "M6"]
    case .minor6: ["min6", "mi6"]
    case .added9: ["add2", "2"]
    case .minorAdded9: ["madd2", "minadd9"]
    case .minorMajor7: ["mM7", "mmaj7", "minmaj7"]
    case .suspended7: ["7sus"]
    case .augmented7: ["aug7", "+7", "7+5"]
    case .ninth: ["dom9"]
    case .major9: ["M9", "ma9", "Δ9"]
    case .minor9: ["min9", "mi9"]
    case .sixNine: ["69", "6add9"]
    case .flatNine: ["7-9"]
    case .sharpNine: ["7+9"]
    case .eleventh: ["dom11"]
    case .minor11: ["min11", "mi11"]
    case .thirteenth: ["dom13"]
    case .major13: ["M13", "ma13"]
    }
  }
}
