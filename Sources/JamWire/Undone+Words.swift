internal import JamCore

extension Undone {
  /// As a display shows it: `pad 3 gain`, `tempo`, `layer 2`.
  var text: String {
    switch self {
    case .waitingHits: "hits that waited"
    case .pass: "the pass under way"
    case .waitingLoop: "what waited for the bar line"
    case .setting(let setting): setting.words
    case .pad(let pad): "pad \(pad.number)"
    case .kit(let kit): "kit \(kit)"
    case .layer(let number): "layer \(number)"
    case .loop: "the loop"
    case .steps: "steps"
    case .lanes(let numbers): (numbers.count > 1 ? "lanes " : "lane ") + Wording.list(numbers.map(String.init), "and")
    case .oldEdits: "many edits at once"
    }
  }
}

extension Setting {
  /// The parts of its address.
  var words: String {
    let address = AddressTable.standard.message(for: .read(self))?.address ?? ""
    return address.split(separator: "/").joined(separator: " ")
  }
}
