internal import JamCore
internal import JamKit

/// A kit during its import: the importer's result, before anything is written.
struct ImportedKit: Sendable {
  var name: String
  var credits = ""
  var category = ""
  var bpm: Float?
  /// On pads 1, 2, …; sixteen at most.
  var pads: [ImportedPad] = []
  /// The pads that found no place in this kit, sixteen at a time: the kits that follow this one.
  var more: [[ImportedPad]] = []
  /// The sources that found no place in those kits either.
  var leftOut: [String] = []
  /// The problems of files that could not be read.
  var problems: [KitError] = []
  /// Notes of properties that were read, but not carried over.
  var notes: [ImportNote] = []

  /// Puts `pad` on the next free pad, unless it sounds like another pad, because a copy would use
  /// up a pad for nothing.
  mutating func add(_ pad: ImportedPad) {
    if let twin = pads.first(where: { $0.soundsLike(pad) }) {
      notes.append(ImportNote(pad.name, "left out: it is the same as \(twin.name)"))
    } else {
      pads.append(pad)
    }
  }
}

extension ImportedKit {
  /// An open and a closed hat are one pair of cymbals. Where the source states no choke groups for
  /// its hats, they cut each other off.
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
  /// The most kits that a source may become.
  static let most = 8

  /// Takes pads in the order in which they were chosen: the first sixteen, and then the pads of the
  /// following kits. Within each kit they have the order of the source.
  mutating func take(_ chosen: [(place: Int, pad: ImportedPad)]) {
    let kits = stride(from: 0, to: chosen.count, by: Pad.count).map { first in
      chosen[Range(from: first, to: min(first + Pad.count, chosen.count))].sorted { $0.place < $1.place }.map(\.pad)
    }
    pads = kits.first ?? []
    more = Array(kits.dropFirst())
  }

  /// The kits that follow, the second one first. Players can put their sounds on any pad.
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
  /// The error that nothing of the source at `path` can be played, with all problems and notes.
  func nothing(_ kind: ImportKind, in path: String, _ more: [KitError] = [], _ notes: [ImportNote] = []) -> KitError {
    KitError(
      path,
      .nothingToImport(kind, unread: problems + more, notes: (self.notes + notes).map { "\($0)" }))
  }
}

/// A part of a source that was changed or left out, and the reason.
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
