internal import JamKit

extension FieldReader {
  /// A single number for the whole time, or a list of `[milliseconds, value]` in order of time.
  mutating func envelope(_ field: String, _ scale: Envelope.Scale, in range: ClosedRange<Double>) -> Envelope? {
    guard let value = value(field) else { return nil }
    if case .number = value {
      return number(field, in: range).map { Envelope(scale, constant: $0) }
    }
    let expected =
      "a number or a list of [ms, value] in order of time, values \(legible(range.lowerBound))…"
      + legible(range.upperBound)
    guard case .array(let list) = value else {
      report(field, .wrongType(expected: expected, found: value.kind))
      return nil
    }
    var points: [Envelope.Point] = []
    for item in list {
      guard let numbers = item.numbers, numbers.count == 2, numbers[0] >= points.last?.milliseconds ?? 0,
        numbers[0] <= 60_000, range.contains(numbers[1])
      else { break }
      points.append(.init(milliseconds: numbers[0], value: numbers[1]))
    }
    guard !points.isEmpty, points.count == list.count else {
      report(field, .wrongType(expected: expected, found: "wrong at point \(points.count + 1)"))
      return nil
    }
    return Envelope(scale, points)
  }

  /// One pitch or a list of them, each in hertz or as a note: `C4` is middle C, `F#2`, `Bb1`.
  mutating func notes(_ field: String) -> [Double]? {
    guard let value = value(field) else { return nil }
    let items: [JSONValue] = if case .array(let list) = value { list } else { [value] }
    let pitches = items.compactMap { item -> Double? in
      switch item {
      case .number(let hertz) where (5...20_000).contains(hertz): hertz
      case .string(let name): Self.hertz(ofNote: name)
      default: nil
      }
    }
    guard !pitches.isEmpty, pitches.count == items.count, pitches.count <= 16 else {
      report(field, .wrongType(expected: "hertz (5…20000) or notes as \"C4\", 16 at most", found: "something else"))
      return nil
    }
    return pitches
  }

  /// The frequency of a note in equal temperament, A4 at 440 Hz.
  static func hertz(ofNote name: String) -> Double? {
    var rest = Substring(name)
    let letters: [Character: Int] = ["C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11]
    guard let letter = rest.popFirst(), var semitone = letters[letter] else { return nil }
    if rest.first == "#" || rest.first == "b" { semitone += rest.removeFirst() == "#" ? 1 : -1 }
    guard let octave = Int(rest), (-1...9).contains(octave) else { return nil }
    return 440 * PortableMath.ratio(semitones: Double(semitone + (octave - 4) * 12 - 9))
  }
}

extension JSONValue {
  /// The values of a list of numbers; nil for anything else.
  var numbers: [Double]? {
    guard case .array(let items) = self else { return nil }
    let numbers = items.compactMap { if case .number(let number) = $0 { number } else { nil as Double? } }
    return numbers.count == items.count ? numbers : nil
  }
}
