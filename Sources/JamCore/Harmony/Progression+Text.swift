/// The text form of a progression, as players type it and files hold it: `I V vi IV`, `ii7 V7
/// Imaj7`, `1 5 6 4`, `C Am F G`. See Protocol/chords.md.
extension Progression {
  /// Why a text is not a progression. A place counts the chords from 1.
  public enum Fault: Error, Hashable, Sendable {
    case empty
    case tooMany(most: Int)
    case tooLong(most: Int)
    /// The text begins with neither a degree, a numeral nor a note.
    case notAChord(String, place: Int)
    /// The root is known, but the text behind the root is not.
    case unknownType(String, of: String, place: Int)
    case badBass(String, of: String, place: Int)
    case badInversion(String, of: String, place: Int)
    /// The beats are out of range, or not a number.
    case badLength(String, of: String, place: Int)
    /// Degrees follow the key, and notes do not. A progression has only degrees or only notes.
    case degreesAndNotes(_ degree: String, _ note: String)
    /// `%` repeats the chord before it, but there is no chord before it.
    case nothingToRepeat(place: Int)
    /// The chords of a bar together are longer than the bar. Bars count from 1.
    case barOverfull(Int)
  }

  /// The largest number of characters in a text.
  public static let mostCharacters = 1024

  /// - Parameters:
  ///   - text: chords with spaces, commas or hyphens between them. Bar lines share a bar's beats
  ///     among its chords.
  ///   - beatsPerBar: the length of a chord, or of all chords of a bar together, where the text
  ///     names no length.
  public init(name: String, text: String, beatsPerBar: Int = 4) throws(Fault) {
    guard text.unicodeScalars.count <= Progression.mostCharacters else {
      throw .tooLong(most: Progression.mostCharacters)
    }
    let bar = Beats(min(max(1, beatsPerBar), 64))
    let hasBars = text.contains("|")
    var chords: [ProgressionChord] = []
    for (index, part) in text.split(separator: "|").enumerated() {
      var inBar: [(chord: ProgressionChord, hasLength: Bool)] = []
      for word in part.split(whereSeparator: Progression.separates) {
        let place = chords.count + inBar.count + 1
        guard place <= Progression.most else { throw .tooMany(most: Progression.most) }
        inBar.append(try Progression.chord(word, place: place, before: inBar.last?.chord ?? chords.last))
      }
      if hasBars {
        try Progression.share(bar, among: &inBar, number: index + 1)
      } else {
        for place in inBar.indices where !inBar[place].hasLength { inBar[place].chord.length = bar }
      }
      chords += inBar.map(\.chord)
    }
    guard let first = chords.first else { throw .empty }
    if let other = chords.first(where: { $0.isRelative != first.isRelative }) {
      let (degree, note) = first.isRelative ? (first, other) : (other, first)
      throw .degreesAndNotes(degree.text, note.text)
    }
    self.init(name: name, chords: chords)
  }

  /// The text that a player could type, and that files hold. Reading the text gives the same
  /// progression again.
  public var text: String {
    chords.map { chord in
      chord.text + (chord.length == Beats(4) ? "" : ":" + Progression.text(of: chord.length))
    }.joined(separator: " ")
  }

  private static func separates(_ character: Character) -> Bool {
    character.isWhitespace || ",;-–—→>".contains(character)
  }

  /// Divides the beats that are left in a bar equally among the chords without a length of their
  /// own.
  private static func share(
    _ bar: Beats, among chords: inout [(chord: ProgressionChord, hasLength: Bool)], number: Int
  ) throws(Fault) {
    let open = chords.indices.filter { !chords[$0].hasLength }
    guard !open.isEmpty else { return }
    let rest = chords.reduce(bar) { $1.hasLength ? $0 - $1.chord.length : $0 }.microBeats
    let share = rest / Int64(open.count)
    guard share >= ProgressionChord.lengths.lowerBound.microBeats else { throw .barOverfull(number) }
    for place in open { chords[place].chord.length = Beats(microBeats: share) }
    // The last chord takes the remainder of the division.
    if let last = open.last { chords[last].chord.length += Beats(microBeats: rest - share * Int64(open.count)) }
  }

  // MARK: A chord

  private static func chord(
    _ word: Substring, place: Int, before: ProgressionChord?
  ) throws(Fault) -> (chord: ProgressionChord, hasLength: Bool) {
    let whole = String(word)
    var text = word
    var length: Beats?
    if let colon = text.firstIndex(of: ":") {
      let written = text[text.index(after: colon)...]
      guard let beats = beats(written), ProgressionChord.lengths.contains(beats) else {
        throw .badLength(String(written), of: whole, place: place)
      }
      length = beats
      text = text[..<colon]
    }
    if text == "%" {
      guard var again = before else { throw .nothingToRepeat(place: place) }
      again.length = length ?? Beats(4)
      return (again, length != nil)
    }
    var inversion: Int?
    if let mark = text.firstIndex(of: "^") {
      let written = text[text.index(after: mark)...]
      guard let number = Int(written), ProgressionChord.inversions.contains(number) else {
        throw .badInversion(String(written), of: whole, place: place)
      }
      inversion = number
      text = text[..<mark]
    }
    // The slash of 6/9 does not begin a bass.
    text = Substring(text.replacing("6/9", with: "69", maxReplacements: 1))
    var behind: Substring?
    if let slash = text.firstIndex(of: "/") {
      behind = text[text.index(after: slash)...]
      text = text[..<slash]
    }
    guard var chord = ProgressionChord(head: text) else {
      guard let type = ProgressionChord.rest(behindRootOf: text) else { throw .notAChord(whole, place: place) }
      throw .unknownType(type, of: whole, place: place)
    }
    if let behind {
      guard chord.take(behindSlash: behind) else { throw .badBass(String(behind), of: whole, place: place) }
    }
    if let inversion {
      if case .type(let type) = chord.quality, inversion >= type.intervals.count {
        throw .badInversion(String(inversion), of: whole, place: place)
      }
      if case .ofScale(let count) = chord.quality, inversion >= count {
        throw .badInversion(String(inversion), of: whole, place: place)
      }
    }
    chord.inversion = inversion
    chord.length = length ?? Beats(4)
    return (chord, length != nil)
  }

  /// A number with at most six digits after its point.
  private static func beats(_ text: Substring) -> Beats? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : "0"
    guard let whole = parts.first, (1...2).contains(whole.count), (1...6).contains(fraction.count),
      (whole + fraction).unicodeScalars.allSatisfy({ ("0"..."9").contains($0) }),
      let count = Int64(whole), let digits = Int64(fraction)
    else { return nil }
    let places = (0..<(6 - fraction.count)).reduce(Int64(1)) { power, _ in power * 10 }
    return Beats(microBeats: count * 1_000_000 + digits * places)
  }

  private static func text(of length: Beats) -> String {
    let (whole, rest) = length.microBeats.quotientAndRemainder(dividingBy: 1_000_000)
    guard rest > 0 else { return "\(whole)" }
    var digits = String(rest + 1_000_000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}
