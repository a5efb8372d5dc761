/// A region of an SFZ file, with what its headers say for it. It notes which opcodes were asked for.
struct SFZRegion {
  private let opcodes: [String: String]
  /// With the words of its `default_path`; nil where it has none, or is one of SFZ's own waveforms.
  let sample: String?
  /// The lowest and highest MIDI notes that it sounds at; nil where it sounds at none.
  let keys: ClosedRange<Int>?

  init(_ opcodes: [String: String]) {
    self.opcodes = opcodes
    let name = opcodes["sample"] ?? ""
    sample =
      name.isEmpty || name.hasPrefix("*") ? nil : SFZParser.path((opcodes["default_path"] ?? "") + name)
    let key = opcodes["key"].flatMap(Self.note)
    let low = opcodes["lokey"].flatMap(Self.note) ?? key ?? 0
    let high = opcodes["hikey"].flatMap(Self.note) ?? key ?? 127
    keys = low >= 0 && low <= high ? low...high : nil
  }

  func text(_ opcode: String) -> String? { opcodes[opcode] }

  func number(_ opcode: String) -> Double? { opcodes[opcode].flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil } }

  func number(_ opcode: String, in range: ClosedRange<Double>, else usual: Double) -> Double {
    min(max(number(opcode) ?? usual, range.lowerBound), range.upperBound)
  }

  /// Semitones by which the sample is moved at its lowest key.
  var pitch: Double {
    let tuning =
      number("transpose", in: -127...127, else: 0) + number("tune", in: -9_600...9_600, else: 0) / 100
      + number("pitch", in: -9_600...9_600, else: 0) / 100
    let track = number("pitch_keytrack", in: -1_200...1_200, else: 100)
    guard text("pitch_keycenter") != "sample", let low = keys?.lowerBound else { return tuning }
    let center = text("pitch_keycenter").flatMap(Self.note) ?? text("key").flatMap(Self.note) ?? 60
    return tuning + Double(low - center) * track / 100
  }

  /// dB.
  var gain: Double {
    let volume = number("volume", in: -144...48, else: 0) + number("gain", in: -144...48, else: 0)
    let amplitude = number("amplitude", in: 0.01...10_000, else: 100)
    return volume + ForgeMath.decibels(amplitude / 100)
  }

  /// Opcodes that a kit has no word for.
  var strangers: Set<String> { Set(opcodes.keys).subtracting(Self.known) }

  private static let known: Set = [
    "sample", "default_path", "key", "lokey", "hikey", "pitch_keycenter", "pitch_keytrack", "lovel", "hivel",
    "seq_length", "seq_position", "group", "off_by", "volume", "gain", "amplitude", "pan", "transpose", "tune", "pitch",
    "offset", "end", "loop_mode", "loopmode", "trigger", "note_polyphony", "region_label",
    "group_label", "master_label", "global_label", "lorand", "hirand",
  ]

  /// A MIDI note: a number, or a name where `c4` is 60.
  static func note(_ text: String) -> Int? {
    if let number = Int(text) { return (-1...127).contains(number) ? number : nil }
    var rest = text.lowercased()[...]
    let letters: [Character: Int] = ["c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11]
    guard let letter = rest.popFirst(), var semitone = letters[letter] else { return nil }
    if rest.first == "#" || rest.first == "b" { semitone += rest.removeFirst() == "#" ? 1 : -1 }
    guard let octave = Int(rest), (-1...9).contains(octave) else { return nil }
    let note = (octave + 1) * 12 + semitone
    return (0...127).contains(note) ? note : nil
  }
}
