internal import JamCore
internal import JamKit

/// A region of an SFZ file, with what its headers say for it. It notes which opcodes were asked for.
struct SFZRegion {
  private let opcodes: [String: String]
  /// With the words of its `default_path`; nil where it has none, or is one of SFZ's own waveforms.
  let sample: String?
  /// The lowest and highest MIDI notes that it sounds at; nil where it sounds at none.
  let keys: ClosedRange<Int>?
  /// Why it can sound nowhere, or not where its words say; nil where nothing speaks against it.
  let objection: String?

  init(_ opcodes: [String: String]) {
    self.opcodes = opcodes
    let name = opcodes["sample"] ?? ""
    sample =
      name.isEmpty || name.hasPrefix("*") ? nil : SFZParser.path((opcodes["default_path"] ?? "") + name)
    let key = opcodes["key"].flatMap(Self.note)
    let low = opcodes["lokey"].flatMap(Self.note) ?? key ?? 0
    let high = opcodes["hikey"].flatMap(Self.note) ?? key ?? 127
    let badKey = ["key", "lokey", "hikey"].first { name in opcodes[name].map { Self.note($0) == nil } ?? false }
    // In order: asked first.
    keys = badKey == nil && low >= 0 && low <= high ? low...high : nil
    objection =
      badKey.map {
        "left out: its \(Self.shown($0, opcodes)) is no key; write 0–127, or a note from c-1 to g9"
      } ?? Self.emptiness(opcodes, keys: low, high)
  }

  /// What says that the region never sounds.
  private static func emptiness(_ opcodes: [String: String], keys low: Int, _ high: Int) -> String? {
    // -1 is a word of SFZ's own: no key at all.
    if low < 0 || high < 0 { return "left out: it sounds at no key" }
    if low > high { return "left out: its lowest key, \(low), is above its highest, \(high)" }
    let softest = opcodes["lovel"].flatMap(Double.init) ?? 0
    let loudest = opcodes["hivel"].flatMap(Double.init) ?? 127
    if softest > loudest {
      return "left out: its \(shown("lovel", opcodes)) is above its hivel=\(legible(loudest)), so it never sounds"
    }
    if opcodes["end"] == "-1" { return "left out: its end=-1 says that it never sounds" }
    return nil
  }

  private static func shown(_ opcode: String, _ opcodes: [String: String]) -> String {
    "\(opcode)=\(PadName.safe(opcodes[opcode] ?? "", atMost: 32, otherwise: "?", keepingSlashes: true))"
  }

  /// What is wrong with its values, and what was done.
  var faults: [String] {
    var faults: [String] = []
    for (opcode, (range, usual)) in Self.numbers.sorted(by: { $0.key < $1.key }) where opcodes[opcode] != nil {
      guard let value = number(opcode) else {
        faults.append("its \(Self.shown(opcode, opcodes)) is no number; taken as \(usual)")
        continue
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

  /// Opcodes with a number: from where to where, and what stands for one that is none.
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

  func number(_ opcode: String) -> Double? { opcodes[opcode].flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil } }

  func number(_ opcode: String, in range: ClosedRange<Double>, else usual: Double) -> Double {
    min(max(number(opcode) ?? usual, range.lowerBound), range.upperBound)
  }

  /// The velocities that it sounds at, 0…1.
  var softest: Double { number("lovel", in: 0...127, else: 0) / 127 }
  var loudest: Double { number("hivel", in: 0...127, else: 127) / 127 }

  var takesTurns: Bool { number("seq_length") ?? 1 > 1 || text("lorand") != nil || text("hirand") != nil }

  /// Its turn among those that take turns; of equal ones the file's order counts.
  /// - Parameter index: its place in the file.
  func turn(_ index: Int) -> Int { Int(number("seq_position", in: 1...100, else: 1)) * 10_000 + index }

  /// As the file says it; nil where it says nothing.
  var loopMode: String? { text("loop_mode") ?? text("loopmode") }

  /// The first frame that it plays, and the one behind its last.
  func ends(in sound: Sound) -> (start: Int, end: Int) {
    let last = Int(number("end", in: 0...1e9, else: 1e9))
    return (Int(number("offset", in: 0...1e9, else: 0)), min(last + 1, sound.frames))
  }

  /// From `offset` to `end`; nil where nothing is left.
  func frames(of sound: Sound) -> Range<Int>? {
    let (start, end) = ends(in: sound)
    return start < end ? Range(from: start, to: end) : nil
  }

  /// The note that was recorded.
  var center: Int {
    let stated = text("pitch_keycenter").flatMap(Self.note) ?? text("key").flatMap(Self.note) ?? 60
    return max(stated, 0)
  }

  /// Semitones by which it is tuned up.
  var tuning: Double {
    number("transpose", in: -127...127, else: 0) + number("tune", in: -9_600...9_600, else: 0) / 100
      + number("pitch", in: -9_600...9_600, else: 0) / 100
  }

  /// Semitones by which the sample is moved at its lowest key.
  var pitch: Double {
    let track = number("pitch_keytrack", in: -1_200...1_200, else: 100)
    guard text("pitch_keycenter") != "sample", let low = keys?.lowerBound else { return tuning }
    return tuning + Double(low - center) * track / 100
  }

  /// dB.
  var gain: Double {
    let volume = number("volume", in: -144...48, else: 0) + number("gain", in: -144...48, else: 0)
    let amplitude = number("amplitude", in: 0.01...10_000, else: 100)
    return volume + PortableMath.decibels(amplitude / 100)
  }

  /// Opcodes that a kit has no word for.
  var strangers: Set<String> { Set(opcodes.keys).subtracting(Self.known) }
  /// Opcodes that an instrument has no word for.
  var strangersOfKeys: Set<String> { strangers.subtracting(Self.ofKeys) }

  private static let ofKeys: Set = ["loop_start", "loop_end", "loopstart", "loopend", "ampeg_release"]

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
