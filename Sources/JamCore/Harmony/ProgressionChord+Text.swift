extension ProgressionChord.Numeral {
  private static let words = ["I", "II", "III", "IV", "V", "VI", "VII"]

  /// Removes a numeral from the beginning of `text`: a sign, and letters that are all capitals or
  /// all small.
  init?(takenFrom text: inout Substring) {
    var rest = text
    let sign = NoteName.takeSign(from: &rest)
    // Longer words first, because VII begins with VI and with V.
    for number in [7, 3, 2, 4, 6, 5, 1] {
      let word = Self.words[number - 1]
      for (form, isMinor) in [(word, false), (word.lowercased(), true)] where rest.hasPrefix(form) {
        text = rest.dropFirst(form.count)
        self.init(number: number, sign: sign, isMinor: isMinor)
        return
      }
    }
    return nil
  }

  var text: String {
    let word = Self.words[number - 1]
    return NoteName.text(ofSign: sign) + (isMinor ? word.lowercased() : word)
  }
}

extension ProgressionChord {
  private static let degrees = 1...7

  /// A chord's text up to its slash.
  /// - Returns: nil for a text that is not a chord.
  init?(head: Substring) {
    var rest = head
    if let note = NoteName(takenFrom: &rest) {
      guard let type = ChordType(written: rest) else { return nil }
      self.init(root: .note(note), quality: .type(type))
    } else if let numeral = Numeral(takenFrom: &rest) {
      guard let (type, isMinor) = ProgressionChord.type(rest, isMinor: numeral.isMinor) else { return nil }
      let written = Numeral(number: numeral.number, sign: numeral.sign, isMinor: isMinor)
      self.init(root: .numeral(written, of: nil), quality: .type(type))
    } else if let degree = ProgressionChord.takeDegree(from: &rest), degree.sign == 0 {
      self.init(root: .degree(degree.number), quality: .ofScale(count: 3))
      switch rest {
      case "": break
      case "7": quality = .ofScale(count: 4)
      case "9": quality = .ofScale(count: 5)
      default:
        // `16` and `164` are more likely digits with forgotten spaces than chords.
        guard rest.first?.isNumber == false, let type = ChordType(written: rest) else { return nil }
        quality = .type(type)
      }
    } else {
      return nil
    }
  }

  /// The text behind the root, for a message about an unknown type; nil where the text has no root.
  static func rest(behindRootOf text: Substring) -> String? {
    var rest = text
    guard NoteName(takenFrom: &rest) != nil || Numeral(takenFrom: &rest) != nil || takeDegree(from: &rest)?.sign == 0
    else { return nil }
    return String(rest)
  }

  /// - Returns: whether the text is a bass, or the other chord of a numeral.
  mutating func take(behindSlash text: Substring) -> Bool {
    var rest = text
    switch root {
    case .note:
      guard let note = NoteName(takenFrom: &rest) else { return false }
      bass = .note(note)
    case .numeral(let numeral, _):
      if let other = Numeral(takenFrom: &rest) {
        root = .numeral(numeral, of: other)
      } else {
        guard let degree = ProgressionChord.takeDegree(from: &rest) else { return false }
        bass = .degree(degree.number, sign: degree.sign)
      }
    case .degree:
      guard let degree = ProgressionChord.takeDegree(from: &rest) else { return false }
      bass = .degree(degree.number, sign: degree.sign)
    }
    return rest.isEmpty
  }

  private static func takeDegree(from text: inout Substring) -> (number: Int, sign: Int)? {
    var rest = text
    let sign = NoteName.takeSign(from: &rest)
    guard let number = rest.first?.wholeNumberValue, degrees.contains(number) else { return nil }
    text = rest.dropFirst()
    return (number, sign)
  }

  /// A numeral's type. Small letters replace the m of m7, and make the third minor in a type
  /// without a third of its own.
  /// - Returns: the type, and whether the numeral is written in small letters; nil for an unknown
  ///   type.
  private static func type(_ text: Substring, isMinor: Bool) -> (ChordType, isMinor: Bool)? {
    let type = isMinor ? ChordType(written: "m" + text) ?? ChordType(written: text) : ChordType(written: text)
    guard let type else { return nil }
    guard let hasMinorThird = type.hasMinorThird else { return (type, isMinor) }
    guard hasMinorThird || !isMinor else { return nil }
    return (type, hasMinorThird)
  }

  // MARK: Written

  /// The text that a player could type, without the chord's length.
  public var text: String {
    let head =
      switch (root, quality) {
      case (.note(let note), .type(let type)): note.text + type.suffix
      case (.numeral(let numeral, let other), .type(let type)):
        numeral.text + ProgressionChord.suffix(type, isMinor: numeral.isMinor) + (other.map { "/" + $0.text } ?? "")
      case (.degree(let number), .type(let type)): "\(number)" + ProgressionChord.wordBehindDigit(type)
      case (.degree(let number), .ofScale(let count)): "\(number)" + (count == 4 ? "7" : count == 5 ? "9" : "")
      case (.note(let note), .ofScale): note.text
      case (.numeral(let numeral, _), .ofScale): numeral.text
      }
    let low =
      switch bass {
      case nil: ""
      case .note(let note): "/" + note.text
      case .degree(let number, let sign): "/" + NoteName.text(ofSign: sign) + "\(number)"
      }
    return head + low + (inversion.map { "^\($0)" } ?? "")
  }

  /// A digit needs a word between itself and the type's own digit, because `16` would look like two
  /// degrees.
  private static func wordBehindDigit(_ type: ChordType) -> String {
    switch type {
    case .major: "maj"
    case .sixth: "maj6"
    default: (type.suffix.first?.isNumber == true ? "dom" : "") + type.suffix
    }
  }

  private static func suffix(_ type: ChordType, isMinor: Bool) -> String {
    guard isMinor, type.hasMinorThird != nil else { return type.suffix }
    switch type {
    case .minor: return ""
    case .halfDiminished: return "m7b5"
    case .minorAdded9: return "add9"
    case .minorMajor7: return "maj7"
    // `dim` keeps its name, and `m7` loses its m.
    default: return type.suffix.hasPrefix("m") ? String(type.suffix.dropFirst()) : type.suffix
    }
  }
}
