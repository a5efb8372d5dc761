/// One track of an export, for a player, a pad or a layer: sound, notes, or both.
public struct ExportTrack: Hashable, Sendable {
  public var name: String
  /// nil leaves the colour to the program that opens the file.
  public var colour: ExportColour?
  public var audio: ExportAudio?
  /// In any order.
  public var notes: [ExportNote]
  /// The controls of its notes, in any order; controls of one frame keep their order.
  public var controls: [ExportControl]
  /// The names of the keys, above all of drums. A key without a name is allowed.
  public var keyNames: [UInt8: String]

  public init(
    name: String, colour: ExportColour? = nil, audio: ExportAudio? = nil, notes: [ExportNote] = [],
    controls: [ExportControl] = [], keyNames: [UInt8: String] = [:]
  ) {
    self.name = name
    self.colour = colour
    self.audio = audio
    self.notes = notes
    self.controls = controls
    self.keyNames = keyNames
  }

  /// Keys that MIDI knows, in order, each with its name.
  var orderedKeyNames: [(key: UInt8, name: String)] {
    keyNames.filter { $0.key < 128 }.sorted { $0.key < $1.key }.map { ($0.key, PlainText.line($0.value)) }
  }
}
