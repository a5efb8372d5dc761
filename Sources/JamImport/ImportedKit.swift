internal import JamCore
internal import JamKit

/// A kit on its way in: what an importer made of its source, before anything is written.
struct ImportedKit: Sendable {
  var name: String
  var credits = ""
  var category = ""
  var bpm: Float?
  /// On pads 1, 2, …; sixteen at most.
  var pads: [ImportedPad] = []
  /// What found no pad, sixteen at a time: kits that follow this one.
  var more: [[ImportedPad]] = []
  /// What found no pad there either.
  var leftOut: [String] = []
  /// What could not be read.
  var problems: [KitError] = []
  /// What was read, but not carried over.
  var notes: [ImportNote] = []

  /// Puts `pad` on the next free pad, unless it sounds as another one does: that would cost a pad and give nothing.
  mutating func add(_ pad: ImportedPad) {
    if let twin = pads.first(where: { $0.soundsLike(pad) }) {
      notes.append(ImportNote(pad.name, "left out: it is the same as \(twin.name)"))
    } else {
      pads.append(pad)
    }
  }
}

extension ImportedKit {
  /// An open and a closed hat are one pair of cymbals: where the source says nothing of its hats, they cut each other off.
  mutating func chokeHats() {
    let hats = pads.indices.filter { pads[$0].category == .hat }
    guard hats.count > 1, hats.allSatisfy({ pads[$0].settings.choke == 0 }) else { return }
    let taken = Set(pads.map(\.settings.choke))
    guard let group = (1...8).first(where: { !taken.contains($0) }) else { return }
    for hat in hats { pads[hat].settings.choke = group }
    notes.append(
      ImportNote(hats.map { pads[$0].name }.joined(separator: ", "), "cut each other off: choke group \(group)"))
  }
}

extension ImportedKit {
  /// How many kits a source may become.
  static let most = 8

  /// Takes pads in the order in which they were chosen: the first sixteen, and those that follow. In each kit they lie
  /// in the order of the source.
  mutating func take(_ chosen: [(place: Int, pad: ImportedPad)]) {
    let kits = stride(from: 0, to: chosen.count, by: Pad.count).map { first in
      chosen[Range(from: first, to: min(first + Pad.count, chosen.count))].sorted { $0.place < $1.place }.map(\.pad)
    }
    pads = kits.first ?? []
    more = Array(kits.dropFirst())
  }

  /// The kits that follow, the second one first: their sounds are there to be put on any pad.
  var following: [ImportedKit] {
    more.enumerated().map { index, pads in
      var kit = ImportedKit(name: "\(name.prefix(Limits.standard.nameCharacters - 2)) \(index + 2)")
      (kit.credits, kit.category, kit.bpm, kit.pads) = (credits, category, bpm, pads)
      kit.chokeHats()
      return kit
    }
  }
}

extension ImportedKit {
  /// That nothing of the source at `path` can be played, with all that was found out.
  func nothing(_ kind: ImportKind, in path: String, _ more: [KitError] = [], _ notes: [ImportNote] = []) -> KitError {
    KitError(
      path,
      .nothingToImport(kind, unread: problems + more, notes: (self.notes + notes).map { "\($0)" }))
  }
}

/// Something of a source that did not make it into the kit, and why.
public struct ImportNote: Hashable, Sendable, CustomStringConvertible {
  /// The instrument, region or file.
  public var subject: String
  public var text: String

  public init(_ subject: String, _ text: String) {
    self.subject = subject
    self.text = text
  }

  public var description: String { "\(subject): \(text)".printable }
}
