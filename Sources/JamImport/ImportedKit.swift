internal import JamKit

/// A kit on its way in: what an importer made of its source, before anything is written.
struct ImportedKit: Sendable {
  var name: String
  var credits = ""
  /// On pads 1, 2, …; sixteen at most.
  var pads: [ImportedPad] = []
  /// What found no pad.
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
