internal import JamCore

extension Undone {
  /// The text for a display: `pad 3 gain`, `tempo`, `layer 2`.
  var text: String {
    switch self {
    case .waitingHits: "hits that waited"
    case .pass: "the pass under way"
    case .waitingLoop: "what waited for the bar line"
    case .setting(let setting): setting.words
    case .pad(let pad): "pad \(pad.number)"
    case .kit(let kit): "kit \(kit)"
    case .kitKey: "the key of the kit"
    case .layer(let number): "layer \(number)"
    case .loop: "the loop"
    case .steps: "steps"
    case .notes(let layer): "notes of layer \(layer)"
    case .lanes(let numbers): (numbers.count > 1 ? "lanes " : "lane ") + Wording.list(numbers.map(String.init), "and")
    case .groove: "the groove"
    case .oldEdits: "many edits at once"
    case .everything(let name): "all of \(name)"
    case .takingBack(let name): "taking back all of \(name)"
    case .takingBackButMusic(let name):
      "taking back all of \(name), without the music of \(name), who is not here"
    case .several(let all): Undone.together(all.map(\.text))
    }
  }

  /// The common beginning and end of the texts, such as `fx eq (4 changes)` and `pad mute (3
  /// changes)`. Without common words: the first text, and the number of the others.
  private static func together(_ texts: [String]) -> String {
    let words = texts.map { $0.split(separator: " ") }
    let beginning = commonBeginning(of: words)
    let end = commonBeginning(of: words.map { $0.dropFirst(beginning.count).reversed() }).reversed()
    let common = beginning + end
    guard common.isEmpty else { return "\(common.joined(separator: " ")) (\(texts.count) changes)" }
    return "\(texts.first ?? "") and \(texts.count - 1) more"
  }

  private static func commonBeginning(of texts: [[Substring]]) -> [Substring] {
    texts.dropFirst().reduce(texts.first ?? []) { common, words in
      zip(common, words).prefix { $0 == $1 }.map(\.0)
    }
  }
}

extension Setting {
  /// The parts of the setting's address; for a scene, its number, and for a part of a groove its
  /// name.
  var words: String {
    if case .scene(let number) = self { return "scene \(number)" }
    if case .groove(let part) = self { return part.phrase }
    let address = AddressTable.standard.message(for: .read(self))?.address ?? ""
    return address.split(separator: "/").joined(separator: " ")
  }
}

extension GroovePart {
  /// A phrase that pages translate as a whole.
  fileprivate var phrase: String {
    switch self {
    case .drums: "drums of the groove"
    case .bass: "bass of the groove"
    case .chords: "chords of the groove"
    }
  }
}

extension HistorySteps {
  /// The steps for a display, one step on each line.
  var arguments: [OSCArgument] {
    [
      .string(undo.map(\.text).joined(separator: "\n")), .string(redo.map(\.text).joined(separator: "\n")),
      .int32(Int32(clamping: undoCount)), .int32(Int32(clamping: redoCount)),
    ]
  }
}

extension HistorySteps.Step {
  /// A step as text, such as `layer 2` and `room: tempo 100 → 120`.
  fileprivate var text: String {
    // A scene's content is text for programs, so it is not shown.
    let isScene = if case .setting(.scene) = what { true } else { false }
    let values = isScene ? "" : values.map { " \($0.before.shown) → \($0.after.shown)" } ?? ""
    return "\(isOfRoom ? "room: " : "")\(what.text)\(values)"
  }
}

extension SettingValue {
  /// The value for a display: at most two digits after the point, and only the beginning of a long
  /// text.
  fileprivate var shown: String {
    switch self {
    case .float(let value):
      // The number is finite, because a setting's value is within its range.
      let hundredths = Int(saturating: (Double(value) * 100).rounded())
      let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
      let sign = hundredths < 0 ? "−" : ""
      let places = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
      return "\(sign)\(whole)\(places)"
    case .integer(let value): return "\(value)"
    case .bool(let isOn): return isOn ? "on" : "off"
    case .text(let text): return text.isEmpty ? "none" : text.count > 24 ? "\(text.prefix(22)) …" : text
    case .signature(let signature): return "\(signature.beatsPerBar)/\(signature.beatUnit)"
    }
  }
}
