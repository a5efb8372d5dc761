internal import JamCore
internal import JamKit

/// A region of an SFZ file, with the opcodes of its headers. It records which opcodes were read.
struct SFZRegion {
  private let opcodes: [String: String]
  /// With its `default_path` in front; nil where the region has no sample, or one of SFZ's own
  /// waveforms.
  let sample: String?
  /// The lowest and highest MIDI notes at which it sounds; nil where it sounds at none.
  let keys: ClosedRange<Int>?
  /// The semitones by which its file moves all keys.
  private let shift: Int
  /// The reason why it never sounds, or cannot sound as written; nil where there is none.
  let objection: String?

  init(_ opcodes: [String: String]) {
    self.opcodes = opcodes
    let name = opcodes["sample"] ?? ""
    let folder = (opcodes["prefix_sfz_path"] ?? "") + (opcodes["default_path"] ?? "")
    sample = name.isEmpty || name.hasPrefix("*") ? nil : SFZParser.path(folder + name)
    // These opcodes move the notes: the written notes are lower or higher than the sounding ones.
    let octaves = Self.number("octave_offset", opcodes) ?? 0
    let notes = Self.number("note_offset", opcodes) ?? 0
    let shift = Int(saturating: min(max(12 * octaves + notes, -127), 127).rounded())
    self.shift = shift
    let key = opcodes["key"].flatMap(Self.note)
    let low = opcodes["lokey"].flatMap(Self.note) ?? key
    let high = opcodes["hikey"].flatMap(Self.note) ?? key
    let badKey = ["key", "lokey", "hikey"].first { name in opcodes[name].map { Self.note($0) == nil } ?? false }
    let emptiness = Self.emptiness(opcodes, keys: low ?? 0, high ?? 127)
    let (lowest, highest) = (
      max(0, (low ?? 0) + (low == nil ? 0 : shift)), min(127, (high ?? 127) + (high == nil ? 0 : shift))
    )
    // -1 has a special meaning in SFZ: no key at all.
    let hasKeys = badKey == nil && low ?? 0 >= 0 && high ?? 0 >= 0 && lowest <= highest
    // In order: checked first.
    keys = hasKeys ? lowest...highest : nil
    objection =
      badKey.map {
        "left out: its \(Self.shown($0, opcodes)) is no key; write 0–127, or a note from c-1 to g9"
      } ?? emptiness ?? (hasKeys ? nil : "left out: moved by \(shift) semitones it sounds at no key")
  }

  /// The reason why the region never sounds.
  private static func emptiness(_ opcodes: [String: String], keys low: Int, _ high: Int) -> String? {
    // -1 has a special meaning in SFZ: no key at all.
    if low < 0 || high < 0 { return "left out: it sounds at no key" }
    if low > high { return "left out: its lowest key, \(low), is above its highest, \(high)" }
    let softest = number("lovel", opcodes) ?? 0
    let loudest = number("hivel", opcodes) ?? 127
    if softest > loudest {
      return "left out: its \(shown("lovel", opcodes)) is above its hivel=\(legible(loudest)), so it never sounds"
    }
    if opcodes["end"] == "-1" { return "left out: its end=-1 says that it never sounds" }
    return nil
  }

  private static func shown(_ opcode: String, _ opcodes: [String: String]) -> String {
    "\(opcode)=\(PadName.safe(opcodes[opcode] ?? "", atMost: 32, otherwise: "?", keepingSlashes: true))"
  }

  /// The faults of its values, and how each is read.
  var faults: [String] {
    var faults: [String] = []
    for (opcode, (range, usual)) in Self.numbers.sorted(by: { $0.key < $1.key }) where opcodes[opcode] != nil {
      guard let value = number(opcode) else {
        faults.append("its \(Self.shown(opcode, opcodes)) is no number; taken as \(usual)")
        continue
      }
      if let rest = opcodes[opcode].flatMap(SFZNumber.init)?.rest, !rest.isEmpty {
        faults.append("its \(Self.shown(opcode, opcodes)) is more than a number; taken as \(legible(value))")
      }
      let taken = min(max(value, range.lowerBound), range.upperBound)
      guard taken != value else { continue }
      faults.append(
        "its \(Self.shown(opcode, opcodes)) is out of \(Self.text(range)); taken as \(legible(taken))")
    }
    if let center = text("pitch_keycenter"), center != "sample", Self.note(center) == nil {
      faults.append("its \(Self.shown("pitch_keycenter", opcodes)) is no key; taken as its key, or 60 without one")
    }
    for opcode in ["loop_mode", "loopmode"] {
      guard let mode = text(opcode), !Self.modes.contains(mode) else { continue }
      faults.append("its \(Self.shown(opcode, opcodes)) is unknown; taken as one_shot")
    }
    return faults
  }

  /// Opcodes with a number: their range, and the value that replaces a text that is no number.
  private static let numbers: [String: (range: ClosedRange<Double>, usual: String)] = [
    "lovel": (0...127, "0"), "hivel": (0...127, "127"), "volume": (-144...48, "0"), "gain": (-144...48, "0"),
    "amplitude": (0.01...10_000, "100"), "pan": (-100...100, "0"), "transpose": (-127...127, "0"),
    "tune": (-9_600...9_600, "0"), "pitch": (-9_600...9_600, "0"), "pitch_keytrack": (-1_200...1_200, "100"),
    "seq_length": (1...100, "1"), "seq_position": (1...100, "1"), "offset": (0...1e9, "0"),
    "end": (0...1e9, "the sound's own end"), "note_polyphony": (1...1e9, "unlimited"), "group": (-1e9...1e9, "none"),
    "off_by": (-1e9...1e9, "none"),
  ]

  private static let modes: Set = ["no_loop", "one_shot", "loop_continuous", "loop_sustain"]

  private static func text(_ range: ClosedRange<Double>) -> String {
    "\(legible(range.lowerBound))…\(legible(range.upperBound))"
  }

  func text(_ opcode: String) -> String? { opcodes[opcode] }

  func number(_ opcode: String) -> Double? { Self.number(opcode, opcodes) }

  private static func number(_ opcode: String, _ opcodes: [String: String]) -> Double? {
    opcodes[opcode].flatMap(SFZNumber.init)?.value
  }

  /// A key as it sounds; nil where the opcode names none.
  func key(_ opcode: String) -> Int? { text(opcode).flatMap(Self.note).flatMap { $0 < 0 ? nil : $0 + shift } }

  var names: Dictionary<String, String>.Keys { opcodes.keys }

  func number(_ opcode: String, in range: ClosedRange<Double>, else usual: Double) -> Double {
    min(max(number(opcode) ?? usual, range.lowerBound), range.upperBound)
  }

  /// The velocities at which it sounds, 0…1.
  var softest: Double { number("lovel", in: 0...127, else: 0) / 127 }
  var loudest: Double { number("hivel", in: 0...127, else: 127) / 127 }

  var takesTurns: Bool { number("seq_length") ?? 1 > 1 || text("lorand") != nil || text("hirand") != nil }

  /// Its turn among the regions that take turns. If several have the same turn, the order in the
  /// file counts.
  /// - Parameter index: its place in the file.
  func turn(_ index: Int) -> Int { Int(number("seq_position", in: 1...100, else: 1)) * 10_000 + index }

  /// As the file states it; nil where the file states none.
  var loopMode: String? { text("loop_mode") ?? text("loopmode") }

  /// The first frame that it plays, and the frame behind its last.
  func ends(in sound: Sound) -> (start: Int, end: Int) {
    let last = Int(number("end", in: 0...1e9, else: 1e9))
    return (Int(number("offset", in: 0...1e9, else: 0)), min(last + 1, sound.frames))
  }

  /// The frames from `offset` to `end`; nil where nothing is left.
  func frames(of sound: Sound) -> Range<Int>? {
    let (start, end) = ends(in: sound)
    return start < end ? Range(from: start, to: end) : nil
  }

  /// Whether the sound's own file tells which note was recorded.
  var asksSound: Bool { text("pitch_keycenter")?.lowercased() == "sample" }

  /// The note that was recorded.
  /// - Parameter root: the note in the sound's own file, with its fraction. It only counts where
  ///   `asksSound`.
  func center(_ root: Double?) -> Int {
    if asksSound, let root { return Int(saturating: root.rounded()) }
    return max(key("pitch_keycenter") ?? key("key") ?? 60, 0)
  }

  /// The semitones by which it is tuned up.
  /// - Parameter root: as above.
  func tuning(_ root: Double?) -> Double {
    guard asksSound, let root else { return tuning }
    return tuning + root.rounded() - root
  }

  /// The semitones by which it is tuned up.
  private var tuning: Double {
    number("transpose", in: -127...127, else: 0) + number("tune", in: -9_600...9_600, else: 0) / 100
      + number("pitch", in: -9_600...9_600, else: 0) / 100
  }

  /// The semitones by which the sample is moved at its lowest key.
  /// - Parameter root: the note in the sound's own file. If `asksSound` and there is no note, the
  ///   sound stays as it is.
  func pitch(_ root: Double?) -> Double {
    let track = number("pitch_keytrack", in: -1_200...1_200, else: 100)
    guard !asksSound || root != nil, let low = keys?.lowerBound else { return tuning }
    return tuning(root) + Double(low - center(root)) * track / 100
  }

  /// dB.
  var gain: Double {
    let volume = number("volume", in: -144...48, else: 0) + number("gain", in: -144...48, else: 0)
    let amplitude = number("amplitude", in: 0.01...10_000, else: 100)
    return volume + PortableMath.decibels(amplitude / 100)
  }

  /// Opcodes that a kit cannot express.
  var strangers: Set<String> {
    Set(opcodes.keys).subtracting(Self.known).filter { !SFZRegion.isCondition($0) }
  }
  /// Opcodes that an instrument cannot express.
  var strangersOfKeys: Set<String> { strangers.subtracting(Self.ofKeys) }

  private static let ofKeys: Set = ["loop_start", "loop_end", "loopstart", "loopend", "ampeg_release"]

  private static let known: Set = [
    "sample", "default_path", "key", "lokey", "hikey", "pitch_keycenter", "pitch_keytrack", "lovel", "hivel",
    "seq_length", "seq_position", "group", "off_by", "volume", "gain", "amplitude", "pan", "transpose", "tune", "pitch",
    "offset", "end", "loop_mode", "loopmode", "trigger", "note_polyphony", "region_label",
    "group_label", "master_label", "global_label", "lorand", "hirand", "note_offset", "octave_offset",
    "prefix_sfz_path", "sw_default", "sw_last", "sw_lolast", "sw_hilast", "sw_up", "sw_down", "sw_previous",
    "sw_lokey", "sw_hikey", "sw_label",
  ]

  /// A MIDI note: a whole number, or a name where `c4` is 60; sharps and flats of either kind.
  static func note(_ text: String) -> Int? {
    if let number = SFZNumber(text) {
      guard number.rest.isEmpty, number.value == number.value.rounded(), (-1...127).contains(number.value) else {
        return nil
      }
      return Int(number.value)
    }
    var rest = Array(text.lowercased().unicodeScalars)[...]
    let letters: [Unicode.Scalar: Int] = ["c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11]
    guard let letter = rest.popFirst(), var semitone = letters[letter] else { return nil }
    if let sign = rest.first, let step = signs[sign] {
      semitone += step
      rest.removeFirst()
    }
    guard let octave = Int(String(String.UnicodeScalarView(rest))), (-1...9).contains(octave) else { return nil }
    let note = (octave + 1) * 12 + semitone
    return (0...127).contains(note) ? note : nil
  }

  private static let signs: [Unicode.Scalar: Int] = ["#": 1, "\u{266f}": 1, "b": -1, "\u{266d}": -1]
}
